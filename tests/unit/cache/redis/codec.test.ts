import { createSecretKey, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { RESULT_FORMATS } from '#contract/queries/query';
import { REDACTION_KINDS } from '#contract/redaction';
import { entryKey, openEntry, sealEntry, type SharedEntry } from '#server/cache/redis/codec';

const KEY = entryKey(createSecretKey('ab'.repeat(32), 'hex'));
const OTHER_KEY = entryKey(createSecretKey('cd'.repeat(32), 'hex'));

const milliseconds = fc.double({ min: 0, max: 1e6, noNaN: true }).map((value) => value + 0);
const entry: fc.Arbitrary<SharedEntry> = fc.record({
  ranAtMs: fc.integer({ min: 0, max: 4e12 }),
  generation: fc.string({ minLength: 1 }),
  result: fc.record({
    format: fc.constantFrom(...RESULT_FORMATS),
    fields: fc.array(fc.record({ name: fc.string(), type: fc.string() })),
    rows: fc.nat(),
    truncated: fc.boolean(),
    redacted: fc.boolean(),
    replaced: fc.dictionary(fc.constantFrom(...REDACTION_KINDS), fc.nat()),
    revision: fc.nat(),
    warnings: fc.array(
      fc.record({
        code: fc.constantFrom('empty_range', 'operator_as_word', 'select_ignored', 'select_redundant'),
        message: fc.string(),
        position: fc.record({ line: fc.nat(), column: fc.nat() }),
        offset: fc.nat(),
        length: fc.nat(),
      })
    ),
    timings: fc.record({
      queueMs: milliseconds,
      planMs: milliseconds,
      dbMs: milliseconds,
      redactMs: milliseconds,
      encodeMs: milliseconds,
    }),
    bytes: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  }),
});

const MAX_BYTES = 1024 * 1024;
const seal = async (name: string, value: SharedEntry): Promise<Buffer> =>
  (await sealEntry(KEY, name, value, MAX_BYTES))!;
const withBytes = (bytes: Uint8Array): SharedEntry => {
  const [value] = fc.sample(entry, 1);
  return { ...value!, result: { ...value!.result, bytes } };
};

it('an entry opens under the name that it was sealed with, unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(entry, fc.string(), async (value, name) => {
      expect(await openEntry(KEY, name, await seal(name, value))).toEqual(value);
    })
  );
});

it.each([
  ['rows that are alike', Buffer.from('{"path":"/rest/v1/todos","status":200},'.repeat(100_000)), 0.01],
  ['what cannot become smaller', randomBytes(500_000), 1],
])('a large entry is compressed: %s', async (_what, bytes, ratio) => {
  const sealed = await seal('a', withBytes(bytes));
  expect(sealed.length).toBeLessThan(bytes.length * ratio + 20_000);
  expect(Buffer.from((await openEntry(KEY, 'a', sealed))!.result.bytes).equals(bytes)).toBe(true);
});

it('an entry that is too large even when compressed is not sealed', async () => {
  const tooLarge = [randomBytes(MAX_BYTES), Buffer.alloc(9 * MAX_BYTES)];
  for (const bytes of tooLarge) expect(await sealEntry(KEY, 'a', withBytes(bytes), MAX_BYTES)).toBeNull();
});

it('an entry with another name or key, with a changed byte or cut off does not open', async () => {
  await fc.assert(
    fc.asyncProperty(entry, fc.nat(), fc.integer({ min: 1, max: 255 }), async (value, at, change) => {
      const sealed = await seal('a', value);
      expect(await openEntry(KEY, 'b', sealed)).toBeNull();
      expect(await openEntry(OTHER_KEY, 'a', sealed)).toBeNull();
      expect(await openEntry(KEY, 'a', sealed.subarray(0, at % sealed.length))).toBeNull();
      sealed[at % sealed.length]! ^= change;
      expect(await openEntry(KEY, 'a', sealed)).toBeNull();
    })
  );
});

it('random bytes do not open as an entry, and a sealed entry shows no text of its rows', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
      expect(await openEntry(KEY, 'a', Buffer.from(bytes))).toBeNull();
      expect(await openEntry(KEY, 'a', Buffer.concat([Buffer.from('LQE2'), bytes]))).toBeNull();
    })
  );
  const sealed = await seal('a', withBytes(Buffer.from('a row of a tenant')));
  expect(sealed.includes('a row of a tenant')).toBe(false);
});
