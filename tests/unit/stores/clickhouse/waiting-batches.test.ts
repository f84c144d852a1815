/** Which batches are stored together, and which wait for another insert. */
import { ByteOutput } from '#server/stores/clickhouse/rows/byte-output';
import {
  type BatchOutcome,
  type LookedUp,
  type WaitingBatch,
  WaitingBatches,
} from '#server/stores/clickhouse/write/waiting-batches';

const MIB = 1024 * 1024;

const idsOf = (batches: readonly WaitingBatch[]): string[] => batches.flatMap(({ rows }) => rows.map(({ id }) => id));

interface Insert {
  readonly ids: string[];
  /** Ends the insert; the batches of it are not answered yet. */
  readonly inserted: () => void;
  readonly end: (error?: Error) => void;
}

/** Inserts that end when the test says so. */
function startStore(lookUp: (ids: string[]) => Promise<void> = () => Promise.resolve()) {
  const inserts: Insert[] = [];
  const lookUps: string[][] = [];
  let running = 0;
  let most = 0;
  const waiting = new WaitingBatches<LookedUp>({
    async lookUp(batches) {
      lookUps.push(idsOf(batches));
      await lookUp(idsOf(batches));
      return { batches };
    },
    store(groups, inserted) {
      most = Math.max(most, ++running);
      const batches = groups.flatMap((group) => group.batches);
      return new Promise<readonly BatchOutcome[]>((resolve, reject) => {
        inserts.push({
          ids: idsOf(batches),
          inserted,
          end(error) {
            running--;
            if (error === undefined) resolve(batches.map(() => ({ duplicates: 0, refused: [] })));
            else reject(error);
          },
        });
      });
    },
  });
  return { waiting, inserts, lookUps, most: () => most };
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

describe('while an insert runs', () => {
  it('what waits is looked up, once, and is stored together with what comes after that', async () => {
    const { waiting, inserts, lookUps } = startStore();
    const stored = [waiting.add(batch('a'))];
    await settled();
    stored.push(waiting.add(batch('b')), waiting.add(batch('c')));
    await settled();
    stored.push(waiting.add(batch('d')));
    await settled();
    expect(lookUps).toEqual([['a'], ['b', 'c']]);
    inserts[0]!.end();
    await settled();
    expect(lookUps).toEqual([['a'], ['b', 'c'], ['d']]);
    expect(inserts.map(({ ids }) => ids)).toEqual([['a'], ['b', 'c', 'd']]);
    inserts[1]!.end();
    await Promise.all(stored);
  });

  it('nothing is looked up while a further batch is being read', async () => {
    const { waiting, inserts, lookUps } = startStore();
    const stored = [waiting.add(batch('a'))];
    await settled();
    let endReading: () => void = () => undefined;
    const reading = waiting.expectDuring(() => new Promise<void>((resolve) => (endReading = resolve)));
    stored.push(waiting.add(batch('b')));
    await settled();
    expect(lookUps).toEqual([['a']]);
    endReading();
    await reading;
    await settled();
    expect(lookUps).toEqual([['a'], ['b']]);
    for (const { end } of inserts) end();
    await settled();
    inserts[1]!.end();
    await Promise.all(stored);
  });

  it('a batch with an event of one that is looked up waits until that is stored', async () => {
    const { waiting, inserts, lookUps } = startStore();
    const stored = [waiting.add(batch('a'))];
    await settled();
    stored.push(waiting.add(batch('bc')));
    await settled();
    stored.push(waiting.add(batch('c')), waiting.add(batch('d')));
    inserts[0]!.end();
    await settled();
    expect(inserts.map(({ ids }) => ids)).toEqual([['a'], ['b', 'c']]);
    inserts[1]!.end();
    await settled();
    expect(lookUps).toEqual([['a'], ['b', 'c'], ['c', 'd']]);
    inserts[2]!.end();
    await Promise.all(stored);
  });

  it('a look-up that fails fails its insert only', async () => {
    const { waiting, inserts } = startStore((ids) =>
      ids[0] === 'b' ? Promise.reject(new Error('away')) : Promise.resolve()
    );
    const first = waiting.add(batch('a'));
    await settled();
    const second = waiting.add(batch('b')).catch((error: Error) => error.message);
    await settled();
    inserts[0]!.end();
    expect(await second).toBe('away');
    await first;
    const third = waiting.add(batch('c'));
    await settled();
    inserts[1]!.end();
    await third;
  });
});

it('the next insert begins when one is stored, before its batches are answered', async () => {
  const { waiting, inserts } = startStore();
  const first = waiting.add(batch('a'));
  await settled();
  const second = waiting.add(batch('ab'));
  await settled();
  inserts[0]!.inserted();
  await settled();
  expect(inserts.map(({ ids }) => ids)).toEqual([['a'], ['a', 'b']]);
  inserts[1]!.end();
  await second;
  let isClosed = false;
  const closed = waiting.close().then(() => (isClosed = true));
  await settled();
  expect(isClosed).toBe(false);
  inserts[0]!.end();
  await Promise.all([first, closed]);
});
