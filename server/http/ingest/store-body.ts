/** The events of one source of a request: identified, stored in slices, counted. */
import { ServiceError } from '#contract/errors';
import type { TenantRule } from '#contract/ingest';
import { type IngestError, type IngestResult, MAX_REPORTED_ERRORS } from '#contract/result';
import type { BodySlice } from '../../event-formats/split-body';
import { identifyBody } from '../../ingest/identify-body';
import { storeSlices, withRejected } from '../../ingest/store-slices';
import { singleHeader } from '../parsing/header-values';
import type { IngestReceipt } from './ingest-receipt';
import type { KeyedCall } from '../router';

export interface SourceBody {
  readonly source: string;
  readonly tenant: TenantRule;
  readonly slices: readonly BodySlice[];
  /** SHA-256 of the events' bytes. */
  readonly digest: Buffer;
  /** Whether an event has a time of its own that is finer than a second. */
  readonly hasFineTime: boolean;
  /** Entries that are in no slice. */
  readonly rejected: readonly IngestError[];
}

/** The body is stored or not whether or not its sender still waits: it is not aborted. */
export async function storeBody(
  { ctx, req, principal }: KeyedCall,
  receipt: IngestReceipt,
  body: SourceBody
): Promise<IngestResult> {
  const { engine, metrics, config, clock } = ctx;
  const { source, tenant, slices } = body;
  const { base, delivery } = identifyBody({ ...body, idempotencyKey: readIdempotencyKey(req) }, ctx.deliveries);
  if (delivery !== null) receipt.add(delivery);
  const stored = await storeSlices(slices, { source, tenant, base, nowMicros: clock.nowMicros() }, (request, bytes) =>
    engine.call('ingest', request, { body: bytes, timeoutMs: config.ingest.timeoutMs, owner: principal.tokenId })
  );
  const result = withRejected(stored, body.rejected, MAX_REPORTED_ERRORS);
  metrics.ingestEntries.inc({ source, outcome: 'accepted' }, result.accepted - result.duplicates);
  metrics.ingestEntries.inc({ source, outcome: 'duplicate' }, result.duplicates);
  metrics.ingestEntries.inc({ source, outcome: 'rejected' }, result.rejected);
  return result;
}

/** Visible ASCII characters, in double quotes or without [draft-ietf-httpapi-idempotency-key-header]. */
const KEY_PATTERN = /^("?)[\x21\x23-\x7e]{1,255}\1$/;

/** @throws ServiceError `header_invalid` */
export function readIdempotencyKey(req: KeyedCall['req']): string | null {
  const key = singleHeader(req, 'Idempotency-Key');
  if (key === undefined) return null;
  if (KEY_PATTERN.test(key)) return key.replaceAll('"', '');
  throw new ServiceError(
    'header_invalid',
    'The header "Idempotency-Key" must have 1 to 255 visible ASCII characters, with double quotes around them or none.',
    { header: 'Idempotency-Key' }
  );
}
