/** Small tables with equal rows, equal keys and NULLs, as WITH queries. */
import fc, { type Arbitrary } from 'fast-check';

const POOLS = {
  i: ['0', '1', '2', '3', 'cast(null as int64)'],
  f: ['0.0', '1.0', '1.5', '2.0', 'cast(null as float64)'],
  s: ["'a'", "'b'", "'a,b'", "''", 'cast(null as string)'],
  b: ['true', 'false', 'cast(null as bool)'],
} as const;

const row = fc.tuple(
  fc.constantFrom(...POOLS.i),
  fc.constantFrom(...POOLS.f),
  fc.constantFrom(...POOLS.s),
  fc.constantFrom(...POOLS.b)
);

/** Columns n, i, f, s and b. Rows by number: all but the number may be the same. None at all is one of the cases. */
export const arbitraryTable = (name: string): Arbitrary<string> =>
  fc.array(row, { minLength: 1, maxLength: 6 }).chain((rows) =>
    fc.constantFrom('', '', '', ' where r.n < 0', ' where r.n > 0').map((where) => {
      const structs = rows.map(([i, f, s, b], n) => `struct(${n} as n, ${i} as i, ${f} as f, ${s} as s, ${b} as b)`);
      return `${name} as (select r.n, r.i, r.f, r.s, r.b from unnest([${structs.join(', ')}]) as r${where})`;
    })
  );
