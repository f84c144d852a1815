/** Batches as entries of the journal, and records of the journal as batches. */
import type { ReadBatch } from '../../ingest/read/read-batch';
import type { JournalEntry, JournalRecord } from '../../journal/journal-record';
import type { IngestBatch } from '../../store';

const COMMA = Buffer.from(',');

/** Facts that a replay needs to make the same rows again. */
type BatchFacts = Pick<IngestBatch, 'form' | 'identity' | 'tenant'>;

/** A batch as the journal stores it. */
export function toEntry({ source, body, nowMicros, form, identity, tenant }: IngestBatch): JournalEntry {
  const facts: BatchFacts = { form, identity, tenant };
  return { source, body, nowMicros, facts };
}

/** The batch of a record. Records of earlier versions have no facts except source and time. */
export function toBatch({ position, source, body, nowMicros, facts }: JournalRecord): IngestBatch {
  const { form = 'any', identity, tenant = null } = facts as Partial<BatchFacts>;
  const ownIdentity = { base: `journal-${position}-${nowMicros}`, firstIndex: 0 };
  return { source, body, nowMicros, form, identity: identity ?? ownIdentity, tenant };
}

/** The batch with only its accepted entries: rejected ones take no space in the journal. */
export function withAccepted(batch: IngestBatch, { rows, rejected, spans }: ReadBatch): IngestBatch {
  if (rejected === 0) return batch;
  const { buffer, byteOffset, byteLength } = batch.body;
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  const pieces = rows.flatMap((_, i) => [bytes.subarray(spans[2 * i], spans[2 * i + 1]), COMMA]).slice(0, -1);
  return {
    ...batch,
    body: Buffer.concat(pieces),
    form: 'items',
    identity: { ...batch.identity, indexes: rows.map(({ index }) => index) },
  };
}

interface RefusedEntries {
  /** The entries as an array. */
  readonly body: Buffer;
  readonly reason: string;
}

/**
 * Entries of a record that its source does not take any more, since its declaration has changed; null: none. Those that
 * are older than what is kept now are left out.
 */
export function noLongerTaken({ body }: JournalRecord, { rejectedEntries, errors }: ReadBatch): RefusedEntries | null {
  const refused = rejectedEntries.filter(({ code }) => code !== 'out_of_retention');
  if (refused.length === 0) return null;
  const pieces = refused.flatMap(({ start, end }) => [COMMA, body.subarray(start, end)]).slice(1);
  const error = errors.find(({ code }) => code !== 'out_of_retention');
  return {
    body: Buffer.concat([Buffer.from('['), ...pieces, Buffer.from(']')]),
    reason: error?.message ?? 'The source does not take these events any more.',
  };
}
