/** What all doors for events share: a place, the bytes, the store, the counting. */
import { isUtf8 } from 'node:buffer';
import { ServiceError } from '#contract/errors';
import type { IngestResult } from '#contract/result';
import type { AppContext } from '../context';
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

/** @param body entries in JSON. It is stored or not whether or not its sender still waits: it is not aborted. */
export async function storeEntries(
  { engine, metrics, config }: AppContext,
  request: { readonly source: string; readonly nowMicros: number },
  body: Buffer
): Promise<IngestResult> {
  const result = await engine.call('ingest', request, { body, timeoutMs: config.ingest.timeoutMs });
  const { source } = request;
  metrics.ingestEntries.inc({ source, outcome: 'accepted' }, result.accepted - result.duplicates);
  metrics.ingestEntries.inc({ source, outcome: 'duplicate' }, result.duplicates);
  metrics.ingestEntries.inc({ source, outcome: 'rejected' }, result.rejected);
  return result;
}

/** Looked at as bytes: a batch is large. */
export function ensureUtf8(body: Buffer): Buffer {
  if (isUtf8(body)) return body;
  throw new ServiceError('encoding_invalid', 'The request body is not valid UTF-8.');
}
