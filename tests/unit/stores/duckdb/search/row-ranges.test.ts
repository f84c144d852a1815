import fc from 'fast-check';
import { rowRanges } from '#server/stores/duckdb/search/row-ranges';

const BLOCK = 2048;
const blocks = fc.array(fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1), { minLength: 1, maxLength: 300 });

test('ranges hold each needed row, in order and within the part, and are few', () => {
  let narrowed = 0;
  fc.assert(
    fc.property(
      blocks,
      fc.array(fc.boolean()),
      fc.integer({ min: 1, max: 20 }),
      fc.nat({ max: 2047 }),
      (bits, other, most, cut) => {
        const others = Uint8Array.from(bits, (bit, i) => (bit === 0 && other[i] === true ? 1 : 0));
        const rows = bits.length * BLOCK - cut;
        const ranges = rowRanges({ needed: Uint8Array.from(bits), others }, rows, most);
        if (ranges === null) return;
        narrowed += 1;
        expect(ranges.length).toBeLessThanOrEqual(most);
        ranges.forEach(({ from, to }, i) => {
          expect(from).toBeGreaterThanOrEqual(ranges[i - 1]?.to ?? 0);
          expect(to).toBeGreaterThan(from);
          expect(to).toBeLessThanOrEqual(rows);
        });
        bits.forEach((bit, block) => {
          const [first, last] = [block * BLOCK, Math.min(rows, (block + 1) * BLOCK)];
          if (bit === 1) expect(ranges.some(({ from, to }) => from <= first && to >= last)).toBe(true);
        });
      }
    ),
    { numRuns: 1000 }
  );
  expect(narrowed).toBeGreaterThan(50);
});

const of = (count: number, needed: readonly number[]): Uint8Array =>
  Uint8Array.from({ length: count }, (_, i) => (needed.includes(i) ? 1 : 0));

test('nothing, a few blocks, or all of a part is read', () => {
  expect(rowRanges({ needed: null, others: null }, 100 * BLOCK, 10)).toBeNull();
  expect(rowRanges({ needed: of(100, []), others: null }, 100 * BLOCK, 10)).toEqual([]);
  expect(rowRanges({ needed: of(100, [3, 5, 99]), others: null }, 100 * BLOCK - 9, 10)).toEqual([
    { from: 3 * BLOCK, to: 6 * BLOCK },
    { from: 99 * BLOCK, to: 100 * BLOCK - 9 },
  ]);
  const scattered = Array.from({ length: 20 }, (_, i) => i * 5);
  expect(rowRanges({ needed: of(100, scattered), others: null }, 100 * BLOCK, 10)).toBeNull();
});

test('blocks of other tenants cost nothing, so a part is not divided because of them', () => {
  const needed = of(100, [10, 11, 12]);
  const others = Uint8Array.from(needed, (bit) => 1 - bit);
  expect(rowRanges({ needed, others }, 100 * BLOCK, 10)).toBeNull();
});
