/** Steps that all ingestion routes share: reading the body and acquiring a permit. */
import { isUtf8 } from 'node:buffer';
import { ServiceError } from '#contract/errors';
import { inTurns } from '../../ingest/in-turns';
import { clientAbortSignal } from '../request/client-abort';
import { readBody } from '../bodies/read-body';
import { ensureStillValid } from '../request/token/ensure-still-valid';
import type { KeyedCall } from '../router';

/**
 * Reads the whole body before it acquires a permit, so that slow senders occupy none. The body counts against the
 * memory budget until the work ends.
 *
 * @param work decodes and stores the inflated body while it has a permit
 * @throws ServiceError those of `readBody` and of `Semaphore.acquire`; `token_invalid`
 */
export async function withIngestBody<T>(
  call: KeyedCall,
  work: (body: Buffer) => Promise<T>,
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
    return await withIngestPermit(call, () => work(body));
  } finally {
    memory.release();
  }
}

async function withIngestPermit<T>(call: KeyedCall, work: () => Promise<T>): Promise<T> {
  const { ctx, res, principal, tenant } = call;
  const release = await ctx.ingestSlots.acquire({
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

/** Bytes checked in one turn of the event loop. */
const TURN_BYTES = 4 * 1024 * 1024;

/** @throws ServiceError `encoding_invalid` */
export async function ensureUtf8(body: Buffer): Promise<void> {
  await inTurns(checkUtf8(body, true));
}

/** UTF-8 without NUL characters. @throws ServiceError `encoding_invalid` */
export async function ensureText(body: Buffer): Promise<void> {
  await inTurns(checkUtf8(body, false));
}

function* checkUtf8(body: Buffer, allowsNul: boolean): Generator<null, void> {
  for (let start = 0; start < body.length;) {
    const end = characterStart(body, Math.min(start + TURN_BYTES, body.length));
    if (end <= start || !isUtf8(body.subarray(start, end)))
      throw new ServiceError('encoding_invalid', 'The request body is not valid UTF-8.');
    if (!allowsNul && body.subarray(start, end).includes(0))
      throw new ServiceError('encoding_invalid', 'The request body holds a NUL character.');
    start = end;
    yield null;
  }
}

/** @returns the offset at which the character containing `offset` starts, provided that the text is valid */
function characterStart(body: Buffer, offset: number): number {
  let at = offset;
  while (at < body.length && at > offset - 4 && (body[at]! & 0xc0) === 0x80) at--;
  return at;
}
