import fc from 'fast-check';
import { readFlatJson } from '#server/http/parsing/flat-json';
import { parseQueryString } from '#server/http/parsing/query-string';
import { parseWeightedList } from '#server/http/parsing/negotiation/weighted-list';

const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0') && !/\p{Surrogate}/u.test(value));

it('what URLSearchParams writes is read back, in order', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text)), (pairs) => {
      const written = new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value])).toString();
      expect(parseQueryString(`/path?${written}`)).toEqual(pairs);
    })
  );
});

it.each([
  ['/path', []],
  ['/path?', []],
  ['/path?&&', []],
  ['/path?%EF%BB%BFa=%EF%BB%BFb', [['\ufeffa', '\ufeffb']]],
  ['/path?a', [['a', '']]],
  ['/path?a=b=c', [['a', 'b=c']]],
  ['/path?=b', [['', 'b']]],
  ['/path?a=?', [['a', '?']]],
  ['/path?a%3Db=c', [['a=b', 'c']]],
  ['/path?\u00c3\u00a9=1', [['é', '1']]],
  ['/path?__proto__=1', [['__proto__', '1']]],
])('%s is read literally', (target, expected) => {
  expect(parseQueryString(target)).toEqual(expected);
});

it('a JSON body is read as JSON.parse reads it', () => {
  const scalar = fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer(), fc.boolean());
  fc.assert(
    fc.property(fc.dictionary(text, scalar, { noNullPrototype: true }), fc.constantFrom(0, 2), (value, indent) => {
      const written = JSON.stringify({ params: value }, null, indent);
      const [entry] = readFlatJson(written, 'params');
      const parsed = JSON.parse(written) as { params: Record<string, unknown> };
      expect(entry![1]).toEqual(
        Object.entries(parsed.params).map(([name, item]) => [
          name,
          {
            type: typeof item === 'string' ? 'text' : typeof item,
            text: typeof item === 'number' ? JSON.stringify(item) : String(item),
          },
        ])
      );
    })
  );
});

it('a body that JSON.parse refuses is refused, and fails in no other way', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\{[{}":,a1.e\\\-+ tnul]{0,12}\}?$/), (written) => {
      let isJson = true;
      try {
        JSON.parse(written);
      } catch {
        isJson = false;
      }
      const read = () => readFlatJson(written, 'params');
      if (isJson) expect(() => tolerate(read)).not.toThrow();
      else expect(read).toThrow(/JSON object|must be text/);
    }),
    { numRuns: 2000 }
  );
});

/** Valid JSON may hold what a call must not. */
function tolerate(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    if (!/must be text/.test((error as Error).message)) throw error;
  }
}

it('a weighted list keeps quoted commas together and drops invalid parts', () => {
  const items = parseWeightedList('text/csv; header="a,b;c";q=0.5, , ;q=1, b;q=2, C;Q=0.25');
  expect(items.map(({ value, q }) => [value, q])).toEqual([
    ['text/csv', 0.5],
    ['c', 0.25],
  ]);
  expect(items[0]!.parameters.get('header')).toBe('a,b;c');
});

it('a weighted list has the first hundred items of a header', () => {
  const items = parseWeightedList(Array.from({ length: 3000 }, (_, n) => `a/${n}`).join());
  expect([items.length, items.at(-1)?.value]).toEqual([100, 'a/99']);
});

it('a flat body has at most a thousand names in an object', () => {
  const named = (count: number): string =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [`a${n}`, ''])));
  const bodyOf = (count: number): string => `{"params":${named(count)},"sql":""}`;
  expect(readFlatJson(bodyOf(1000), 'params')).toHaveLength(2);
  for (const body of [bodyOf(1001), named(1001)])
    expect(() => readFlatJson(body, 'params')).toThrow(expect.objectContaining({ code: 'body_invalid' }));
});
