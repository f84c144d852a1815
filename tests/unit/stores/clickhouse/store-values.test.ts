import type { OutputType } from '#compiler/output/compiled-query';
import { valueReader } from '#server/stores/clickhouse/read/store-values';

const list: OutputType = { kind: 'ARRAY', element: { kind: 'INT64' } };
const struct: OutputType = {
  kind: 'STRUCT',
  fields: [
    { name: 'a', type: { kind: 'STRING' }, typeName: 'STRING' },
    { name: 'b', type: list, typeName: 'ARRAY<INT64>' },
  ],
};

it.each<[OutputType, unknown, unknown]>([
  [{ kind: 'STRING' }, 'a', 'a'],
  [{ kind: 'STRING' }, null, null],
  [{ kind: 'INT64' }, '-9223372036854775808', -9223372036854775808n],
  [{ kind: 'INT64' }, 5, 5n],
  [{ kind: 'FLOAT64' }, 1.5, 1.5],
  [{ kind: 'FLOAT64' }, 'nan', NaN],
  [{ kind: 'FLOAT64' }, '-inf', -Infinity],
  [{ kind: 'BOOL' }, true, true],
  [{ kind: 'TIMESTAMP' }, '2026-11-20 12:00:00.000001', BigInt(Date.UTC(2026, 10, 20, 12)) * 1000n + 1n],
  [{ kind: 'TIMESTAMP' }, '1969-12-31 23:59:59.999999', -1n],
  [{ kind: 'DATETIME' }, '1970-01-01 00:00:01', 1_000_000n],
  [{ kind: 'DATE' }, '1970-01-03', 2],
  [{ kind: 'DATE' }, '1969-12-31', -1],
  [list, [['1', null]], [1n, null]],
  [struct, ['x', [['2']]], ['x', [2n]]],
])('a column of type %j reads %j', (type, value, expected) => {
  expect(valueReader(type)(value)).toEqual(expected);
});

it.each<[OutputType, unknown]>([
  [{ kind: 'STRING' }, 5],
  [{ kind: 'INT64' }, '5.5'],
  [{ kind: 'INT64' }, 2 ** 60],
  [{ kind: 'FLOAT64' }, 'much'],
  [{ kind: 'BOOL' }, 1],
  [{ kind: 'TIMESTAMP' }, 'soon'],
  [{ kind: 'DATE' }, '2026-13-01'],
  [list, '[]'],
  [struct, ['x']],
])('a column of type %j refuses the value %j', (type, value) => {
  expect(() => valueReader(type)(value)).toThrow('not of the expected type');
});
