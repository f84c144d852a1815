import { createSecretKey } from 'node:crypto';
import fc from 'fast-check';
import { RESULT_FORMATS } from '#contract/query';
import { REDACTION_KINDS } from '#contract/redaction';
import { entryKey, openEntry, sealEntry, type SharedEntry } from '#server/cache/shared-entry';

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
        code: fc.constantFrom('empty_range', 'select_ignored', 'select_redundant'),
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

it('what was sealed under a name is opened under it, and is the same', () => {
  fc.assert(
    fc.property(entry, fc.string(), (value, name) => {
      expect(openEntry(KEY, name, sealEntry(KEY, name, value))).toEqual(value);
    })
  );
});

it('nothing is opened that was sealed under another name or with another key, or that was changed or cut', () => {
  fc.assert(
    fc.property(entry, fc.nat(), fc.integer({ min: 1, max: 255 }), (value, at, change) => {
      const sealed = sealEntry(KEY, 'a', value);
      expect(openEntry(KEY, 'b', sealed)).toBeNull();
      expect(openEntry(OTHER_KEY, 'a', sealed)).toBeNull();
      expect(openEntry(KEY, 'a', sealed.subarray(0, at % sealed.length))).toBeNull();
      sealed[at % sealed.length]! ^= change;
      expect(openEntry(KEY, 'a', sealed)).toBeNull();
    })
  );
});

it('garbage is no entry, and nothing of the rows can be read in one', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(openEntry(KEY, 'a', Buffer.from(bytes))).toBeNull();
      expect(openEntry(KEY, 'a', Buffer.concat([Buffer.from('LQE1'), bytes]))).toBeNull();
    })
  );
  const [value] = fc.sample(entry, 1);
  const sealed = sealEntry(KEY, 'a', {
    ...value!,
    result: { ...value!.result, bytes: Buffer.from('a row of somebody') },
  });
  expect(sealed.includes('a row of somebody')).toBe(false);
});
