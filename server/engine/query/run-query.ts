/**
 * Query pipeline: compile, execute, redact, encode. Each stage takes the result of the previous one; a failing stage
 * ends the run.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '#contract/errors';
import { ensureSandbox } from '#contract/failures';
import type { QueryRequest } from '#contract/queries/query';
import type { QueryResult } from '#contract/queries/result';
import type { SavedQuery } from '#contract/queries/saved-query';
import type { CompiledQuery, CompileRequest } from '#compiler';
import { atItsPlace } from '#compiler/store';
import type { LogStore, StoreRows } from '../../stores/store';
import { encode } from './encode/encode';
import { redactionPolicy } from '../redaction/policy';
import { sourceRedaction } from '../redaction/source-redaction';
import { redact } from './redact';

/**
 * A part is dropped from the store shortly before it is removed from the catalog, and several days may be sealed one
 * after the other.
 */
const MAX_ATTEMPTS = 4;
const CATALOG_DELAY_MS = 50;

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
  const lap = stopwatch();

  let catalog = store.catalog();
  const plan = (): CompiledQuery => {
    context.onStage('plan');
    catalog = store.catalog();
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
  };
  const execute = async (compiled: CompiledQuery): Promise<StoreRows> => {
    signal.throwIfAborted();
    context.onStage('db');
    return store.execute(compiled, signal).catch(async (error: unknown) => {
      // The store does not know a name in the statement: a bug, unless the schema has changed.
      if (isSchemaChange(error) && !(await hasChanged())) throw notRun(error);
      throw atItsPlace(error, compiled.places);
    });
  };
  const hasChanged = async (): Promise<boolean> => {
    if (store.catalog() === catalog) await delay(CATALOG_DELAY_MS);
    return store.catalog() !== catalog;
  };

  let query = plan();
  let planMs = lap();
  let rows: StoreRows | null = null;
  for (let attempt = 1; rows === null; attempt++) {
    try {
      rows = await execute(query);
    } catch (error) {
      // A part was created, replaced or dropped after compilation: compile once more for the current schema.
      if (!isSchemaChange(error) || attempt === MAX_ATTEMPTS) throw error;
      query = plan();
      planMs += lap();
    }
  }
  const dbMs = lap();
  signal.throwIfAborted();

  context.onStage('encode');
  const result = redact(query.columns, rows, policy);
  const redactMs = lap();

  const encoded = encode(result, {
    format: request.format,
    timestamps: request.timestamps,
    maxBytes: Math.min(request.maxBytes, definition.max_bytes),
    meta: request.meta
      ? {
          revision: definition.revision,
          warnings: query.warnings,
          elapsedMs: () => context.queueMs + planMs + dbMs + redactMs + lap.peek(),
        }
      : null,
  });
  const encodeMs = lap();

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

function isSchemaChange(error: unknown): boolean {
  return error instanceof ServiceError && error.details.reason === 'schema_changed';
}

function notRun(cause: unknown): ServiceError {
  return new ServiceError('backend_error', 'the store could not run the query', {}, { cause });
}

/** Returns the milliseconds since the previous call; `peek` reads them without a reset. */
function stopwatch(): { (): number; peek(): number } {
  let from = performance.now();
  const lap = (): number => {
    const now = performance.now();
    const elapsed = now - from;
    from = now;
    return elapsed;
  };
  return Object.assign(lap, { peek: () => performance.now() - from });
}
