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

test('SAFE. is refused only where a store fails on its own', () => {
  const refused = all.filter((spec) => spec.safe === false).flatMap(({ names }) => names);
  expect(refused).toEqual([
    'APPROX_QUANTILES',
    'PERCENTILE_CONT',
    'PERCENTILE_DISC',
    'APPROX_TOP_COUNT',
    'APPROX_TOP_SUM',
    'CORR',
    'COVAR_POP',
    'COVAR_SAMP',
    'GROUPING',
  ]);
});
