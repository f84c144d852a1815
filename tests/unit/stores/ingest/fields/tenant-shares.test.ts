/** The share of each tenant in what a source has in a limited number. */
import fc from 'fast-check';
import { TenantShares } from '#server/stores/ingest/fields/tenant-shares';

const MAX = 40;
const HALF = MAX / 2;
const FEW = 2;

const take = (shares: TenantShares, tenant: string | null, count: number): number => {
  let taken = 0;
  for (; taken < count && shares.hasRoomFor(tenant); taken++) shares.add(tenant);
  return taken;
};

it('one tenant gets the first half, ten further ones a few, and the next none', () => {
  const shares = new TenantShares(MAX);
  expect(take(shares, 'greedy', MAX)).toBe(HALF);
  for (let n = 0; n < 10; n++) expect(take(shares, `t${n}`, MAX)).toBe(FEW);
  expect(take(shares, 'late', MAX)).toBe(0);
  expect([shares.count, shares.isLimited]).toEqual([MAX, true]);
});

it('senders without a tenant get what is left', () => {
  const shares = new TenantShares(MAX);
  take(shares, 'greedy', MAX);
  expect(take(shares, null, MAX)).toBe(MAX - HALF);
  expect(shares.hasRoomFor('late')).toBe(false);
});

it('a small number has a share of at least one for each tenant', () => {
  const shares = new TenantShares(5);
  expect(['a', 'b', 'c', 'd'].map((tenant) => take(shares, tenant, 5))).toEqual([3, 1, 1, 0]);
});

it('what a tenant has beyond the first half counts for no other, up to the hard maximum', () => {
  const restored = (hardMax?: number): TenantShares => {
    const shares = new TenantShares(MAX, hardMax);
    for (let n = 0; n < MAX; n++) shares.add('greedy');
    return shares;
  };
  expect(take(restored(), 'greedy', MAX)).toBe(0);
  expect(take(restored(), 'victim', MAX)).toBe(FEW);
  expect(take(restored(MAX), 'victim', MAX)).toBe(0);
});

it('in any order of additions and removals, counts are right and a tenant with few has room until all is used', () => {
  const tenant = fc.constantFrom(null, 'a', 'b', 'c');
  const step = fc.record({ tenant, isRemoval: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const shares = new TenantShares(MAX);
      const model = new Map<string | null, number>();
      for (const { tenant: of, isRemoval } of steps) {
        const count = model.get(of) ?? 0;
        if (isRemoval ? count === 0 : !shares.hasRoomFor(of)) continue;
        if (isRemoval) shares.remove(of);
        else shares.add(of);
        model.set(of, count + (isRemoval ? -1 : 1));
      }
      const total = [...model.values()].reduce((sum, each) => sum + each, 0);
      expect(shares.count).toBe(total);
      for (const name of ['a', 'b', 'c']) {
        const count = model.get(name) ?? 0;
        expect(shares.of(name)).toBe(count);
        expect(count).toBeLessThanOrEqual(HALF);
        expect(shares.hasRoomFor(name)).toBe(total < HALF || (count < FEW && total < MAX));
      }
      expect(new Set(shares.tenants)).toEqual(new Set(['a', 'b', 'c'].filter((name) => (model.get(name) ?? 0) > 0)));
    })
  );
});
