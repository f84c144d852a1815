/** YAML texts of definitions: written from JSON, and changed by merge patches. */
import fc from 'fast-check';
import { parse } from 'yaml';
import { ServiceError } from '#contract/errors';
import { formatDefinition, patchDefinition, readDefinition } from '#server/catalog/saved-queries/definition-text';

const ASSIGNED = {
  id: '7d1a9fd0-0000-4000-8000-000000000001',
  revision: 2,
  created_at: '2026-11-22T09:00:00.000Z',
  updated_at: '2026-11-22T10:00:00.000Z',
};

function errorOf(work: () => unknown): ServiceError {
  try {
    work();
  } catch (error) {
    if (error instanceof ServiceError) return error;
  }
  throw new Error('it was accepted');
}

const printable = fc.string({
  unit: fc.constantFrom('a', ' ', '\n', '"', "'", ':', '#', '-', '@', '\t', 'é', '|', '>'),
});
const value = fc.letrec<{ value: unknown; object: Record<string, unknown> }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    printable,
    fc.integer(),
    fc.boolean(),
    fc.array(printable, { maxLength: 3 }),
    tie('object')
  ),
  object: fc.dictionary(fc.constantFrom('a', 'b', 'query', 'name', 'list'), tie('value'), { maxKeys: 4 }),
}));

/** RFC 7396, section 2. */
function mergePatch(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const isObject = typeof target === 'object' && target !== null && !Array.isArray(target);
  const result: Record<string, unknown> = isObject ? { ...(target as Record<string, unknown>) } : {};
  for (const [key, member] of Object.entries(patch))
    if (member === null) delete result[key];
    else result[key] = mergePatch(result[key], member);
  return result;
}

it('JSON that is written as YAML has the same value', () => {
  fc.assert(fc.property(value.object, (given) => expect(parse(formatDefinition(given)) ?? {}).toEqual(given)));
});

it('a patch of the text has the value of a merge patch', () => {
  const patch = fc.dictionary(fc.constantFrom('a', 'b', 'query', 'list'), fc.oneof(value.value, fc.constant(null)));
  fc.assert(
    fc.property(value.object, patch, (given, change) => {
      fc.pre(Object.keys(given).length > 0);
      expect(parse(patchDefinition(formatDefinition(given), change)) ?? {}).toEqual(mergePatch(given, change));
    })
  );
});

it.each([
  ['max_rows: x', /not a text\.$/],
  ['max_rows: x\ntimeout_ms: x', / There is one more problem\.$/],
  ['max_rows: x\ntimeout_ms: x\nmax_bytes: x', / There are 2 more problems\.$/],
])('the message of %j counts the further problems', (fields, end) => {
  const error = errorOf(() => readDefinition(`name: a\nquery: select 1\n${fields}\n`, ASSIGNED));
  expect(error.message).toMatch(end);
});

it('fields that the server assigns are not part of the text', () => {
  const text = formatDefinition({ name: 'a', query: 'SELECT 1', revision: 9, origin: 'api', updated_at: 'x' });
  expect(text).toBe('name: a\nquery: SELECT 1\n');
  expect(readDefinition(text, ASSIGNED).definition).toMatchObject({ ...ASSIGNED, name: 'a' });
});

it.each([
  ['nested too deeply', '['.repeat(100_000)],
  ['maps nested too deeply', 'a: '.repeat(50_000)],
  ['many keys', Array.from({ length: 30_000 }, (_, n) => `k${n}: 1`).join('\n')],
  ['many quotes', '"'.repeat(200_000)],
  ['many tags', '!a '.repeat(80_000)],
  ['an alias bomb', `a: &a [1,1]\nb: &b [*a,*a]\nname: *b\n`],
  ['two documents', 'name: a\n---\nname: b\n'],
  ['tabs', 'name:\ta\n\tquery: x\n'],
  ['a prototype key', '__proto__: { name: a }\nquery: SELECT 1\n'],
  ['a list', '- name: a\n'],
  ['nothing', ''],
  ['a binary text', '\u0001\u0002'],
])('%s is refused with a code', (_title, text) => {
  const error = errorOf(() => readDefinition(text, ASSIGNED));
  expect(error.code).toBe('definition_invalid');
  expect(JSON.stringify(error.details).length).toBeLessThan(10_000);
});

test('a pattern that an earlier version stored is read, and refused in a new text', () => {
  const pattern = '(?:[a-z]{0,999}-){12}';
  const text = formatDefinition({ name: 'a', query: 'select @p as p', parameters: [{ name: 'p', pattern }] });
  expect(readDefinition(text, ASSIGNED, true).definition.parameters[0]?.pattern).toBe(pattern);
  expect(errorOf(() => readDefinition(text, ASSIGNED)).code).toBe('definition_invalid');
});
