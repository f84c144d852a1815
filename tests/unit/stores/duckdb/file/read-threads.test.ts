import type { CatalogPart, PartRead } from '#compiler/store';
import { LARGE_READ_ROWS, ReadThreads } from '#server/stores/duckdb/file/read-threads';

const IDLE_MS = 200;
const HOUR = 3_600_000_000;
const DAY = 24 * HOUR;
const PART: CatalogPart = { table: 't', fromMicros: 0, toMicros: DAY, columns: new Map(), json: null };

let changes: number[];
let rows: number;
let nowMicros: number;
let set: (threads: number) => Promise<void>;
let threads: ReadThreads;

beforeEach(() => {
  jest.useFakeTimers();
  changes = [];
  rows = LARGE_READ_ROWS + 1;
  nowMicros = 10 * DAY;
  set = (count) => Promise.resolve(void changes.push(count));
  threads = new ReadThreads({ most: 4, set: (count) => set(count), rowsOf: () => rows, nowMicros: () => nowMicros });
});
afterEach(() => jest.useRealTimers());

const read = (fromMicros: number, toMicros: number, part = PART): PartRead => ({ part, fromMicros, toMicros });

/** The changes for one statement of these reads after the database was idle. */
async function changesFor(...reads: readonly PartRead[]): Promise<readonly number[]> {
  await jest.advanceTimersByTimeAsync(IDLE_MS);
  changes.length = 0;
  await threads.run(reads, () => Promise.resolve());
  return changes;
}

it('the threads that the database starts with become one when it is idle', async () => {
  await jest.advanceTimersByTimeAsync(IDLE_MS - 1);
  expect(changes).toEqual([]);
  await jest.advanceTimersByTimeAsync(1);
  expect(changes).toEqual([1]);
});

it.each<readonly [string, readonly PartRead[], readonly number[]]>([
  ['a whole part with more than half a million rows', [read(0, DAY)], [4]],
  ['an hour of it', [read(0, HOUR)], []],
  ['all its hours, one after another', Array.from({ length: 24 }, (_, i) => read(i * HOUR, (i + 1) * HOUR)), [4]],
  ['nothing', [], []],
  ['few numbered rows', [read(0, DAY, { ...PART, rows: [{ from: 10, to: 2_058 }] })], []],
])('%s', async (_name, reads, expected) => {
  expect(await changesFor(...reads)).toEqual(expected);
});

it('an hour of a day that began an hour ago is all of its rows', async () => {
  nowMicros = HOUR;
  expect(await changesFor(read(0, HOUR))).toEqual([4]);
});

it('threads stay while a large read runs, and as long as it is idle', async () => {
  let end = (): void => undefined;
  await jest.advanceTimersByTimeAsync(IDLE_MS);
  const running = threads.run([read(0, DAY)], () => new Promise<void>((resolve) => (end = resolve)));
  await jest.advanceTimersByTimeAsync(60_000);
  await changesFor(read(0, DAY));
  expect(changes).toEqual([]);
  end();
  await running;
  await jest.advanceTimersByTimeAsync(IDLE_MS);
  expect(changes).toEqual([1]);
});

it('a read does not wait for threads that end later, and goes on when the setting cannot be changed', async () => {
  await jest.advanceTimersByTimeAsync(IDLE_MS);
  set = () => new Promise(() => undefined);
  const slow = threads.run([read(0, DAY)], () => Promise.resolve('rows'));
  await jest.advanceTimersByTimeAsync(20);
  expect(await slow).toBe('rows');
  threads = new ReadThreads({ most: 1, set: () => Promise.reject(new Error('refused')), rowsOf: () => rows });
  expect(await threads.run([read(0, DAY)], () => Promise.resolve('rows'))).toBe('rows');
});

it('a failed read lowers the threads again', async () => {
  await jest.advanceTimersByTimeAsync(IDLE_MS);
  await expect(threads.run([read(0, DAY)], () => Promise.reject(new Error('no memory')))).rejects.toThrow('no memory');
  await jest.advanceTimersByTimeAsync(IDLE_MS);
  expect(changes).toEqual([1, 4, 1]);
});
