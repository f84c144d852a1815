/** SQL for DuckDB of hand-made expressions, run on DuckDB: literals, nested fields of unusual data, chains, bounds. */
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import fc from 'fast-check';
import { duckDb } from '#compiler/print/duckdb/dialect';
import { PrintBudget } from '#compiler/print/expressions/print-budget';
import { printExpression, type PrintContext } from '#compiler/print/expressions/print-expression';
import type { BoundExpr, Expr, LiteralExpr } from '#compiler/ir/expression';
import { Magnitudes } from '#compiler/ir/passes/numbers/magnitude';
import { NO_OPTIONS, type PlainOp } from '#compiler/ir/operations/ops';
import { arrayOf, BOOL, DATE, FLOAT64, INT64, STRING, TIMESTAMP, type Type } from '#compiler/ir/types';

let connection: DuckDBConnection;

beforeAll(async () => {
  const settings = { enable_external_access: 'false', autoload_known_extensions: 'false' };
  connection = await (await DuckDBInstance.create(':memory:', settings)).connect();
  await connection.run("SET TimeZone = 'UTC'");
});

afterAll(() => connection.closeSync());

function context(): PrintContext & { readonly bound: BoundExpr[] } {
  const bound: BoundExpr[] = [];
  return {
    dialect: duckDb,
    budget: new PrintBudget(),
    now: () => BigInt(0),
    bound,
    bind: (expr) => bound.push(expr),
    relationAlias: (id) => `t${id}`,
    columns: () => new Set(),
    rows: [],
    numbers: new Magnitudes(() => undefined),
    isBoundedSum: () => false,
    onMayFail: () => undefined,
    placeOf: () => null,
    printPlan: () => {
      throw new Error('no plan here');
    },
  };
}

const print = (expr: Expr): string => printExpression(expr, context());

async function run(expr: Expr, from = ''): Promise<unknown> {
  const reader = await connection.runAndReadAll(`SELECT ${print(expr)} AS v${from === '' ? '' : ` FROM ${from}`}`);
  return reader.getRowsJson()[0]?.[0];
}

const literal = (type: Type, value: LiteralExpr['value']): Expr => ({ kind: 'literal', type, value });
const call = (fn: PlainOp, args: readonly Expr[], type: Type): Expr => ({
  kind: 'call',
  fn,
  args,
  type,
  options: NO_OPTIONS,
});
const column = (name: string, type: Type): Expr => {
  const position = { offset: 0, end: 0, line: 1, column: 1 };
  return { kind: 'column', relation: 1, name, type, display: name, position };
};

describe('literals', () => {
  it('keep every text unchanged', async () => {
    for (const text of ["'; DROP TABLE t; --", '\\', '""', '$1', 'a\0b', '😀', "\u2028'", '/* */', '']) {
      expect(await run(literal(STRING, text))).toBe(text);
    }
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (text) => {
        expect(await run(literal(STRING, text))).toBe(text);
      }),
      { numRuns: 200 }
    );
  });

  it('keep whole numbers to the last digit', async () => {
    for (const value of [0n, -1n, 2n ** 63n - 1n, -(2n ** 63n), 2147483648n]) {
      expect(await run(literal(INT64, value))).toBe(String(value));
    }
    expect(await run(call('add', [literal(INT64, 2147483647n), literal(INT64, 1n)], INT64))).toBe('2147483648');
  });

  it('keep floating-point numbers to the last bit', async () => {
    await fc.assert(
      fc.asyncProperty(fc.double({ noNaN: true, noDefaultInfinity: true }), async (value) => {
        // Zero has no sign in the dialect.
        expect(await run(literal(FLOAT64, value))).toBe(value + 0);
      }),
      { numRuns: 100 }
    );
  });

  it('have their type, NULL included', () => {
    expect(print(literal(TIMESTAMP, 0n))).toBe("TIMESTAMP '1970-01-01 00:00:00'");
    expect(print(literal(DATE, -1n))).toBe("DATE '1969-12-31'");
    expect(print(literal(arrayOf(INT64), null))).toBe('CAST(NULL AS BIGINT[])');
    expect(print(literal(BOOL, true))).toBe('TRUE');
  });
});

describe('names', () => {
  it('are quoted', () => {
    expect(print(column('a"; DROP TABLE t; --', STRING))).toBe('t1."a""; DROP TABLE t; --"');
  });

  it('of struct fields are distinguished by case and punctuation', async () => {
    const struct = (names: readonly string[]): Expr => ({
      kind: 'struct',
      type: { kind: 'STRUCT', fields: names.map((name) => ({ name, type: INT64 })) },
      fields: names.map((name, index) => ({ name, expr: literal(INT64, BigInt(index)) })),
    });
    expect(await run(struct(['a', 'A', '', 'a"b']))).toEqual({ a: '0', A_1: '1', _field_3: '2', 'a"b': '3' });
    const field: Expr = { kind: 'struct-field', base: struct(['a', 'A']), field: 'A', index: 1, type: INT64 };
    expect(await run(field)).toBe('1');
  });
});

describe('bound values', () => {
  it('carry their type', () => {
    const ctx = context();
    const bound: BoundExpr = {
      kind: 'bound',
      key: '@p',
      type: INT64,
      value: { type: 'INT64', value: 1n },
      failure: null,
    };
    expect(printExpression(bound, ctx)).toBe('CAST($1 AS BIGINT)');
    expect(ctx.bound).toEqual([bound]);
  });

  it('that could not be converted fail only when they are printed', () => {
    const failure = new Error('parameter "p": "x" is not a whole number');
    const bound: BoundExpr = { kind: 'bound', key: '@p', type: INT64, value: { type: 'INT64', value: null }, failure };
    expect(() => print(bound)).toThrow(failure);
  });
});

