import { FUNCTION_FAMILIES, functionNames, lookupFunction } from '#compiler/functions/catalog';

const all = FUNCTION_FAMILIES.flatMap(({ functions }) => functions);

test('each name belongs to one function', () => {
  const names = all.flatMap(({ names: own }) => own);
  expect(new Set(names).size).toBe(names.length);
  expect(functionNames()).toEqual(names);
});

test('every function is found by its name, and no other name is found', () => {
  for (const name of functionNames()) expect(lookupFunction(name)?.names).toContain(name);
  for (const name of ['', 'lower', 'READ_TEXT', 'constructor', '__proto__', 'toString']) {
    expect(lookupFunction(name)).toBeUndefined();
  }
});

test.each(all.map((spec) => [spec.names[0], spec] as const))('%s has a syntax and a result type', (_, spec) => {
  expect(spec.usage).toMatch(new RegExp(`(^|\\b)${spec.names[0]}\\(`));
  expect(spec.summary).toMatch(/^\S.*\.$/s);
  for (const name of spec.names) expect(name).toMatch(/^(?:NET\.)?[A-Z][A-Z0-9_]*$/);
});

test('functions with SAFE. return NULL where they would fail on a value', () => {
  const safe = all.filter((spec) => spec.safe === true).flatMap(({ names }) => names);
  expect(safe).toEqual([
    'TIMESTAMP_TRUNC',
    'TIMESTAMP_ADD',
    'TIMESTAMP_SUB',
    'DATETIME_TRUNC',
    'DATETIME_ADD',
    'DATETIME_SUB',
    'DATE_TRUNC',
    'DATE_ADD',
    'DATE_SUB',
    'TIMESTAMP_BUCKET',
    'DATETIME_BUCKET',
    'DATE_BUCKET',
    'LAST_DAY',
    'TIMESTAMP',
    'DATETIME',
    'DATE',
    'STRING',
    'PARSE_TIMESTAMP',
    'PARSE_DATETIME',
    'PARSE_DATE',
    'TIMESTAMP_SECONDS',
    'TIMESTAMP_MILLIS',
    'TIMESTAMP_MICROS',
    'DATE_FROM_UNIX_DATE',
    'SUBSTR',
    'SUBSTRING',
    'LEFT',
    'RIGHT',
    'SQRT',
    'POWER',
    'POW',
    'EXP',
    'LN',
    'LOG10',
    'PARSE_JSON',
    'BOOL',
    'INT64',
    'FLOAT64',
  ]);
});
