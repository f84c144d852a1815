/** Steps that all ingestion routes share: reading the body and acquiring a permit. */
import { clientAbortSignal } from '../request/client-abort';
import type { BodyReservation } from '../bodies/body-budget';
import { readBody } from '../bodies/read-body';
import { ensureStillValid } from '../request/token/ensure-still-valid';
import type { KeyedCall } from '../router';

/**
 * Reads the whole body before it acquires a permit, so that slow senders occupy none. The body counts against the
 * memory budget until the work ends.
 *
 * @param work decodes and stores the inflated body while it has a permit; `memory` is the budget of the request
 * @throws ServiceError those of `readBody` and of `Semaphore.acquire`; `token_invalid`
 */
export async function withIngestBody<T>(
  call: KeyedCall,
  work: (body: Buffer, memory: BodyReservation) => Promise<T>,
  { isSnappy = false }: { readonly isSnappy?: boolean } = {}
): Promise<T> {
  const { ctx, req, res, group } = call;
  const { maxBodyBytes, maxInflatedBytes } = ctx.config.ingest;
  const { minBytesPerSecond } = ctx.config.http;
  const memory = ctx.bodyBudget.open(group);
  try {
    const limits = { maxBytes: maxBodyBytes, maxInflatedBytes, minBytesPerSecond, memory, isSnappy };
    const body = await readBody(req, res, limits);
    ctx.metrics.ingestBytes.inc(body.length);
    return await withIngestPermit(call, () => work(body, memory));
  } finally {
    memory.release();
  }
}

async function withIngestPermit<T>(call: KeyedCall, work: () => Promise<T>): Promise<T> {
  const { ctx, res, principal, tenant } = call;
  const release = await ctx.ingestPermits.acquire({
    owner: principal.tokenId,
    tenant,
    lane: 'saved',
    waitMs: ctx.config.ingest.timeoutMs,
    signal: clientAbortSignal(res),
  });
  try {
    await ensureStillValid(call);
    return await work();
  } finally {
    release();
  }
}
