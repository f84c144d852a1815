import fc from 'fast-check';
import { JsonPathError, type JsonPathStep, parseJsonPath } from '#compiler/functions/json/json-path';

test.each([
  ['$', []],
  ['$.a', ['a']],
  ['$.a.b[0]', ['a', 'b', 0]],
  ['$["a b"]', ['a b']],
  ["$['a.b']", ['a.b']],
  ['$."a-b".c', ['a-b', 'c']],
  ['$[ 7 ]', [7]],
  ['$.user-id', ['user-id']],
  ['$.é', ['é']],
])('%s is a valid JSON path', (path, steps) => {
  expect(parseJsonPath(path)).toEqual(steps);
});

test.each([
  '',
  'a',
  '.a',
  '$.',
  '$..a',
  '$.*',
  '$[*]',
  '$["*"]',
  '$["a"b"]',
  '$["a\\"]',
  '$[-1]',
  '$[1:2]',
  '$[',
  '$"a"',
  '$ .a',
  '$.a ',
  '$[1234567]',
  "$['it''s']",
])('the JSON path %j is refused', (path) => {
  expect(() => parseJsonPath(path)).toThrow(JsonPathError);
});

/** A path with every key in brackets. */
const printJsonPath = (steps: readonly JsonPathStep[]): string =>
  `$${steps.map((step) => (typeof step === 'number' ? `[${step}]` : `["${step}"]`)).join('')}`;

test('a JSON path that is read and printed reads as the same path', () => {
  const key = fc.string({ minLength: 1 }).filter((k) => !/["\\*]/.test(k));
  fc.assert(
    fc.property(fc.array(fc.oneof(key, fc.nat(999_999)), { maxLength: 32 }), (steps) => {
      expect(parseJsonPath(printJsonPath(steps))).toEqual(steps);
    })
  );
});
