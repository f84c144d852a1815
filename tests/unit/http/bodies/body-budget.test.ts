import fc from 'fast-check';
import { BYTES_PER_REQUEST, createBodyBudget, SMALL_BYTES } from '#server/http/bodies/body-budget';

const codeOf = (work: () => void): string => {
  try {
    work();
    return 'fits';
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
};

it('a token whose own bodies need too much memory is refused; other tokens only when all memory is in use', () => {
  const budget = createBodyBudget({ maxBytes: 150, maxBytesPerToken: 100 });
  const a = budget.open('a');
  const b = budget.open('b');
  a.add(100);
  expect(codeOf(() => budget.open('a').add(1))).toBe('concurrency_limited');
  expect(codeOf(() => b.add(51))).toBe('overloaded');
  b.add(50);
  expect(codeOf(() => b.add(1))).toBe('overloaded');
  a.release();
  expect(codeOf(() => b.add(50))).toBe('fits');
});

it('tokens with large bodies leave a quarter of the memory to those with small ones', () => {
  const budget = createBodyBudget({ maxBytes: 16 * SMALL_BYTES, maxBytesPerToken: 8 * SMALL_BYTES });
  const [a, b, c] = ['a', 'b', 'c'].map((owner) => budget.open(owner));
  a!.add(8 * SMALL_BYTES);
  b!.add(4 * SMALL_BYTES);
  expect(codeOf(() => b!.add(1))).toBe('overloaded');
  expect(codeOf(() => c!.add(SMALL_BYTES))).toBe('fits');
  expect(codeOf(() => c!.add(1))).toBe('overloaded');
});

it('a body of the maximum size fits where it is all of the memory', () => {
  const maxBytes = 8 * SMALL_BYTES;
  const budget = createBodyBudget({ maxBytes, maxBytesPerToken: maxBytes });
  expect(codeOf(() => budget.open('a').add(maxBytes))).toBe('fits');
});

it('a body is refused by its announced length, and requests beyond the memory for connections are refused', () => {
  const maxBytesPerToken = 3 * BYTES_PER_REQUEST;
  const budget = createBodyBudget({ maxBytes: 4 * BYTES_PER_REQUEST, maxBytesPerToken });
  const start = (owner: string, bytes: number): string => codeOf(() => budget.open(owner).start(bytes));
  expect(start('a', 2 * BYTES_PER_REQUEST + 1)).toBe('concurrency_limited');
  expect(start('a', 2 * BYTES_PER_REQUEST)).toBe('fits');
  // The announced bytes are counted when they arrive.
  expect(budget.bytes).toBe(BYTES_PER_REQUEST);
  expect([start('a', 0), start('a', 0), start('a', 0)]).toEqual(['fits', 'fits', 'concurrency_limited']);
  expect([start('b', 0), start('c', 0)]).toEqual(['fits', 'overloaded']);
});

it('the free memory is exact after any sequence of additions, refusals and releases', () => {
  const step = fc.record({
    request: fc.nat(5),
    action: fc.constantFrom('add' as const, 'subtract' as const, 'release' as const),
    bytes: fc.nat(80),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const budget = createBodyBudget({ maxBytes: 150, maxBytesPerToken: 100 });
      const requests = Array.from({ length: 6 }, (_, n) => ({
        owner: `t${n % 3}`,
        body: budget.open(`t${n % 3}`),
        bytes: 0,
        open: true,
      }));
      const sum = (owner?: string): number =>
        requests.filter((one) => owner === undefined || one.owner === owner).reduce((all, one) => all + one.bytes, 0);
      for (const { request, action, bytes } of steps) {
        const one = requests[request]!;
        if (action === 'release') {
          one.body.release();
          one.bytes = 0;
          one.open = false;
        } else if (one.open && action === 'add') {
          const fits = sum(one.owner) + bytes <= 100 && sum() + bytes <= 150;
          expect(codeOf(() => one.body.add(bytes)) === 'fits').toBe(fits);
          if (fits) one.bytes += bytes;
        } else if (one.open) {
          const less = Math.min(bytes, one.bytes);
          one.body.subtract(less);
          one.bytes -= less;
        }
        expect(budget.bytes).toBe(sum());
      }
    })
  );
});
