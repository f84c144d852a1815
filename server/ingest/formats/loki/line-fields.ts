/** Fields of a log line that is JSON. */
import { MAX_ENTRY_VALUES } from '#contract/events/source';
import { JsonLexer, JsonSyntaxError } from '../../../common/json/json-lexer';
import { type JsonNode, readJsonObject } from '../../../common/json/json-tree';

/** Fields of a line that is a JSON object within the limits of an event; any other line has none. */
export function lineFields(line: string): Iterable<readonly [string, JsonNode]> {
  if (!line.startsWith('{')) return [];
  const bytes = Buffer.from(line);
  const lexer = new LineLexer();
  return lexer.isWholeValue(bytes) ? readJsonObject(bytes, 0, bytes.length).members : [];
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
