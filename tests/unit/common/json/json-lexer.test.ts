/** The lexer and `JSON.parse` agree on what is JSON. */
import fc from 'fast-check';
import { JsonLexer, JsonSyntaxError } from '#server/common/json/json-lexer';
import { readJsonTree, writeJsonTree } from '#server/common/json/json-tree';

function isJson(text: string): boolean {
  const buffer = Buffer.from(text, 'utf8');
  const lexer = new JsonLexer();
  lexer.open(buffer, 0, buffer.length);
  try {
    lexer.skipValue(0);
    lexer.peek();
    return lexer.position === buffer.length;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return false;
    throw error;
  }
}

function isParsed(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const bits = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  '"a"',
  '\\',
  '\\u00e9',
  '\\ud83e',
  ' ',
  '\n',
  'true',
  'null',
  '-',
  '0',
  '01',
  '1',
  '.5',
  '1.',
  '1e',
  'e+5',
  '\u0001',
  'é',
];

describe('JsonLexer', () => {
  it('accepts what JSON.stringify writes', () => {
    fc.assert(fc.property(fc.jsonValue(), fc.nat(3), (value, indent) => isJson(JSON.stringify(value, null, indent))));
  });

  it('agrees with JSON.parse on texts made of pieces of JSON', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...bits), { maxLength: 8 }), (parts) => {
        const text = parts.join('');
        expect([text, isJson(text)]).toEqual([text, isParsed(text)]);
      }),
      { numRuns: 5_000 }
    );
  });

  it('agrees with JSON.parse on JSON with one changed character', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), fc.nat(), fc.constantFrom(...bits, ''), (json, place, bit) => {
        const at = place % json.length;
        const text = json.slice(0, at) + bit + json.slice(at + 1);
        fc.pre(!/[\ud800-\udfff]/.test(text));
        expect([text, isJson(text)]).toEqual([text, isParsed(text)]);
      }),
      { numRuns: 2_000 }
    );
  });

  it('reads a tree that is written again with the same meaning', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (json) => {
        const buffer = Buffer.from(json);
        expect(JSON.parse(writeJsonTree(readJsonTree(buffer, 0, buffer.length)))).toEqual(JSON.parse(json));
      })
    );
  });
});
