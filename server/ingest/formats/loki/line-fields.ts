/** Fields of a log line that is JSON. */
import { MAX_ENTRY_BYTES, MAX_ENTRY_VALUES, MAX_RECORD_DEPTH } from '#contract/events/source';
import { JsonLexer, JsonSyntaxError } from '../../../common/json/json-lexer';
import { type JsonNode, readJsonObject, recordDepth } from '../../../common/json/json-tree';
import { nestingOf } from '../events/place-fields';

/** Left to the labels and the structured metadata of a line. */
const RESERVED_BYTES = 32 * 1024;
const RESERVED_VALUES = 1_000;

/**
 * Fields of a line that is a JSON object, if the store takes an event with the line and with them; any other line has
 * none. An application writes the line, and a sender drops what is refused.
 */
export function lineFields(line: string): Iterable<readonly [string, JsonNode]> {
  if (!line.startsWith('{')) return [];
  const bytes = Buffer.from(line);
  const lexer = new LineLexer();
  if (!lexer.isWholeValue(bytes) || !hasRoomFor(line, bytes.length)) return [];
  const { members } = readJsonObject(bytes, 0, bytes.length);
  return isWithinLimits(members, lexer.valueCount) ? members : [];
}

/** The event has the line twice: as its message, and as its fields. */
function hasRoomFor(line: string, bytes: number): boolean {
  // Escapes double a line at most.
  if (3 * bytes + RESERVED_BYTES <= MAX_ENTRY_BYTES) return true;
  return Buffer.byteLength(JSON.stringify(line)) + bytes + RESERVED_BYTES <= MAX_ENTRY_BYTES;
}

/** Dotted names become records. */
function isWithinLimits(members: ReadonlyMap<string, JsonNode>, valueCount: number): boolean {
  let values = valueCount + RESERVED_VALUES;
  for (const [name, value] of members) {
    const nesting = nestingOf(name);
    values += nesting;
    if (nesting + recordDepth(value) > MAX_RECORD_DEPTH) return false;
  }
  return values <= MAX_ENTRY_VALUES;
}

class LineLexer extends JsonLexer {
  isWholeValue(bytes: Buffer): boolean {
    this.open(bytes, 0, bytes.length);
    this.resetFacts();
    try {
      this.skipValue(0);
    } catch (error) {
      if (error instanceof JsonSyntaxError) return false;
      throw error;
    }
    return this.peek() === 0 && this.position === bytes.length && !this.tooDeep && this.valueCount <= MAX_ENTRY_VALUES;
  }
}
