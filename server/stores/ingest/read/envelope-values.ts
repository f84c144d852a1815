/** Reads the values with a fixed meaning in every event: its id, its timestamp and its message. */
import { EntryRejection } from '../event/event-row';
import { Token } from '../../../common/json/json-token';
import { type JsonNode, writeJsonTree, writtenText } from '../../../common/json/json-tree';
import { plainNumber } from '../../../common/json/plain-number';
import { MAX_ID_BYTES } from '../limits';
import { parseTimestamp } from '../event/timestamp';

export function readId(value: JsonNode | undefined): string | null {
  if (value === undefined || value.token === Token.null) return null;
  const text = writtenText(value) ?? '';
  if (text === '' || text.length > MAX_ID_BYTES || Buffer.byteLength(text) > MAX_ID_BYTES) {
    throw new EntryRejection('bad_id', `"id" must be a text of 1 to ${MAX_ID_BYTES} bytes`);
  }
  return text;
}

export function readTime(value: JsonNode | undefined): number | null {
  if (value === undefined || value.token === Token.null) return null;
  const text = writtenText(value);
  const micros = text === undefined ? null : parseTimestamp(value.token === Token.string ? text : plainNumber(text));
  if (micros === null) {
    throw new EntryRejection('bad_timestamp', 'the timestamp must be an ISO 8601 time or a number since 1970');
  }
  return micros;
}

/** Reads a message. An object or array is kept as its JSON text. */
export function readText(value: JsonNode | undefined): string | null {
  if (value === undefined || value.token === Token.null) return null;
  if (value.token === Token.object || value.token === Token.array) return writeJsonTree(value);
  return value.text;
}

/** Smaller numbers are durations. */
const FIRST_LINE_MICROS = Date.UTC(2000, 0, 1) * 1000;

/** The time and the message of a line of a logger. */
export interface LoggerLine {
  /** Microseconds since 1970; null: `time` is none. */
  readonly micros: number | null;
  readonly message: string;
}

/**
 * Reads a line of pino, bunyan, slog or logrus: `{"level":…,"time":…,"msg":"…"}`.
 * @returns null for an event without these three members, or with a `msg` that is no text
 */
export function readLoggerLine(members: ReadonlyMap<string, JsonNode>): LoggerLine | null {
  const message = members.get('msg');
  const time = members.get('time');
  if (message?.token !== Token.string || time === undefined || !members.has('level')) return null;
  const text = writtenText(time);
  const micros = text === undefined ? null : parseTimestamp(time.token === Token.string ? text : plainNumber(text));
  return { micros: micros !== null && micros >= FIRST_LINE_MICROS ? micros : null, message: message.text };
}
