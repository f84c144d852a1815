/** Filter of an open part: no text of a block is missed, however few bits its grams have. */
import fc from 'fast-check';
import { addGrams, gramBitmap, gramsOf } from '#server/stores/duckdb/search/grams';
import { OpenFilter } from '#server/stores/duckdb/search/open-filter';

function gramsOfText(text: string): Uint8Array {
  const bitmap = gramBitmap();
  addGrams(Uint8Array.from(Buffer.from(text)), bitmap);
  return bitmap;
}

async function blocksWith(filter: OpenFilter, text: string): Promise<readonly number[]> {
  const lookUp = await filter.prepare();
  return [...lookUp(gramsOf(text, false, 12))];
}

/** Different words, so that a block has about as many grams as wanted. */
const words = (count: number): string => Array.from({ length: count }, (_, i) => `w${(i * 7919) % 99_991}`).join(' ');

test.each([0, 10, 300, 5000, 20_000])('a block of %i words has all of its texts', async (count) => {
  const filter = new OpenFilter('event_message', null);
  filter.add(gramsOfText(`${words(count)} needle`), '');
  filter.add(gramsOfText(words(3)), '');
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: Math.max(0, count - 1) }), async (n) => {
      const word = count === 0 ? 'needle' : words(count).split(' ')[n]!;
      expect((await blocksWith(filter, word))[0]).toBe(1);
    }),
    { numRuns: 20 }
  );
  expect((await blocksWith(filter, 'needle'))[0]).toBe(1);
  expect(await blocksWith(filter, 'no such text at all')).toEqual([0, 0]);
});

test('few grams take few bits, and four bytes an event are the most', () => {
  const few = new OpenFilter('event_message', null);
  few.add(gramsOfText(words(10)), '');
  const many = new OpenFilter('event_message', null);
  many.add(gramsOfText(words(8_000)), '');
  expect(few.bytes).toBeLessThan(200);
  expect(many.bytes).toBeGreaterThan(4000);
  expect(many.bytes).toBeLessThan(2048 * 4 + 100);
});

test('a block with too many grams may have any text, and takes no room', async () => {
  const filter = new OpenFilter('event_message', null);
  filter.add(gramBitmap().fill(0xff), '');
  filter.add(null, '');
  expect(await blocksWith(filter, 'no such text at all')).toEqual([1, 1]);
  expect(filter.bytes).toBeLessThan(200);
});
