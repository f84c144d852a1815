/** Bodies that are read in turns, with bytes that are not UTF-8. */
import fc from 'fast-check';
import { ServiceError } from '#contract/errors';
import { repairText, repairUtf8 } from '#server/http/ingest/repair-text';

const TURN_BYTES = 256 * 1024;
const CHARACTERS = ['é', '€', '😀'].map((text) => Buffer.from(text));

let reserved = 0;
const limits = { maxBytes: 4 * TURN_BYTES, memory: { add: (bytes: number) => void (reserved += bytes) } };

beforeEach(() => (reserved = 0));

const around = (bytes: Buffer, before: number): Buffer =>
  Buffer.concat([Buffer.alloc(TURN_BYTES - before, 'a'), bytes, Buffer.from('z')]);

it('a body that is UTF-8 is not copied, also with a character across the border of two turns', async () => {
  for (const character of CHARACTERS)
    for (let before = 0; before <= character.length; before++) {
      const body = around(character, before);
      expect(await repairUtf8(body, limits)).toBe(body);
    }
  const empty = Buffer.alloc(0);
  expect(await repairUtf8(empty, limits)).toBe(empty);
  expect(reserved).toBe(0);
});

it('what is not UTF-8 becomes U+FFFD as in a whole text, wherever a turn ends, and its copy is reserved', async () => {
  const part = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 6 }).map((bytes) => Buffer.from(bytes)),
    fc.constantFrom(...CHARACTERS, ...CHARACTERS.map((bytes) => bytes.subarray(0, -1)), Buffer.alloc(5, 0x80))
  );
  await fc.assert(
    fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 6 }), fc.nat(12), async (parts, before) => {
      reserved = 0;
      const body = around(Buffer.concat(parts), before);
      const whole = Buffer.from(body.toString('utf8'));
      const repaired = await repairUtf8(body, limits);
      expect(repaired.equals(whole)).toBe(true);
      expect(repaired === body).toBe(whole.equals(body));
      expect(reserved >= (repaired === body ? 0 : repaired.length)).toBe(true);
    }),
    { numRuns: 200 }
  );
});

it('a small body that shares its memory with others is repaired', async () => {
  const repaired = await repairUtf8(Buffer.from([0x61, 0xff, 0x62]), limits);
  expect(repaired.toString()).toBe('a\ufffdb');
});

it('a copy that is too large is refused', async () => {
  await expect(repairUtf8(Buffer.alloc(2 * TURN_BYTES, 0xff), limits)).rejects.toMatchObject({
    code: 'body_too_large',
    details: { max_bytes: limits.maxBytes },
  });
});

it('a copy without room in memory is refused', async () => {
  const full = {
    add: () => {
      throw new ServiceError('concurrency_limited', 'no room');
    },
  };
  const body = Buffer.from([0xff]);
  await expect(repairUtf8(body, { ...limits, memory: full })).rejects.toMatchObject({ code: 'concurrency_limited' });
});

it('a NUL character is refused in any turn where none may be', async () => {
  for (const before of [0, 1, TURN_BYTES]) {
    const body = around(Buffer.from('\0'), before);
    await expect(repairText(body, limits)).rejects.toMatchObject({
      code: 'encoding_invalid',
      details: { hint: expect.stringContaining('Content-Encoding: gzip') },
    });
    expect(await repairUtf8(body, limits)).toBe(body);
  }
});
