import fc from 'fast-check';
import type { StoreValue } from '#server/stores/store-value';
import { withCacheFacts } from '#server/engine/query/encode/json/json';
import { anyResult } from '../../../../../support/arbitrary/result';
import { columns, encodeCases, encodedText, encodeRows, outputType } from '../../../../../support/cases/results';
import { type JsonValue, referenceRows } from '../../../../../support/references/json';

const LETTERS = { fields: columns(['STRING']), rows: [['a'], ['b'], ['c']] };

describe('JSON values', () => {
  test.each(encodeCases('values.txt'))('of type %s: %s is %s, or %s', (typeName, value, native, rfc3339) => {
    const type = outputType(typeName);
    const result = {
      fields: [{ name: 'v', type, typeName: typeName }],
      rows: [[storeValue(typeName, value)]],
    };
    expect(encodedText(result)).toBe(`{"result":[{"v":${native}}]}`);
    expect(encodedText(result, { timestamps: 'rfc3339' })).toBe(
      `{"result":[{"v":${rfc3339 === '=' ? native : rfc3339}}]}`
    );
  });

  test('are valid JSON and equal to what JSON.stringify writes', () => {
    fc.assert(
      fc.property(anyResult, fc.constantFrom('native', 'rfc3339'), (result, timestamps) => {
        const text = encodedText(result, { timestamps });
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify({ result: referenceRows(result, timestamps) })));
      }),
      { numRuns: 300 }
    );
  });
});

describe('the JSON document', () => {
  test('has its keys in the order of the columns, for any names', () => {
    const fields = ['2', '1', '__proto__', 'a"b'].map((name) => ({ ...columns(['INT64'])[0]!, name }));
    expect(encodedText({ fields, rows: [[1n, 2n, 3n, 4n]] })).toBe(
      '{"result":[{"2":1,"1":2,"__proto__":3,"a\\"b":4}]}'
    );
  });

  test('has an empty list when there are no rows', () => {
    expect(encodedText({ ...LETTERS, rows: [] })).toBe('{"result":[]}');
  });

  test('has facts as its last key, which can be extended without reading the rows', () => {
    const { bytes } = encodeRows(LETTERS, { meta: { revision: 7, warnings: [], elapsedMs: () => 1.23456 } });
    const meta = {
      columns: [{ name: 'f0', type: 'STRING' }],
      rows: 3,
      truncated: false,
      redacted: false,
      revision: 7,
      elapsed_ms: 1.235,
      scanned_rows: null,
    };
    const result = [{ f0: 'a' }, { f0: 'b' }, { f0: 'c' }];
    expect(Buffer.from(bytes).toString()).toBe(JSON.stringify({ result, meta }));

    const spliced = Buffer.concat(withCacheFacts(bytes, { status: 'hit', age: 12 })).toString();
    expect(spliced).toBe(JSON.stringify({ result, meta: { ...meta, cache: { status: 'hit', age: 12 } } }));
  });
});

describe('the byte cap', () => {
  const size = Buffer.byteLength('{"result":[{"f0":"a"},{"f0":"b"},{"f0":"c"}]}');

  test.each([
    [size, 3, false],
    [size - 1, 2, true],
    [Buffer.byteLength('{"result":[{"f0":"a"}]}'), 1, true],
    [Buffer.byteLength('{"result":[{"f0":"a"}]}') - 1, 0, true],
    [1, 0, true],
  ])('of %d bytes leaves %d rows, truncated: %s', (maxBytes, rows, truncated) => {
    const encoded = encodeRows(LETTERS, { maxBytes });
    expect(encoded).toMatchObject({ rows, truncated });
    const { result } = JSON.parse(Buffer.from(encoded.bytes).toString()) as { result: readonly unknown[] };
    expect(result).toHaveLength(rows);
  });

  test('keeps the mark of rows that the store has truncated', () => {
    expect(encodeRows({ ...LETTERS, truncated: true })).toMatchObject({ rows: 3, truncated: true });
  });

  test('is never exceeded, and counts bytes, not characters', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary', maxLength: 200 })),
        fc.integer({ min: 16, max: 2000 }),
        fc.constantFrom('json', 'ndjson', 'csv'),
        (texts, maxBytes, format) => {
          const result = { fields: columns(['STRING']), rows: texts.map((text) => [text]) };
          const { bytes, rows, truncated } = encodeRows(result, { maxBytes, format });
          expect(bytes.length).toBeLessThanOrEqual(maxBytes);
          expect(truncated).toBe(rows < texts.length);
        }
      )
    );
  });

  test('does not damage a result much larger than the first buffer', () => {
    const rows = Array.from({ length: 300 }, (_, index) => [`${index} é`.repeat(500)]);
    const text = encodedText({ fields: columns(['STRING']), rows });
    expect((JSON.parse(text) as { result: readonly { f0: string }[] }).result.map(({ f0 }) => [f0])).toEqual(rows);
  });
});

function storeValue(typeName: string, text: string): StoreValue {
  if (text === 'null') return null;
  const list = /^(?:ARRAY|STRUCT)<(.*)>$/.exec(typeName)?.[1];
  if (list !== undefined) return elements(text).map((one, at) => storeValue(list.split(',')[at] ?? list, one));
  if (typeName === 'INT64' || typeName === 'TIMESTAMP' || typeName === 'DATETIME') return BigInt(text);
  if (typeName === 'FLOAT64' || typeName === 'DATE') return Number(text);
  return JSON.parse(text) as JsonValue as StoreValue;
}

/** The elements of a list of scalars, each as its text. */
function elements(list: string): readonly string[] {
  return [...list.slice(1, -1).matchAll(/"(?:[^"\\]|\\.)*"|[^\s,]+/g)].map(([text]) => text);
}
