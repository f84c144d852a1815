/** Bodies that are checked in turns: a character may cross the border of two turns. */
import { ensureText, ensureUtf8 } from '#server/http/ingest/ingest-batch';

const TURN_BYTES = 4 * 1024 * 1024;
const CHARACTERS = ['é', '€', '😀'].map((text) => Buffer.from(text));

const around = (bytes: Buffer, before: number): Buffer =>
  Buffer.concat([Buffer.alloc(TURN_BYTES - before, 'a'), bytes, Buffer.from('z')]);

describe('a body that is checked in several turns', () => {
  it('may have a character across the border of two turns', async () => {
    for (const character of CHARACTERS)
      for (let before = 0; before <= character.length; before++) await ensureUtf8(around(character, before));
  });

  it('is refused for a broken character across the border', async () => {
    for (const character of CHARACTERS)
      for (let before = 0; before <= character.length; before++)
        for (const broken of [character.subarray(1), character.subarray(0, -1), Buffer.alloc(5, 0x80)])
          await expect(ensureUtf8(around(broken, before))).rejects.toMatchObject({ code: 'encoding_invalid' });
  });

  it('is refused when it ends within a character', async () => {
    for (const character of CHARACTERS)
      await expect(
        ensureUtf8(Buffer.concat([Buffer.alloc(TURN_BYTES - 1, 'a'), character.subarray(0, -1)]))
      ).rejects.toMatchObject({ code: 'encoding_invalid' });
  });

  it('is refused for a NUL character in any turn where none may be', async () => {
    for (const before of [0, 1, TURN_BYTES]) {
      const body = around(Buffer.from('\0'), before);
      await expect(ensureText(body)).rejects.toMatchObject({ code: 'encoding_invalid' });
      await ensureUtf8(body);
    }
    await ensureText(around(Buffer.from('é'), 1));
  });

  it('is valid when it is empty', () => expect(ensureUtf8(Buffer.alloc(0))).resolves.toBeUndefined());
});
