/** Which batches are stored together, and which wait for another insert. */
import { ByteOutput } from '#server/stores/clickhouse/byte-output';
import { type BatchOutcome, type WaitingBatch, WaitingBatches } from '#server/stores/clickhouse/waiting-batches';

const MIB = 1024 * 1024;

/** Inserts that end when the test says so. */
function startStore() {
  const inserts: { ids: string[]; end: (error?: Error) => void }[] = [];
  let running = 0;
  let most = 0;
  const waiting = new WaitingBatches(
    (batches) =>
      new Promise<readonly BatchOutcome[]>((resolve, reject) => {
        most = Math.max(most, ++running);
        inserts.push({
          ids: batches.flatMap(({ rows }) => rows.map(({ id }) => id)),
          end(error) {
            running--;
            if (error === undefined) resolve(batches.map(() => ({ duplicates: 0, refused: [] })));
            else reject(error);
          },
        });
      })
  );
  return { waiting, inserts, most: () => most };
}

function batch(ids: string, bytes = 100): WaitingBatch {
  const rows = [...ids].map((id, index) => ({
    index,
    id,
    tenant: null,
    micros: 0,
    hasOwnTime: true,
    output: new ByteOutput(),
    start: 0,
    end: 0,
    columns: null,
    text: () => '',
  }));
  return { rows, nowMicros: 0, bytes };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 60));

it('batches that arrive during an insert are stored together after it', async () => {
  const { waiting, inserts } = startStore();
  const stored = ['a', 'b', 'c'].map((id) => waiting.add(batch(id)));
  await settled();
  expect(inserts.map(({ ids }) => ids)).toEqual([['a']]);
  inserts[0]!.end();
  await settled();
  expect(inserts.map(({ ids }) => ids)).toEqual([['a'], ['b', 'c']]);
  inserts[1]!.end();
  await Promise.all(stored);
});

it('with much to store a second insert runs beside the first, and never a third', async () => {
  const { waiting, inserts, most } = startStore();
  const stored = ['a', 'b', 'c', 'd', 'e'].map((id) => waiting.add(batch(id, 12 * MIB)));
  await settled();
  expect(inserts.map(({ ids }) => ids)).toEqual([['a'], ['b', 'c']]);
  inserts[1]!.end();
  await settled();
  expect(inserts.map(({ ids }) => ids)).toEqual([['a'], ['b', 'c'], ['d', 'e']]);
  for (const { end } of inserts) end();
  await Promise.all(stored);
  expect(most()).toBe(2);
});

it.each([
  ['ends', undefined],
  ['fails', new Error('disk full')],
])(
  'a batch with an event of a running insert waits until that insert %s, and so do those after it',
  async (_, error) => {
    const { waiting, inserts } = startStore();
    const first = waiting.add(batch('xy', 12 * MIB)).catch((cause: unknown) => cause);
    const rest = ['n', 'y', 'm'].map((id) => waiting.add(batch(id, 12 * MIB)));
    await settled();
    expect(inserts.map(({ ids }) => ids)).toEqual([['x', 'y'], ['n']]);
    inserts[1]!.end();
    await settled();
    expect(inserts).toHaveLength(2);
    inserts[0]!.end(error);
    await settled();
    expect(inserts.map(({ ids }) => ids)).toEqual([['x', 'y'], ['n'], ['y', 'm']]);
    inserts[2]!.end();
    await Promise.all(rest);
    expect(await first).toEqual(error ?? { duplicates: 0, refused: [] });
  }
);

it('closing waits for all inserts, and stores what waits', async () => {
  const { waiting, inserts } = startStore();
  const stored = ['a', 'b', 'c'].map((id) => waiting.add(batch(id, 12 * MIB)));
  await settled();
  let isClosed = false;
  const closed = waiting.close().then(() => (isClosed = true));
  inserts[0]!.end();
  await settled();
  expect(isClosed).toBe(false);
  for (const { end } of inserts) end();
  await settled();
  for (const { end } of inserts) end();
  await closed;
  await Promise.all(stored);
  expect(inserts.flatMap(({ ids }) => ids)).toEqual(['a', 'b', 'c']);
});
