/** Reads a JSON object that stands alone, such as a line of a body, within the limits of an event. */
import { isUtf8 } from 'node:buffer';
import { MAX_ENTRY_BYTES, MAX_ENTRY_VALUES } from '#contract/events/source';
import { JsonLexer, JsonSyntaxError } from '../../../common/json/json-lexer';
import { Token } from '../../../common/json/json-token';
import { type JsonObject, readJsonObject } from '../../../common/json/json-tree';
import { RecordRefusal, tooDeep, tooLarge, tooManyValues } from '../record-refusal';

/** @returns the object of these bytes, or the reason why it is not read */
export function readObject(body: Buffer, start: number, end: number): JsonObject | RecordRefusal {
  if (end - start > MAX_ENTRY_BYTES) return tooLarge();
  if (!isUtf8(body.subarray(start, end))) return badUtf8();
  const refusal = new ObjectChecker().check(body, start, end);
  return refusal ?? readJsonObject(body, start, end);
}

export function badUtf8(): RecordRefusal {
  return new RecordRefusal('bad_utf8', 'the event is not valid UTF-8');
}

class ObjectChecker extends JsonLexer {
  check(body: Buffer, start: number, end: number): RecordRefusal | null {
    this.open(body, start, end);
    this.resetFacts();
    try {
      const token = this.skipValue(0);
      this.peek();
      if (this.position < end) throw new JsonSyntaxError('unexpected text after the value', this.position);
      if (token !== Token.object) return new RecordRefusal('not_an_object', 'the event must be a JSON object');
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error;
      return new RecordRefusal(
        'bad_json',
        `the event is not valid JSON: ${error.message} (byte ${error.offset - start + 1})`
      );
    }
    if (this.tooDeep) return tooDeep();
    return this.valueCount > MAX_ENTRY_VALUES ? tooManyValues() : null;
  }
}
