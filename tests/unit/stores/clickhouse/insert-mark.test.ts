/** The copy of an event that stays is the same for every server, in any order of copies. */
import fc from 'fast-check';
import { insertMark, markOf, type StoredCopy, surplusOf } from '#server/stores/clickhouse/schema/insert-mark';
import { MICROS_PER_DAY } from '#server/stores/ingest/event/timestamp';

const copy = (id: string, micros: number, mark: bigint | null): StoredCopy => ({
  id,
  tenant: null,
  hash: 0n,
  tenantHash: 0n,
  micros,
  mark,
});
const [early, late] = [insertMark(1000), insertMark(2000)];

it('events with the same id and their own time are duplicates, and the later copy is removed', () => {
  const first = copy('a', 5, markOf(early, true));
  const second = copy('a', 5, markOf(late, true));
  expect(surplusOf([second, first, second])).toEqual([second]);
  expect(surplusOf([first, copy('a', 6, markOf(late, true)), copy('b', 5, markOf(late, true))])).toEqual([]);
});

it('events without their own time are duplicates when they have the same id on the same or the next day', () => {
  const first = copy('a', 5 * MICROS_PER_DAY, markOf(early, false));
  for (const [days, count] of [
    [0, 1],
    [1, 1],
    [2, 0],
  ] as const) {
    expect(surplusOf([first, copy('a', (5 + days) * MICROS_PER_DAY + 7, markOf(late, false))])).toHaveLength(count);
  }
});

it('rows from before insert marks are kept', () => {
  const old = copy('a', 5, null);
  const marked = copy('a', 5, markOf(early, true));
  expect(surplusOf([old, marked, old])).toEqual([marked]);
  expect(surplusOf([old, { ...old, micros: 6 }])).toEqual([]);
});

it('one copy of each event remains, and servers that see different copies never remove the last one', () => {
  const anyCopy = fc.record({ id: fc.constantFrom('a', 'b'), micros: fc.nat(3), ms: fc.nat(50) });
  fc.assert(
    fc.property(fc.uniqueArray(anyCopy, { selector: ({ ms }) => ms, maxLength: 12 }), fc.nat(), (given, seed) => {
      const copies = given.map(({ id, micros, ms }) => copy(id, micros, markOf(BigInt(ms + 1) << 22n, true)));
      const removed = new Set(surplusOf(copies));
      const kept = copies.filter((each) => !removed.has(each)).map(({ id, micros }) => `${id} ${micros}`);
      expect(kept.sort()).toEqual([...new Set(copies.map(({ id, micros }) => `${id} ${micros}`))].sort());
      // Who sees fewer takes away no other.
      const some = copies.filter((_, n) => (seed >> n) % 2 === 0);
      for (const each of surplusOf(some)) expect(removed.has(each)).toBe(true);
    })
  );
});
