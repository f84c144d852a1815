/** Reads the values with a fixed meaning in every event: its id, its timestamp and its message. */
import { EntryRejection } from '../event/event-row';
import type { LoggerLine } from '../../../common/json/logger-line';
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
  const micros = microsOf(value);
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

/** Reads the time of a line of a logger. @returns null for a value that is no time */
export const readLineTime = ({ time }: LoggerLine): number | null => readOtherTime(time);

/** Reads a time that is not named `timestamp`. @returns null for a value that is no time */
export function readOtherTime(value: JsonNode | undefined): number | null {
  const micros = value === undefined ? null : microsOf(value);
  return micros !== null && micros >= FIRST_LINE_MICROS ? micros : null;
}

function microsOf(value: JsonNode): number | null {
  const text = writtenText(value);
  return text === undefined ? null : parseTimestamp(value.token === Token.string ? text : plainNumber(text));
}
