import { columns, encodedText, encodeRows } from '../../../../../support/cases/results';

const RESULT = {
  fields: columns(['INT64', 'STRING']),
  rows: [
    [1n, 'a\nb'],
    [2n, null],
  ],
};

test('each row of NDJSON is one line that ends with a line break', () => {
  expect(encodedText(RESULT, { format: 'ndjson' })).toBe('{"f0":1,"f1":"a\\nb"}\n{"f0":2,"f1":null}\n');
});

test('NDJSON without rows is empty', () => {
  expect(encodedText({ ...RESULT, rows: [] }, { format: 'ndjson' })).toBe('');
});

test('the byte cap leaves whole lines', () => {
  expect(encodeRows(RESULT, { format: 'ndjson', maxBytes: 25 })).toMatchObject({ rows: 1, truncated: true });
});
