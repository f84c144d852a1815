/**
 * Gives events without an id one that is the same in every import of the file: after an interruption, with another
 * batch size, or after the file has grown. See docs/decisions/0015-event-identity.md.
 */
import { createHash } from 'node:crypto';
import { JsonWalk } from '../../ingest/formats/json/json-walk';
import { JsonSyntaxError } from '../../common/json/json-lexer';
import type { InputEvent } from './input/input';

/** @param pieces all events of the file from its start, in order */
export async function* addIds(pieces: AsyncIterable<readonly InputEvent[]>): AsyncGenerator<readonly InputEvent[]> {
  let chain: Buffer = Buffer.alloc(0);
  for await (const piece of pieces) {
    yield piece.map((event) => {
      chain = createHash('sha256')
        .update(chain)
        .update(event.json ?? TOO_LARGE)
        .digest();
      return event.json === null ? event : { ...event, json: withId(withoutMark(event.json), chain) };
    });
  }
}

/** Stands in the hash chain in place of an event that is not sent. */
const TOO_LARGE = Buffer.from('\0');
/** Characters of base64url: 132 bits. */
const ID_LENGTH = 22;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/** Adds an id to an object; the server rejects anything else. */
function withId(json: Buffer, chain: Buffer): Buffer {
  if (mayHaveId(json) && hasId(json)) return json;
  let end = json.length;
  while (end > 0 && isBlank(json[end - 1]!)) end--;
  let start = 0;
  while (start < end && isBlank(json[start]!)) start++;
  if (json[start] !== OPEN || json[end - 1] !== CLOSE) return json;
  let last = end - 1;
  while (last > start && isBlank(json[last - 1]!)) last--;
  const comma = last - 1 === start ? '' : ',';
  const id = Buffer.from(`${comma}"id":"${chain.toString('base64url').slice(0, ID_LENGTH)}"}`);
  return Buffer.concat([json.subarray(0, last), id]);
}

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

function withoutMark(json: Buffer): Buffer {
  return json.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
    ? json.subarray(BYTE_ORDER_MARK.length)
    : json;
}

/** Fast check: most events without an id do not contain the word; escapes in a key need the slow check. */
function mayHaveId(json: Buffer): boolean {
  return json.includes('"id"') || json.includes('\\u');
}

function hasId(json: Buffer): boolean {
  try {
    const walk = new JsonWalk(json);
    let found = false;
    for (const key of walk.keys()) {
      const part = walk.pass();
      // The service rejects a line with such a large value anyway.
      if (part === null) return true;
      if (key === 'id') found = json.toString('latin1', part.start, part.end) !== 'null';
    }
    return found;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return true;
    throw error;
  }
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === 0x0a;
}
