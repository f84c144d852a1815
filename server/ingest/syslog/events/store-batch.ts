/** Stores a batch of a listener: one attempt, with a permit. */
import { ServiceError } from '#contract/errors';
import type { IngestRequest } from '#contract/events/ingest';
import type { IngestResult } from '#contract/queries/result';
import type { Source } from '#contract/events/source';
import type { AppContext } from '../../../app/context';
import type { ListenerMetrics } from '../listener-metrics';
import type { EntryBatch } from './store-queue';

export interface StoreParts {
  readonly ctx: Pick<AppContext, 'config' | 'clock' | 'engine' | 'ingestPermits' | 'metrics' | 'activity' | 'logger'>;
  /** Owner of the permit. */
  readonly owner: string;
  readonly source: Source;
  readonly tenant: string | null;
  readonly metrics: ListenerMetrics;
}

/**
 * Resolves to `done` as well when the batch is refused for good. `halve`: the query engine ended under it. One message
 * may be the cause, or none of them (the system ended the engine): only the message that ends it alone is given up.
 * @throws ServiceError when the batch is to be tried again
 */
export async function storeBatch(
  parts: StoreParts,
  { lines, name, firstIndex }: EntryBatch
): Promise<'done' | 'halve'> {
  const { ctx, owner, source, tenant, metrics } = parts;
  const { timeoutMs } = ctx.config.ingest;
  const request: IngestRequest = {
    source: source.name,
    form: 'lines',
    nowMicros: ctx.clock.nowMicros(),
    identity: { base: name, firstIndex },
    tenant: { confinedTo: tenant, given: tenant },
  };
  // Of its own: Node warns of a leak where more than ten waits share a signal.
  const { signal } = new AbortController();
  const release = await ctx.ingestPermits.acquire({ owner, tenant, lane: 'saved', waitMs: timeoutMs, signal });
  try {
    const body = Buffer.concat(lines);
    noteStored(parts, await ctx.engine.call('ingest', request, { body, timeoutMs, owner }), body.length);
    return 'done';
  } catch (error) {
    if (isTemporary(error)) throw error;
    if (lines.length > 1 && error instanceof ServiceError && error.code === 'batch_refused') return 'halve';
    metrics.noteLoss('refused', lines.length);
    ctx.logger.error({ err: error, owner, source: source.name, messages: lines.length }, 'syslog messages are refused');
    return 'done';
  } finally {
    release();
  }
}

/** Statuses after which a sender over HTTP sends a batch again. */
const TEMPORARY: readonly number[] = [429, 502, 503, 504];

function isTemporary(error: unknown): boolean {
  return error instanceof ServiceError && TEMPORARY.includes(error.status);
}

function noteStored({ ctx, source: { name: source }, metrics }: StoreParts, result: IngestResult, bytes: number): void {
  const { accepted, duplicates, rejected } = result;
  const stored = accepted - duplicates;
  ctx.metrics.ingestBytes.inc(bytes);
  ctx.activity.arrivals.add(source, { stored, duplicates, rejected });
  ctx.metrics.ingestEntries.inc({ source, outcome: 'accepted' }, stored);
  ctx.metrics.ingestEntries.inc({ source, outcome: 'duplicate' }, duplicates);
  ctx.metrics.ingestEntries.inc({ source, outcome: 'rejected' }, rejected);
  if (rejected === 0) return;
  metrics.noteLoss('rejected', rejected);
  ctx.logger.warn({ source, rejected, errors: result.errors.slice(0, 3) }, 'syslog messages were rejected');
}
