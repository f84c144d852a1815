/** Runs one query: parse, call the service, read the columns, shape the frame. Each step throws PluginError. */
import { type Buckets, MAX_PANEL_BUCKETS, MAX_RULE_BUCKETS } from '../frames/shapes/bucket-starts';
import type { Frame, FrameMeta } from '../frames/frame';
import { fieldlessFrame, shapeResult } from '../frames/shapes/shape-result';
import type { Instance } from '../instances/instance';
import type { DataQuery } from '../proto/messages';
import { PluginError } from '../service-client/failures/plugin-error';
import type { CallContext } from '../service-client/service-client';
import { additivityOf } from './additive-columns';
import { withDefaultProject } from './default-project';
import { queryUntilComplete, type CompleteAnswer } from './query-until-complete';
import { parseQuery, type ReadyQuery, readyQuery } from './read-query';
import { formatSeconds, type TimeContext, timeContextOf } from './time-context';

export interface QueryOrigin {
  readonly isAlert: boolean;
  /** Whether an expression of Grafana reads the frame. */
  readonly isExpression: boolean;
  /** Whether each poll names another time, so that no other call has its result. @default false */
  readonly isTail?: boolean;
}

export type QueryOutcome =
  /** `isCut`: the query has more rows than the frame. `dateMs`: time by the clock of the service, if it is known. */
  | { readonly frame: Frame; readonly isCut: boolean; readonly dateMs: number | undefined }
  /** The frame has no fields but reports the text that ran. */
  | { readonly error: unknown; readonly frame: Frame };

export async function runQuery(
  instance: Instance,
  query: DataQuery,
  origin: QueryOrigin,
  ctx: CallContext
): Promise<QueryOutcome> {
  let executed: string | undefined;
  let name = '';
  try {
    const needsNumbers = origin.isAlert || origin.isExpression;
    const parsed = parseQuery(query.json);
    const time = timeContextOf(query);
    const complete = await queryUntilComplete({
      time,
      resolve: (current) => {
        const ready = readyQuery(parsed, instance.options, current, origin.isAlert);
        executed = ready.executed;
        name = ready.name;
        if (needsNumbers && ready.format === 'logs') throw logsInAlert();
        return ready;
      },
      run: ({ call: planned, hasDefaultProject }) => {
        const call = origin.isTail ? { ...planned, noStore: true } : planned;
        return hasDefaultProject
          ? withDefaultProject(call, (each) => instance.query(each, ctx))
          : instance.query(call, ctx);
      },
      // An alert rule compares counts for buckets of the width it requests, so widening would change its meaning.
      mayWiden: !origin.isAlert,
    });
    const { ready, answer, result } = complete;
    if (needsNumbers && (answer.truncated || result.isCut)) throw cutInAlert(result.length);
    const frame = shapeResult(result, {
      refId: query.refId,
      name,
      format: ready.format,
      needsNumbers,
      levels: instance.options.logs,
      buckets: bucketsOf(ready, time, needsNumbers),
      searchWords: ready.searchWords,
      limit: answer.truncated ? result.length : ready.maxRows,
      meta: answerMeta(complete, time.intervalSeconds),
    });
    const isCut = answer.truncated || result.isCut || (ready.format === 'logs' && frame.length < result.length);
    return { frame, isCut, dateMs: answer.dateMs };
  } catch (error) {
    return { error, frame: fieldlessFrame({ refId: query.refId, name, meta: { executedQueryString: executed } }) };
  }
}

function logsInAlert(): PluginError {
  return new PluginError('shape_unfit', 'Alert rules and expressions need numbers; this query has the format Logs.', {
    status: 400,
    hint: 'count the rows in SQL or LQL, for example c:count(*) c:group_by(t::minute), with the format Time series',
  });
}

/** Error for an alert rule whose rows were truncated: too low counts would keep it from firing. */
function cutInAlert(rows: number): PluginError {
  return new PluginError(
    'result_cut',
    `The result was cut at ${rows} rows; alert rules and expressions need all of it.`,
    {
      status: 400,
      hint: 'shorten the time range, make the buckets wider, or group by a column with fewer values',
    }
  );
}

function bucketsOf(
  { call, bucketSeconds, zeros }: ReadyQuery,
  { fromMs, toMs }: TimeContext,
  needsNumbers: boolean
): Buckets | undefined {
  if (bucketSeconds === undefined) return undefined;
  if (zeros === undefined) return { seconds: bucketSeconds };
  return {
    seconds: bucketSeconds,
    zeros: zeros === 'range' ? { fromMs, toMs } : 'rows',
    maxCount: needsNumbers ? MAX_RULE_BUCKETS : MAX_PANEL_BUCKETS,
    additivity: additivityOf(call),
  };
}

function answerMeta({ ready, answer, result, intervalSeconds }: CompleteAnswer, askedSeconds: number): FrameMeta {
  const { length: rows, isCut } = result;
  const notices: { severity: 'info' | 'warning'; text: string }[] = [];
  if (answer.truncated)
    notices.push({
      severity: 'warning',
      text: `The service cut the result at ${rows} rows, a cap of the endpoint or the token: what is shown is not all.`,
    });
  else if (intervalSeconds !== askedSeconds)
    notices.push({
      severity: 'info',
      text: `Each point covers ${formatSeconds(intervalSeconds)}: with ${formatSeconds(askedSeconds)} the result has more rows than the endpoint or the token allows.`,
    });
  if (isCut)
    notices.push({ severity: 'info', text: `Only the first ${ready.maxRows} rows are shown, as the query asks.` });
  if (answer.ignoredParameters)
    notices.push({
      severity: 'warning',
      text: `The endpoint has no parameter of this name: ${answer.ignoredParameters}.`,
    });
  if (answer.redacted) notices.push({ severity: 'info', text: 'Personal data is redacted.' });
  if (answer.age) notices.push({ severity: 'info', text: `From the cache of the service: ${answer.age} s old.` });
  return {
    executedQueryString: ready.executed,
    ...(notices.length > 0 ? { notices } : {}),
    custom: {
      requestId: answer.requestId,
      revision: answer.revision,
      redacted: answer.redacted,
      cacheStatus: answer.cacheStatus,
      ageSeconds: answer.age,
    },
  };
}
