import fc from 'fast-check';
import { DuckDBInstance } from '@duckdb/node-api';
import { addGrams, gramBitmap, gramsOf } from '#server/stores/duckdb/search/grams';

const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      'a',
      'A',
      'k',
      'K',
      '\u212a',
      's',
      'ſ',
      'i',
      'İ',
      'ı',
      'ß',
      'ς',
      'Σ',
      'é',
      '€',
      '😀',
      '\u0000',
      '\n'
    ),
    fc.string({ minLength: 1, maxLength: 1, unit: 'binary' })
  ),
  maxLength: 30,
});

function bitmapOf(value: string): Uint8Array {
  const bitmap = gramBitmap();
  addGrams(Buffer.from(value), bitmap);
  return bitmap;
}

function hasAll(bitmap: Uint8Array, grams: readonly number[]): boolean {
  return grams.every((gram) => ((bitmap[gram >>> 3]! >>> (gram & 7)) & 1) === 1);
}

test('a text has the grams of each of its parts', () => {
  fc.assert(
    fc.property(text, text, text, fc.nat({ max: 20 }), (before, part, after, wanted) => {
      expect(hasAll(bitmapOf(before + part + after), gramsOf(part, false, wanted))).toBe(true);
    }),
    { numRuns: 1000 }
  );
});

test('a text has the grams of its parts in another case', () => {
  const lower = (value: string): string => value.toLowerCase().replaceAll('ſ', 's').replaceAll('ς', 'σ');
  fc.assert(
    fc.property(text, text, text, text, (before, part, after, other) => {
      const bitmap = bitmapOf(before + part + after);
      for (const needle of [part.toUpperCase(), part.toLowerCase(), other]) {
        if (!lower(before + part + after).includes(lower(needle))) continue;
        expect([needle, hasAll(bitmap, gramsOf(needle, true, 16))]).toEqual([needle, true]);
      }
    }),
    { numRuns: 1000 }
  );
});

test('texts of less than four bytes have no grams, longer ones at most as many as wanted', () => {
  expect(gramsOf('', false, 16)).toEqual([]);
  expect(gramsOf('abc', false, 16)).toEqual([]);
  expect(gramsOf('abcd', false, 16)).toHaveLength(1);
  // Letters of two bytes each, of which nothing is known when case is ignored.
  expect(gramsOf('äöüé', false, 16)).toHaveLength(5);
  expect(gramsOf('äöüé', true, 16)).toEqual([]);
  expect(gramsOf('ab äöü cd', true, 16)).toEqual([]);
  expect(gramsOf('abcd äöü', true, 16)).toEqual(gramsOf('ABCD ', false, 16));
  expect(new Set(gramsOf(randomText(), false, 16)).size).toBe(16);
});

function randomText(): string {
  return Array.from({ length: 100_000 }, (_, i) => String.fromCharCode(33 + ((i * i * 7919) % 90))).join('');
}

test('no other characters of DuckDB become ASCII when it ignores case', async () => {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const likes = letters.map((letter) => `c ILIKE '${letter}'`).join(' OR ');
  const reader = await connection.runAndReadAll(
    `SELECT c FROM (SELECT chr(CAST(i AS INTEGER)) AS c FROM range(128, 131072) AS r(i) WHERE i NOT BETWEEN 55296 AND 57343)
     WHERE regexp_matches(lower(c), '[\\x00-\\x7f]') OR regexp_matches(c, '(?i)[\\x00-\\x7f]') OR ${likes} ORDER BY c`
  );
  const found = reader.getRows().map(([character]) => String(character));
  expect(found).toEqual(['İ', 'ſ', '\u212a']);
  connection.closeSync();
  instance.closeSync();
  for (const [character, letter] of [
    ['İ', 'i'],
    ['ſ', 's'],
    ['\u212a', 'k'],
  ] as const) {
    expect(gramsOf(`xy${character}z`, true, 1)).toEqual(gramsOf(`XY${letter}Z`, true, 1));
  }
});
