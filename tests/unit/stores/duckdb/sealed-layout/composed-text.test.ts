import fc from 'fast-check';
import type { Composition } from '#compiler/store';
import { findComposition, printComposition } from '#server/stores/duckdb/sealed-layout/composed-text';

type Row = Readonly<Record<string, string | null>>;

const ROWS = 40;

const pause = (): Promise<void> => Promise.resolve();

function find(textOf: (n: number) => string | null, valuesOf: (n: number) => Row): Promise<Composition | null> {
  const rows = Array.from({ length: ROWS }, (_, n) => valuesOf(n));
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const columns = new Map(names.map((name) => [name, rows.map((row) => row[name] ?? null)]));
  return findComposition(
    rows.map((_, n) => textOf(n)),
    columns,
    pause
  );
}

const request = (n: number): Row => ({
  method: n % 2 === 0 ? 'GET' : 'POST',
  status: `${200 + (n % 5)}`,
  length: `${200 + (n % 7)}`,
  url: `https://example.com/${n}`,
  search: n % 3 === 0 ? null : `?n=${n}`,
});
const message = (n: number): string => {
  const { method, status, url, search } = request(n);
  return `${method} | ${status} | ${url}${search ?? ''}`;
};
const COMPOSED = [{ column: 'method' }, ' | ', { column: 'status' }, ' | ', { column: 'url' }, { column: 'search' }];

test('a text is composed of columns and the constants between them, where some rows have no value', async () => {
  expect(await find(message, request)).toEqual(COMPOSED);
});

test('a text is composed of the value of another column', async () => {
  expect(
    await find(
      (n) => `line ${n}`,
      (n) => ({ msg: `line ${n}`, level: 'info' })
    )
  ).toEqual([{ column: 'msg' }]);
});

test('few rows may have other texts, in a row that is tried, too', async () => {
  expect(await find((n) => (n % 11 === 0 ? `other ${n}` : message(n)), request)).toEqual(COMPOSED);
  expect(await find((n) => (n % 5 === 0 ? `other ${n}` : message(n)), request)).toBeNull();
});

test('values within words are no pieces', async () => {
  expect(
    await find(
      (n) => `a${1000 + n}b`,
      (n) => ({ number: `${1000 + n}` })
    )
  ).toBeNull();
});

test('texts that are absent, few, or made of too many columns have no composition', async () => {
  expect(await find((n) => (n === 7 ? null : message(n)), request)).toBeNull();
  expect(
    await find(
      (n) => `kind ${n % 3}`,
      (n) => ({ kind: `kind ${n % 3}` })
    )
  ).toBeNull();
  const many = (n: number): Row => Object.fromEntries(Array.from({ length: 13 }, (_, i) => [`c${i}`, `v${i}x${n}`]));
  expect(await find((n) => Object.values(many(n)).join(' '), many)).toBeNull();
});

test('a composition is printed with quoted names and constants', () => {
  expect(printComposition([{ column: 'metadata.a"b' }, " it's ", { column: 'c' }])).toBe(
    `concat("metadata.a""b", ' it''s ', "c")`
  );
});

const word = fc.string({ unit: 'grapheme', minLength: 0, maxLength: 4 });
const value = fc.option(fc.oneof(word, fc.nat().map(String)));

test('a composition that is found composes nine of ten texts', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(value, value, value, fc.nat()), { minLength: 20, maxLength: 40 }),
      fc.array(fc.oneof(word, fc.constantFrom(0, 1, 2, 3)), { minLength: 1, maxLength: 6 }),
      async (rows, form) => {
        const textOf = (row: (typeof rows)[number]): string =>
          form.map((item) => (typeof item === 'string' ? item : String(row[item] ?? ''))).join('');
        const texts = rows.map(textOf);
        const columns = new Map(
          [0, 1, 2, 3].map((i) => [`c${i}`, rows.map((row) => (row[i] === null ? null : String(row[i])))])
        );
        const found = await findComposition(texts, columns, pause);
        if (found === null) return;
        const composed = rows.map((_, n) =>
          found.map((item) => (typeof item === 'string' ? item : (columns.get(item.column)![n] ?? ''))).join('')
        );
        expect(composed.filter((text, n) => text === texts[n]).length).toBeGreaterThanOrEqual(rows.length * 0.9);
      }
    )
  );
});
