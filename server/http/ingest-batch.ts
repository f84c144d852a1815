/** What all ingestion routes share: the body and a place. */
import { isUtf8 } from 'node:buffer';
import { ServiceError } from '#contract/errors';
import { callerGoneSignal } from './caller-gone';
import { readBody } from './read-body';
import type { KeyedCall } from './router';

/**
 * Reads the whole body first and waits for a place then, so that a slow sender takes no place. The bytes of the body count against the
 * budget until the work is done.
 *
 * @param work decodes and stores the body, inflated, while it has a place
 * @throws ServiceError those of `readBody` and of `Slots.enter`
 */
export async function withIngestBody<T>(call: KeyedCall, work: (body: Buffer) => Promise<T>): Promise<T> {
  const { ctx, req, res, principal } = call;
  const { maxBodyBytes, maxInflatedBytes } = ctx.config.ingest;
  const { minBytesPerSecond } = ctx.config.http;
  const memory = ctx.bodyBudget.open(principal.tokenId);
  try {
    const body = await readBody(req, res, { maxBytes: maxBodyBytes, maxInflatedBytes, minBytesPerSecond, memory });
    ctx.metrics.ingestBytes.inc(body.length);
    return await inIngestPlace(call, () => work(body));
  } finally {
    memory.release();
  }
}

async function inIngestPlace<T>({ ctx, res, principal }: KeyedCall, work: () => Promise<T>): Promise<T> {
  const leave = await ctx.ingestSlots.enter({
    owner: principal.tokenId,
    lane: 'saved',
    waitMs: ctx.config.ingest.timeoutMs,
    signal: callerGoneSignal(res),
  });
  try {
    return await work();
  } finally {
    leave();
  }
}

/** Looked at as bytes: a batch is large. */
export function ensureUtf8(body: Buffer): Buffer {
  if (isUtf8(body)) return body;
  throw new ServiceError('encoding_invalid', 'The request body is not valid UTF-8.');
}
