/** A batch as a store takes it, where a test cares for its events only: equal bodies are deliveries of one body. */
import { createHash } from 'node:crypto';
import type { IngestRequest } from '#contract/events/ingest';

export function ingestBatch<
  B extends { readonly source: string; readonly body: Uint8Array; readonly nowMicros: number },
>(batch: B): B & IngestRequest {
  return { ...batch, ...requestOf(batch.source, batch.body, batch.nowMicros) };
}

export function requestOf(source: string, body: Uint8Array, nowMicros: number): IngestRequest {
  const base = createHash('sha256').update(source).update(body).digest('base64url').slice(0, 22);
  return { source, nowMicros, form: 'any', identity: { base, firstIndex: 0 }, tenant: null };
}
