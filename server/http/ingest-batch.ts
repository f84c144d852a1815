/** What all doors for events share: a place and the bytes. */
import { isUtf8 } from 'node:buffer';
import { ServiceError } from '#contract/errors';
import { callerGoneSignal } from './caller-gone';
import { readBody } from './read-body';
import type { KeyedCall } from './router';

/** The place is held from before the body is read until the work is done. */
export async function inIngestPlace<T>({ ctx, res, principal }: KeyedCall, work: () => Promise<T>): Promise<T> {
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

export async function readIngestBody({ ctx, req, res }: KeyedCall): Promise<Buffer> {
  const { maxBodyBytes, maxInflatedBytes } = ctx.config.ingest;
  const body = await readBody(req, res, { maxBytes: maxBodyBytes, maxInflatedBytes });
  ctx.metrics.ingestBytes.inc(body.length);
  return body;
}

/** Looked at as bytes: a batch is large. */
export function ensureUtf8(body: Buffer): Buffer {
  if (isUtf8(body)) return body;
  throw new ServiceError('encoding_invalid', 'The request body is not valid UTF-8.');
}
