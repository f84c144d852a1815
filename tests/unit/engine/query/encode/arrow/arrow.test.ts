import { tableFromIPC } from 'apache-arrow';
import fc from 'fast-check';
import type { OutputType } from '#compiler/output/compiled-query';
import type { StoreValue } from '#server/stores/store-value';
import { recordJson } from '#server/engine/query/encode/json/record-text';
import { anyResult } from '../../../../../support/arbitrary/result';
import { columns, encodeRows, type TestResult } from '../../../../../support/cases/results';

const read = (result: TestResult, maxBytes = 8_388_608) =>
  tableFromIPC(encodeRows(result, { format: 'arrow', maxBytes }).bytes);

test('each logical type has its Arrow type, also without rows', () => {
  const types = [
    'STRING',
    'INT64',
    'FLOAT64',
    'BOOL',
    'TIMESTAMP',
    'DATETIME',
    'DATE',
    'SINGLE',
    'ARRAY<INT64>',
    'STRUCT<STRING,ARRAY<DATE>>',
    'BYTES',
    'TIME',
    'INTERVAL',
  ];
  const table = read({ fields: columns(types), rows: [] });
  expect(table.numRows).toBe(0);
  expect(table.schema.fields.map(({ name, type, nullable }) => [name, String(type), nullable])).toEqual([
    ['f0', 'Utf8', true],
    ['f1', 'Int64', true],
    ['f2', 'Float64', true],
    ['f3', 'Bool', true],
    ['f4', 'Timestamp<MICROSECOND, UTC>', true],
    ['f5', 'Timestamp<MICROSECOND>', true],
    ['f6', 'Date32<DAY>', true],
    ['f7', 'Utf8', true],
    ['f8', 'List<Int64>', true],
    ['f9', 'Struct<{f0:Utf8, f1:List<Date32<DAY>>}>', true],
    ['f10', 'Binary', true],
    ['f11', 'Utf8', true],
    ['f12', 'Utf8', true],
  ]);
});

test('each value is read back with all its digits', () => {
  fc.assert(
    fc.property(anyResult, (result) => {
      const table = read(result);
      expect(table.numRows).toBe(result.rows.length);
      result.fields.forEach(({ type }, index) => {
        const vector = table.getChildAt(index);
        const values = result.rows.map((_, row) => plain(vector?.get(row), type));
        expect(values).toEqual(result.rows.map((row) => expected(row[index] as StoreValue, type)));
      });
    }),
    { numRuns: 200 }
  );
});

test('times keep their microseconds in memory', () => {
  const table = read({ fields: columns(['TIMESTAMP', 'DATE']), rows: [[1772352000123456n, 20513]] });
  expect(table.getChildAt(0)?.data[0]?.values[0]).toBe(1772352000123456n);
  expect(table.getChildAt(1)?.data[0]?.values[0]).toBe(20513);
});

test('infinite times are null', () => {
  const table = read({ fields: columns(['TIMESTAMP']), rows: [[9223372036854775807n], [-9223372036854775807n], [0n]] });
  expect(table.getChildAt(0)?.nullCount).toBe(2);
});

test('the byte cap leaves fewer rows', () => {
  const rows = Array.from({ length: 1000 }, (_, index) => ['x'.repeat(index)]);
  const result = { fields: columns(['STRING']), rows };
  const encoded = encodeRows(result, { format: 'arrow', maxBytes: 100_000 });
  expect(encoded.truncated).toBe(true);
  expect(encoded.bytes.length).toBeLessThanOrEqual(100_000);
  expect(encoded.rows).toBeGreaterThan(100);
  expect(tableFromIPC(encoded.bytes).numRows).toBe(encoded.rows);
});

/** Times are compared as the reader of this library gives them: milliseconds with a fraction. */
function expected(value: StoreValue, type: OutputType): unknown {
  if (type.kind === 'RECORD_TEXT') {
    const json = recordJson(value as string | null, type.single);
    return json === 'null' ? null : wellFormed(json);
  }
  if (value === null) return null;
  switch (type.kind) {
    case 'STRING':
      return wellFormed(value as string);
    case 'TIMESTAMP':
    case 'DATETIME':
      return Number((value as bigint) / 1000n) + Number((value as bigint) % 1000n) / 1000;
    case 'DATE':
      return (value as number) * 86_400_000;
    case 'ARRAY':
      return (value as readonly StoreValue[]).map((one) => expected(one, type.element));
    case 'STRUCT':
      return type.fields.map((field, index) => expected((value as readonly StoreValue[])[index] ?? null, field.type));
    default:
      return value;
  }
}

function plain(value: unknown, type: OutputType): unknown {
  if (value === null || value === undefined) return null;
  switch (type.kind) {
    case 'BYTES':
      return Buffer.from(value as Uint8Array).toString('base64');
    case 'TIMESTAMP':
    case 'DATETIME':
    case 'DATE':
      return Number(value);
    case 'ARRAY':
      return Array.from(value as Iterable<unknown>, (one) => plain(one, type.element));
    case 'STRUCT': {
      const values = [...(value as Iterable<readonly [string, unknown]>)].map(([, one]) => one);
      return type.fields.map((field, index) => plain(values[index], field.type));
    }
    default:
      return value;
  }
}

/** UTF-8 has no lone surrogates. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}
