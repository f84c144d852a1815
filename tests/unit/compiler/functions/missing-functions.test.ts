import { functionNames } from '#compiler/functions/catalog';
import { missingFunction, missingFunctionNames } from '#compiler/functions/missing-functions';

test('no function of the registry is listed as missing', () => {
  const known = new Set(functionNames());
  expect(missingFunctionNames().filter((name) => known.has(name))).toEqual([]);
});

test('hints name functions of the registry or keywords', () => {
  const known = new Set([
    ...functionNames(),
    'EXTRACT',
    'CAST',
    'SAFE_CAST',
    'SAFE_OFFSET',
    'OFFSET',
    'SAFE.NAME',
    'UNNEST',
    'ARRAY',
    'STRUCT',
  ]);
  const named = missingFunctionNames().flatMap((name) => missingFunction(name)?.hint?.match(/[A-Z_.\d]+(?=\()/g) ?? []);
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((name) => !known.has(name.replace(/^SAFE\./, '')))).toEqual([]);
});
