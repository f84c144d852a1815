/**
 * Query pipeline: compile, execute, redact, encode. Each stage takes the result of the previous one; a failing stage
 * ends the run.
 */
import { ensureSandbox } from '#contract/failures';
import type { QueryRequest } from '#contract/queries/query';
import type { QueryResult } from '#contract/queries/result';
import type { SavedQuery } from '#contract/queries/saved-query';
import type { CompiledQuery, CompileRequest } from '#compiler';
import type { LogStore } from '../../stores/store';
import { encode } from './encode/encode';
import { redactionPolicy } from '../redaction/policy';
import { sourceRedaction } from '../redaction/source-redaction';
import { executeCurrent } from './execute-current';
import { redact } from './redact';
import { startStopwatch } from './stopwatch';

export interface RunQueryContext {
  readonly compile: (request: CompileRequest) => CompiledQuery;
  readonly store: Pick<LogStore, 'catalog' | 'execute' | 'extentOf'>;
  readonly definition: SavedQuery;
  /** Time that the request waited in the queue. */
  readonly queueMs: number;
  /** Called before each stage that can take long. */
  readonly onStage: (stage: 'plan' | 'db' | 'encode') => void;
}

/**
 * Runs a saved query, or the ad-hoc text in its sandbox. Limits of the definition apply even when the request asks for
 * more.
 * @throws ServiceError of the compiler and the store; the signal's reason
 */
export async function runQuery(
  context: RunQueryContext,
  request: QueryRequest,
  signal: AbortSignal
): Promise<QueryResult> {
  const { definition, store } = context;
  const policy = redactionPolicy(request.redact || definition.redact_pii, definition.redact);
  if (request.adhoc) ensureSandbox(definition);
  const stopwatch = startStopwatch();
  const { query, rows, planMs, dbMs } = await executeCurrent({
    store,
    compile: (catalog) => {
      context.onStage('plan');
      return context.compile({
        definition,
        adhoc: request.adhoc,
        parameters: request.parameters,
        catalog,
        extentOf: (part) => store.extentOf?.(part) ?? null,
        nowMicros: request.nowMicros,
        maxRows: Math.min(request.maxRows, definition.max_rows),
        redaction: sourceRedaction(policy),
        tenant: request.tenant,
      });
    },
    onExecute: () => context.onStage('db'),
    stopwatch,
    signal,
  });
  signal.throwIfAborted();

  context.onStage('encode');
  const result = redact(query.columns, rows, policy);
  const redactMs = stopwatch.lap();

  const encoded = encode(result, {
    format: request.format,
    timestamps: request.timestamps,
    maxBytes: Math.min(request.maxBytes, definition.max_bytes),
    meta: request.meta
      ? {
          revision: definition.revision,
          warnings: query.warnings,
          elapsedMs: () => context.queueMs + planMs + dbMs + redactMs + stopwatch.peek(),
        }
      : null,
  });
  const encodeMs = stopwatch.lap();

  return {
    format: request.format,
    bytes: encoded.bytes,
    fields: result.fields.map(({ name, typeName }) => ({ name, type: typeName })),
    rows: encoded.rows,
    truncated: encoded.truncated,
    redacted: result.isRedacted,
    ...(Object.keys(result.replaced).length === 0 ? {} : { replaced: result.replaced }),
    revision: definition.revision,
    ...(query.warnings.length === 0 ? {} : { warnings: query.warnings }),
    ...(rows.days === undefined ? {} : { days: rows.days }),
    ...(rows.blocks === undefined ? {} : { blocks: rows.blocks }),
    timings: { queueMs: context.queueMs, planMs, dbMs, redactMs, encodeMs },
  };
}
