/** Ids that an import gives to events without one. */
import fc from 'fast-check';
import { addIds } from '#server/cli/import/add-ids';
import type { InputEvent } from '#server/cli/import/input/input';

async function ids(lines: readonly string[], pieceSize = 2): Promise<unknown[]> {
  async function* pieces(): AsyncGenerator<readonly InputEvent[]> {
    for (let at = 0; at < lines.length; at += pieceSize)
      yield lines.slice(at, at + pieceSize).map((line, i) => ({ place: at + i + 1, json: Buffer.from(line) }));
  }
  const found: unknown[] = [];
  for await (const piece of addIds(pieces()))
    for (const { json } of piece) found.push((JSON.parse(json!.toString('utf8')) as { id?: unknown }).id);
  return found;
}

const lines = fc.array(fc.constantFrom('{}', ' { } ', '{"a":1}', '{"a":"\\u0041"}', '{"metadata":{"id":"inner"}}'), {
  maxLength: 30,
});

it('generated ids differ for equal events of one file', async () => {
  expect(new Set(await ids(['{}', '{}', '{}', '{"a":1}', '{"a":1}'])).size).toBe(5);
});

it('generated ids do not depend on the batch size, nor on lines added to the file later', async () => {
  await fc.assert(
    fc.asyncProperty(lines, lines, fc.integer({ min: 1, max: 7 }), async (first, more, pieceSize) => {
      const before = await ids(first);
      expect((await ids([...first, ...more], pieceSize)).slice(0, before.length)).toEqual(before);
    })
  );
});

it('generated ids differ between two files from the first different line on', async () => {
  const [a, b] = [await ids(['{}', '{"file":"a"}', '{}']), await ids(['{}', '{"file":"b"}', '{}'])];
  expect(a[0]).toBe(b[0]);
  expect([a[1] === b[1], a[2] === b[2]]).toEqual([false, false]);
});

it.each([
  ['{"id":"own"}', 'own'],
  ['{"\\u0069d":"own"}', 'own'],
  ['{"metadata":{},"id":7}', 7],
])('an id that an event brings itself is kept: %s', async (line, own) => {
  expect(await ids([line])).toEqual([own]);
});

it('an id that is null is replaced', async () => {
  expect(await ids(['{"id":null,"a":1}'])).toEqual([expect.stringMatching(/^[\w-]{22}$/)]);
});

it('input that is not an object is left unchanged, for the server to reject', async () => {
  async function* pieces(): AsyncGenerator<readonly InputEvent[]> {
    yield ['5', '{"a":', '[]', ''].map((line, i) => ({ place: i + 1, json: Buffer.from(line) }));
  }
  for await (const piece of addIds(pieces()))
    expect(piece.map(({ json }) => json!.toString())).toEqual(['5', '{"a":', '[]', '']);
});
