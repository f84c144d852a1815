/** LIKE and ILIKE against a matcher that tries every place, and patterns that make many matchers try them all. */
import fc from 'fast-check';
import { firstRow, openFixtureStore } from '../support/cases/sql/queries';
import { type OpenStore, STORE_UNDER_TEST } from '../support/stores/current';

let fixture: OpenStore;
beforeAll(async () => {
  fixture = await openFixtureStore();
}, 60_000);
afterAll(() => fixture.close());

const ask = (sql: string, parameters: Readonly<Record<string, string>> = {}): Promise<unknown> =>
  firstRow(fixture.store, sql, parameters);

/** Whether the characters match the elements; an element of two characters is an escaped one. */
function isLike([first, ...others]: readonly string[], [element, ...rest]: readonly string[]): boolean {
  if (element === undefined) return first === undefined;
  if (element === '%')
    return isLike([first ?? [], ...others].flat(), rest) || (first !== undefined && isLike(others, ['%', ...rest]));
  if (first === undefined) return false;
  return (element === '_' || [...element].at(-1) === first) && isLike(others, rest);
}

const characters = ['a', 'b', 'A', 'ß', '😀', '.', '(', '[', '\\', '^', '$', '\n', '%', '_', '-', ' ', '|'];
const escaped = characters.map((each) => `\\${each}`);
const texts = fc.array(fc.constantFrom(...characters), { minLength: 1, maxLength: 8 });
const elements = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('%', '_') },
    { weight: 2, arbitrary: fc.constantFrom(...characters.filter((each) => each !== '\\')) },
    { weight: 1, arbitrary: fc.constantFrom(...escaped) }
  ),
  { minLength: 1, maxLength: 7 }
);

test('every pattern matches what it says, as a constant and as a value of a row', async () => {
  const small = (each: readonly string[]): readonly string[] => each.map((one) => one.toLowerCase());
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(texts, elements), { minLength: 24, maxLength: 24 }), async (pairs) => {
      const values = pairs.flatMap(([text, pattern], n) => [
        [`t${n}`, text.join('')],
        [`p${n}`, pattern.join('')],
      ]);
      const rows = pairs.map((_, n) => `struct(${n} as n, @t${n} as t, @p${n} as p)`).join(', ');
      const known = (operator: string): string => pairs.map((_, n) => `@t${n} ${operator} @p${n}`).join(', ');
      const found = await ask(
        `select [${known('like')}] as known, [${known('ilike')}] as knownAnyCase,
          array(select t like p from unnest([${rows}]) order by n) as read,
          array(select t ilike p from unnest([${rows}]) order by n) as readAnyCase`,
        Object.fromEntries(values)
      );
      const expected = pairs.map(([text, pattern]) => isLike(text, pattern));
      const anyCase = pairs.map(([text, pattern]) => isLike(small(text), small(pattern)));
      expect(found).toEqual({ known: expected, knownAnyCase: anyCase, read: expected, readAnyCase: anyCase });
    }),
    { numRuns: 15 }
  );
});

test('many patterns of one text match what each of them says', async () => {
  const many = fc.tuple(
    fc.array(texts, { minLength: 8, maxLength: 8 }),
    fc.array(elements, { minLength: 12, maxLength: 12 })
  );
  const endings = [['b', '\n'], ['\n']];
  await fc.assert(
    fc.asyncProperty(many, async ([rows, patterns]) => {
      const all = [...rows, ...endings];
      const values = [
        ...all.map((text, n) => [`t${n}`, text.join('')]),
        ...patterns.map((pattern, n) => [`p${n}`, pattern.join('')]),
      ];
      const names = (name: string, { length }: { readonly length: number }): string =>
        Array.from({ length }, (_, n) => `@${name}${n}`).join(', ');
      const found = await ask(
        `select array_agg(x order by n) as x from (
          select n, t like any (${names('p', patterns)}) as x
          from unnest([${names('t', all)}]) as t with offset as n)`,
        Object.fromEntries(values)
      );
      expect(found).toEqual({ x: all.map((text) => patterns.some((pattern) => isLike(text, pattern))) });
    }),
    { numRuns: 20, examples: [[[Array(8).fill(['x']), [...Array(11).fill(['z']), ['%', 'b']]]]] }
  );
});

const TEXT = "repeat('a', 400)";
const SLOW: Readonly<Record<string, string>> = {
  'any character': `like '${'%a_'.repeat(40)}b'`,
  'an escape': `like '${'%\\\\a'.repeat(40)}b'`,
  'letters of any case': `ilike '${'%aA'.repeat(40)}b'`,
  'a pattern of the row': "like concat(repeat('%a', 40), 'b')",
  'a pattern of the row, any character': "like concat(repeat('%a_', 40), 'b')",
};

test.each(Object.entries(SLOW))('a pattern that many matchers go back in, with %s', async (_, condition) => {
  const sql = `select t ${condition} as x from unnest([${TEXT}, @t]) as t limit 1`;
  expect(await ask(sql, { t: 'a'.repeat(400) })).toEqual({ x: false });
});

test('a regular expression whose . is any character takes linear time, too', async () => {
  const sql = `select regexp_contains(t, '(?s)${'a..*'.repeat(40)}b') as x from unnest([@t]) as t`;
  expect(await ask(sql, { t: 'a'.repeat(400) })).toEqual({ x: false });
});

test('DuckDB takes a slow pattern of as many bytes as a regular expression at most', async () => {
  const asked = ask(`select t like '${'%a_'.repeat(400)}b' as x from unnest([@t]) as t`, { t: 'a' });
  await (STORE_UNDER_TEST === 'clickhouse'
    ? expect(asked).resolves.toEqual({ x: false })
    : expect(asked).rejects.toMatchObject({ code: 'resource_limit', details: { reason: 'slow_pattern' } }));
});
