/** Records of the journal: a batch as it arrived, and the facts that a replay needs to read it in the same way. */

export type JsonValue =
  string | number | boolean | null | readonly JsonValue[] | { readonly [name: string]: JsonValue };

/** Further facts of a batch, by name. `source` and `nowMicros` are reserved. Names unknown to this version are kept. */
export type JournalFacts = Readonly<Record<string, JsonValue>>;

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
  const { source, nowMicros, ...facts } = JSON.parse(text.toString('utf8')) as Record<string, JsonValue>;
  return { source: source as string, nowMicros: nowMicros as number, facts };
}
