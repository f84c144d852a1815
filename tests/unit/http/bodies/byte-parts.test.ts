import fc from 'fast-check';
import { ByteParts } from '#server/http/bodies/byte-parts';

it('parts of all sizes are joined in their order', async () => {
  const part = fc.oneof(
    fc.uint8Array({ maxLength: 8 }),
    fc.uint8Array({ minLength: 4090, maxLength: 4100 }),
    fc.constant(new Uint8Array(70_000).fill(7))
  );
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 80 }), async (given) => {
      const parts = new ByteParts();
      for (const bytes of given) parts.add(Buffer.from(bytes));
      expect(parts.length).toBe(given.reduce((sum, bytes) => sum + bytes.length, 0));
      expect((await parts.join()).equals(Buffer.concat(given))).toBe(true);
    }),
    { numRuns: 50 }
  );
});

it('a body larger than one turn and larger than one block of tiny parts is joined', async () => {
  const parts = new ByteParts();
  const expected: Buffer[] = [];
  for (let n = 0; n < 200_000; n += 1) expected.push(Buffer.from([n % 251]));
  for (let n = 0; n < 12; n += 1) expected.push(Buffer.alloc(1_048_576, n));
  for (const part of expected) parts.add(part);
  expect((await parts.join()).equals(Buffer.concat(expected))).toBe(true);
});
