/** @slow 10 */
import fc from 'fast-check';
import type { StoreValue } from '#server/stores/store-value';
import { columns, encodedText, encodeRows } from '../../../../support/cases/results';

function csv(types: readonly string[], rows: readonly (readonly StoreValue[])[], timestamps?: 'rfc3339'): string {
  return encodedText({ fields: columns(types), rows }, { format: 'csv', ...(timestamps && { timestamps }) });
}

test('CSV has a header line, then a line per row, each ending with CRLF', () => {
  expect(csv(['INT64', 'BOOL', 'FLOAT64'], [[1n, true, 0.5]])).toBe('f0,f1,f2\r\n1,true,0.5\r\n');
});

test('CSV without rows is the header alone', () => {
  expect(csv(['INT64', 'STRING'], [])).toBe('f0,f1\r\n');
});

test.each([
  ['a comma', 'a,b', '"a,b"'],
  ['a quote', 'say "hi"', '"say ""hi"""'],
  ['a line end', 'a\r\nb', '"a\r\nb"'],
  ['blanks at its ends', ' a ', ' a '],
  ['nothing', '', '""'],
  ['what a spreadsheet takes for a formula', '=1+1', '=1+1'],
])('text with %s', (_, text, field) => {
  expect(csv(['STRING', 'INT64'], [[text, 1n]])).toBe(`f0,f1\r\n${field},1\r\n`);
});

test.each([
  ['INT64', 9223372036854775807n, '9223372036854775807', '9223372036854775807'],
  ['FLOAT64', NaN, '', ''],
  ['TIMESTAMP', 1772352000123456n, '1772352000123456', '2026-03-01T08:00:00.123456Z'],
  ['TIMESTAMP', 9223372036854775807n, '', ''],
  ['DATETIME', 1772352000000000n, '2026-03-01T08:00:00', '2026-03-01T08:00:00Z'],
  ['DATE', 20513, '2026-03-01', '2026-03-01'],
  ['SINGLE', '{"a":{"b":1}}', '"[{""a"":[{""b"":1}]}]"', '"[{""a"":[{""b"":1}]}]"'],
  ['SINGLE', null, '[]', '[]'],
  ['RECORD', null, '', ''],
  ['ARRAY<INT64>', [1n, 2n], '"[1,2]"', '"[1,2]"'],
  ['STRUCT<STRING>', ['x'], '"{""f0"":""x""}"', '"{""f0"":""x""}"'],
  ['STRING', null, '', ''],
])('%s %p', (type, value, native, rfc3339) => {
  expect(csv([type, 'INT64'], [[value, 1n]])).toBe(`f0,f1\r\n${native},1\r\n`);
  expect(csv([type, 'INT64'], [[value, 1n]], 'rfc3339')).toBe(`f0,f1\r\n${rfc3339},1\r\n`);
});

test('a null of a result with one column is not a blank line, which readers skip', () => {
  expect(csv(['INT64'], [[null], [1n]])).toBe('f0\r\n""\r\n1\r\n');
});

test('column names are escaped like texts', () => {
  const field = { name: 'a,"b"', type: { kind: 'INT64' }, typeName: 'INT64' } as const;
  expect(encodedText({ fields: [field], rows: [] }, { format: 'csv' })).toBe('"a,""b"""\r\n');
});

test('the byte cap leaves whole lines', () => {
  const result = { fields: columns(['STRING']), rows: [['a'], ['b']] };
  expect(encodeRows(result, { format: 'csv', maxBytes: 7 })).toMatchObject({ rows: 1, truncated: true });
});

test('any text is read back by the rules of RFC 4180', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string({ unit: 'binary' }), fc.string()), { minLength: 1 }), (rows) => {
      const wellFormed = rows.map((row) => row.map((text) => Buffer.from(text).toString()));
      expect(parseCsv(csv(['STRING', 'STRING'], rows)).slice(1)).toEqual(wellFormed);
    })
  );
});

function parseCsv(text: string): readonly (readonly string[])[] {
  const records: string[][] = [[]];
  const field = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n|$)/gy;
  for (let match = field.exec(text); match && field.lastIndex <= text.length; match = field.exec(text)) {
    if (match[0] === '') break;
    const [, raw = '', end] = match;
    records.at(-1)?.push(raw.startsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw);
    if (end === '\r\n') records.push([]);
  }
  return records.slice(0, -1);
}
