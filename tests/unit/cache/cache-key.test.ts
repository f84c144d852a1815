import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { RESULT_FORMATS } from '#contract/queries/query';
import { cacheKey, type QueryKeyInput } from '#server/cache/cache-key';
import { QUERY_REQUEST } from '../../support/fakes/query-cache';

/** Texts with the separators of a badly built key. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.constantFrom('', ',', '","', '=', '&', 'null', '\0', '\ud800')
);
const name = fc.oneof(fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,3}$/), fc.constantFrom('__proto__', 'constructor'));

const queryRequest: fc.Arbitrary<QueryKeyInput> = fc.record({
  endpointId: fc.constantFrom('a', 'b'),
  revision: fc.integer({ min: 1, max: 3 }),
  definition: fc.constantFrom('d1', 'd2'),
  parameters: fc
    .uniqueArray(fc.tuple(name, fc.option(text)), { maxLength: 3, selector: ([key]) => key })
    .map((entries) => Object.fromEntries(entries)),
  adhoc: fc.option(fc.record({ language: fc.constant('sql' as const), text })),
  tenant: fc.option(text),
  format: fc.constantFrom(...RESULT_FORMATS),
  timestamps: fc.constantFrom('native' as const, 'rfc3339' as const),
  meta: fc.boolean(),
  redact: fc.boolean(),
  maxRows: fc.integer({ min: 1, max: 3 }),
  maxBytes: fc.integer({ min: 1, max: 3 }),
  timeoutMs: fc.integer({ min: 1, max: 3 }),
});

const parts = (value: QueryKeyInput): unknown => [{ ...value, parameters: null }, Object.entries(value.parameters)];

it('two requests have the same cache key only when all their parts are equal', () => {
  fc.assert(
    fc.property(queryRequest, queryRequest, (a, b) => {
      expect(cacheKey(a) === cacheKey(b)).toBe(isDeepStrictEqual(parts(a), parts(b)));
    }),
    { numRuns: 2000 }
  );
});

it('the order in which the parts of a request are written does not change its cache key', () => {
  fc.assert(
    fc.property(queryRequest, (value) => {
      const turned = Object.fromEntries(Object.entries(value).reverse()) as unknown as QueryKeyInput;
      expect(cacheKey(turned)).toBe(cacheKey(structuredClone(value)));
      expect(cacheKey(turned)).toBe(cacheKey(value));
    })
  );
});

it.each<[string, Partial<QueryKeyInput>]>([
  ['another saved query', { endpointId: '7d1a9fd0-0000-4000-8000-000000000002' }],
  ['another revision', { revision: 2 }],
  ['another definition of the same revision', { definition: 'd2' }],
  ['another value', { parameters: { interval: 'daily', project: 'abcd' } }],
  ['another letter case of a value', { parameters: { interval: 'daily', project: 'ABC' } }],
  ['a blank more', { parameters: { interval: 'daily', project: 'abc ' } }],
  ['no value', { parameters: { interval: 'daily', project: null } }],
  ['the word null', { parameters: { interval: 'daily', project: 'null' } }],
  ['values that change places', { parameters: { interval: 'abc', project: 'daily' } }],
  ['text that looks like two parameters', { parameters: { interval: 'daily","project","abc', project: 'abc' } }],
  ['ad-hoc text', { adhoc: { language: 'sql', text: 'select 1' } }],
  ['a tenant', { tenant: 'acme' }],
  ['the empty tenant', { tenant: '' }],
  ['another format', { format: 'csv' }],
  ['other timestamps', { timestamps: 'rfc3339' }],
  ['facts in the body', { meta: true }],
  ['redaction', { redact: true }],
  ['a lower row cap', { maxRows: 5 }],
  ['a part that is not known today', { policy: 'strict' } as object],
])('a request with %s has another cache key', (_what, change) => {
  expect(cacheKey({ ...QUERY_REQUEST, ...change })).not.toBe(cacheKey(QUERY_REQUEST));
});

it('different ad-hoc texts of one query have different cache keys', () => {
  const key = (sql: string) => cacheKey({ ...QUERY_REQUEST, adhoc: { language: 'sql', text: sql } });
  const texts = [
    "select 'a'",
    "select 'A'",
    'select "a"',
    "select 'a' ",
    "select  'a'",
    "select 'a' -- b",
    "select 'a'\n-- b",
  ];
  expect(new Set(texts.map(key)).size).toBe(texts.length);
});
