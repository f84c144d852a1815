/** Records of the journal: a batch as it arrived, and the facts that a replay needs to read it in the same way. */
import { isRecord } from '#contract/records';

/**
 * Further facts of a batch, values of JSON by name. `source` and `nowMicros` are reserved. Names unknown to this
 * version are kept.
 */
export type JournalFacts = Readonly<Record<string, unknown>>;

export interface JournalEntry {
  readonly source: string;
  readonly body: Uint8Array;
  /** Arrival time, microseconds since 1970. */
  readonly nowMicros: number;
  /** @default {} */
  readonly facts?: JournalFacts;
}

export interface JournalRecord extends JournalEntry {
  /** Records are numbered from 1 without gaps. */
  readonly position: number;
  /** Empty for records of files that an earlier version wrote. */
  readonly facts: JournalFacts;
}

/** Maximum size of the facts of one record, as JSON text. */
export const MAX_FACTS_BYTES = 1024 * 1024;

/** @throws RangeError when the facts are larger than `MAX_FACTS_BYTES` */
export function encodeFacts({ source, nowMicros, facts }: JournalEntry): Buffer {
  const text = Buffer.from(JSON.stringify({ ...facts, source, nowMicros }), 'utf8');
  if (text.length > MAX_FACTS_BYTES) {
    throw new RangeError(`The facts of a journal record are at most ${MAX_FACTS_BYTES} bytes, not ${text.length}.`);
  }
  return text;
}

/** @param text with a verified checksum */
export function decodeFacts(text: Buffer): Required<Omit<JournalEntry, 'body'>> {
  const parsed: unknown = JSON.parse(text.toString('utf8'));
  const { source, nowMicros, ...facts } = isRecord(parsed) ? parsed : {};
  if (typeof source === 'string' && typeof nowMicros === 'number') return { source, nowMicros, facts };
  throw new TypeError('The facts of a journal record lack its source or its time.');
}
