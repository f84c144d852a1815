/** Stores the events of one source of a request: identifies them, stores them in slices, counts them. */
import type { TenantRule } from '#contract/events/ingest';
import { type IngestError, type IngestResult, MAX_REPORTED_ERRORS } from '#contract/queries/result';
import type { BodySlice } from '../../ingest/formats/slice-list';
import { identifyBody } from '../../ingest/identify-body';
import { storeSlices, withRejected } from '../../ingest/store-slices';
import { readIdempotencyKey } from '../parsing/idempotency-key';
import type { IngestReceipt } from './ingest-receipt';
import type { KeyedCall } from '../router';

export interface SourceBody {
  readonly source: string;
  readonly tenant: TenantRule;
  readonly slices: readonly BodySlice[];
  /** SHA-256 of the bytes of the events. */
  readonly digest: Buffer;
  /** Whether any event has a timestamp finer than a second. */
  readonly hasFineTime: boolean;
  /** Entries left out of the slices. */
  readonly rejected: readonly IngestError[];
  /** Maximum number of rejected entries that are described. @default MAX_REPORTED_ERRORS */
  readonly maxErrors?: number;
  /** Counts where the request has no `Idempotency-Key`. */
  readonly sentKey?: string | null;
}

/** Does not abort with the request: the body is stored even if the sender has disconnected. */
export async function storeBody(
  { ctx, req, principal }: KeyedCall,
  receipt: IngestReceipt,
  body: SourceBody
): Promise<IngestResult> {
  const { engine, metrics, config, clock, activity } = ctx;
  const { source, tenant, slices, maxErrors = MAX_REPORTED_ERRORS } = body;
  const idempotencyKey = readIdempotencyKey(req) ?? body.sentKey ?? null;
  const { base, delivery } = identifyBody({ ...body, idempotencyKey }, ctx.deliveries);
  if (delivery !== null) receipt.add(delivery);
  const shared = { source, tenant, base, nowMicros: clock.nowMicros() };
  const stored = await storeSlices(
    slices,
    shared,
    (request, bytes) =>
      engine.call('ingest', request, { body: bytes, timeoutMs: config.ingest.timeoutMs, owner: principal.tokenId }),
    maxErrors
  );
  const result = withRejected(stored, body.rejected, maxErrors);
  const isNew = result.accepted - result.duplicates;
  activity.arrivals.add(source, { stored: isNew, duplicates: result.duplicates, rejected: result.rejected });
  metrics.ingestEntries.inc({ source, outcome: 'accepted' }, isNew);
  metrics.ingestEntries.inc({ source, outcome: 'duplicate' }, result.duplicates);
  metrics.ingestEntries.inc({ source, outcome: 'rejected' }, result.rejected);
  return result;
}
