import { readableRows } from '#server/stores/duckdb/repair/readable-rows';

const DAMAGED = new Error('IO Error: Corrupt database file: computed checksum 1 does not match stored checksum 2');
const OUT_OF_MEMORY = new Error('Out of Memory Error: failed to pin block');
const { signal } = new AbortController();

/** Reads rows as DuckDB does: a vector of 2,048 rows, or none of them. @returns numbers of the rows that were read */
async function read(
  rows: number,
  isDamaged: (row: number) => boolean,
  most = Infinity
): Promise<readonly [count: number, rows: readonly number[], calls: number]> {
  const found: number[] = [];
  let calls = 0;
  const count = await readableRows(
    rows,
    (from, to) => {
      calls++;
      if (to - from > most) return Promise.reject(OUT_OF_MEMORY);
      const range = Array.from({ length: to - from }, (_, i) => from + i);
      if (range.some((row) => isDamaged(row >> 11))) return Promise.reject(DAMAGED);
      found.push(...range);
      return Promise.resolve();
    },
    signal
  );
  return [count, found, calls];
}

it('all rows are read, in their order', async () => {
  for (const rows of [0, 1, 2_048, 32_769, 70_000]) {
    const [count, found] = await read(rows, () => false);
    expect(count).toBe(rows);
    expect(found).toEqual(Array.from({ length: rows }, (_, i) => i));
  }
});

it('only the vectors with damage are left out', async () => {
  for (const rows of [1, 3_000, 40_000, 70_001]) {
    for (const damaged of [0, 1, 17, 34]) {
      const [count, found, calls] = await read(rows, (vector) => vector === damaged);
      const wanted = Array.from({ length: rows }, (_, i) => i).filter((row) => row >> 11 !== damaged);
      expect([count, found]).toEqual([wanted.length, wanted]);
      expect(calls).toBeLessThan(16);
    }
  }
});

it('ranges that need too much memory are read in smaller ones', async () => {
  expect((await read(5_000, (vector) => vector === 1, 100))[0]).toBe(5_000 - 2_048);
  await expect(read(100, () => false, 4)).rejects.toThrow('Out of Memory');
});

it('other failures end the command', async () => {
  await expect(readableRows(1, () => Promise.reject(new Error('IO Error: No space left')), signal)).rejects.toThrow(
    'No space left'
  );
});
