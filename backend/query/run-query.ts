/** One query from its JSON to its frame: read, call, read the columns, shape. Each step throws PluginError. */
import type { Frame, FrameMeta } from '../frames/frame';
import { readResult } from '../frames/read-result';
import { fieldlessFrame, shapeResult } from '../frames/shape-result';
import type { Instance } from '../instances/instance';
import type { DataQuery } from '../proto/messages';
import { PluginError } from '../service-client/plugin-error';
import type { CallContext, QueryAnswer } from '../service-client/service-client';
import { executedText, parseQuery, type ReadyQuery, readyQuery } from './read-query';
import { timeContextOf } from './time-context';

export interface QueryOrigin {
  readonly isAlert: boolean;
  /** An expression of Grafana reads the frame. */
  readonly isExpression: boolean;
}

export type QueryOutcome =
  | { readonly frame: Frame }
  /** The frame has no fields, but the text that ran. */
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
    const ready = readyQuery(parseQuery(query.json), instance.options, timeContextOf(query), origin.isAlert);
    executed = executedText(ready.call);
    name = ready.name;
    if (needsNumbers && ready.format === 'logs') throw logsInAlert();
    const answer = await instance.query(ready.call, ctx);
    const result = readResult(answer.arrow, ready.maxRows);
    const frame = shapeResult(result, {
      refId: query.refId,
      name,
      format: ready.format,
      needsNumbers,
      levelField: instance.options.logs?.levelField,
      limit: answer.truncated ? result.length : ready.maxRows,
      meta: answerMeta(answer, ready, result.isCut, result.length, executed),
    });
    return { frame };
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

function answerMeta(answer: QueryAnswer, ready: ReadyQuery, isCut: boolean, rows: number, executed: string): FrameMeta {
  const notices: { severity: 'info' | 'warning'; text: string }[] = [];
  if (answer.truncated)
    notices.push({
      severity: 'warning',
      text: `The service cut the result at ${rows} rows: a cap of the endpoint or the token.`,
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
    executedQueryString: executed,
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