describe('a nested field of JSON text', () => {
  const odd = JSON.stringify({
    s: 'text',
    n: 12,
    f: 12.5,
    e: 1e30,
    b: true,
    z: null,
    o: { k: 'v', 'a/b~c': 1 },
    one: [{ k: 'v' }],
    two: [{ k: 1 }, { k: 2 }],
    l: ['x', 1, null, { a: 1 }, true],
    'a/b': 1,
    'c~d': 2,
    '*': 3,
    '': 4,
    "q'q": 5,
    'd"d': 6,
    $: 7,
  });
  const field = (path: readonly string[], type: Type): Promise<unknown> =>
    run({ kind: 'json-field', base: literal(STRING, odd), path, type });
  const record: Type = { kind: 'RECORD', shape: { fields: new Map() } };

  it.each<[string, Type, unknown]>([
    ['s', STRING, 'text'],
    ['n', STRING, '12'],
    ['z', STRING, null],
    ['o', STRING, '{"k":"v","a/b~c":1}'],
    ['missing', STRING, null],
    ['n', INT64, '12'],
    ['f', INT64, null],
    ['e', INT64, null],
    ['s', INT64, null],
    ['b', INT64, null],
    ['o', INT64, null],
    ['f', FLOAT64, 12.5],
    ['n', FLOAT64, 12],
    ['e', FLOAT64, 1e30],
    ['s', FLOAT64, null],
    ['b', BOOL, true],
    ['n', BOOL, null],
    ['s', BOOL, null],
    ['a/b', INT64, '1'],
    ['c~d', INT64, '2'],
    ['*', INT64, '3'],
    ['', INT64, '4'],
    ["q'q", INT64, '5'],
    ['d"d', INT64, '6'],
    ['$', INT64, '7'],
    ['l', arrayOf(STRING), ['x', '1', null, '{"a":1}', 'true']],
    ['l', arrayOf(INT64), [null, '1', null, null, null]],
    ['l', arrayOf(BOOL), [null, null, null, null, true]],
    ['s', arrayOf(STRING), null],
    ['o', record, '{"k":"v","a/b~c":1}'],
    ['one', record, '{"k":"v"}'],
    ['two', record, null],
    ['s', record, null],
    ['missing', record, null],
    ['two', arrayOf(record), ['{"k":1}', '{"k":2}']],
    ['l', arrayOf(record), [null, null, null, '{"a":1}', null]],
    ['o', arrayOf(record), ['{"k":"v","a/b~c":1}']],
    ['n', arrayOf(record), null],
  ])('%j is read as %o', async (key, type, expected) => {
    expect(await field([key], type)).toEqual(expected);
  });

  it('is reached through several keys', async () => {
    expect(await field(['o', 'a/b~c'], INT64)).toBe('1');
    expect(await field(['o', 'k', 'x'], STRING)).toBeNull();
  });

  it('never fails, for any text', async () => {
    const types = [STRING, INT64, FLOAT64, BOOL, arrayOf(STRING), arrayOf(INT64), record, arrayOf(record)];
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.json(), fc.string()),
        fc.string({ unit: 'binary', maxLength: 8 }),
        fc.constantFrom(...types),
        async (text, key, type) => {
          await run({ kind: 'json-field', base: literal(STRING, text), path: [key], type });
        }
      ),
      { numRuns: 200 }
    );
  });
});

describe('long and deep expressions', () => {
  const comparison = call('ne', [column('i', INT64), literal(INT64, -1n)], BOOL);

  it('join thousands of conditions', async () => {
    const all = call(
      'and',
      Array.from({ length: 5000 }, () => comparison),
      BOOL
    );
    expect(await run(all, 'range(1) t1(i)')).toBe(true);
  });

  it('join thousands of texts', async () => {
    const all = call(
      'concat',
      Array.from({ length: 5000 }, () => literal(STRING, 'a')),
      STRING
    );
    expect(await run(call('length', [all], INT64))).toBe('5000');
  });

  it('are refused when they are too deep for a store', () => {
    let deep: Expr = literal(INT64, 1n);
    for (let n = 0; n < 5000; n += 1) deep = call('neg', [deep], INT64);
    expect(() => print(deep)).toThrow('an expression is nested more than 150 levels deep');
  });

  it('are refused when repeated parts make them large', () => {
    let shared: Expr = literal(INT64, 1n);
    for (let n = 0; n < 40; n += 1) shared = call('add', [shared, shared], INT64);
    expect(() => print(shared)).toThrow('the query is too large once its expressions are written out');
  });

  it('grow by addition where an operand is needed more than once', () => {
    const size = (depth: number): number => {
      let expr: Expr = column('s', STRING);
      for (let n = 0; n < depth; n += 1) {
        expr = {
          kind: 'call',
          fn: 'regexp_extract',
          args: [expr, literal(STRING, 'a')],
          type: STRING,
          options: { group: 0 },
        };
      }
      return print(expr).length;
    };
    expect(size(20) - size(10)).toBe(size(30) - size(20));
  });
});

test('a function that is not in the dialect is an internal error, not SQL', () => {
  expect(() => print(call('read_text' as PlainOp, [literal(STRING, '/etc/passwd')], STRING))).toThrow(
    'The dialect cannot print "read_text"'
  );
  expect(() => print(call('constructor' as PlainOp, [], STRING))).toThrow('The dialect cannot print "constructor"');
});
