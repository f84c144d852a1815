/** A live tail over a store in memory. */
import fc from 'fast-check';
import type { Row } from '../api/run-query';
import { KEPT_CHARACTERS, KEPT_LINES, LiveTail, type TailAnswer } from './live-tail';
import type { TailWindow } from './tail-request';

const START = Date.parse('2026-03-01T00:00:00Z');
const COLUMNS = [
  { name: 'timestamp', type: 'TIMESTAMP' },
  { name: 'event_message', type: 'STRING' },
];

interface Arrival {
  /** Poll before which the event is stored. */
  readonly poll: number;
  /** Milliseconds by which its time is before its arrival. */
  readonly lateMs: number;
  readonly hasId: boolean;
}

class Store {
  readonly rows: Row[] = [];
  nowMs = START;

  ask({ fromMicros, toMicros, limit, offset }: TailWindow): TailAnswer {
    const micros = (row: Row): number => Number(row['timestamp']);
    const found = this.rows
      .filter((row) => micros(row) >= fromMicros && micros(row) <= toMicros)
      .sort((a, b) => micros(b) - micros(a));
    // The header has whole seconds.
    const serverMs = Math.floor(this.nowMs / 1000) * 1000;
    // Each answer has rows of its own, as from JSON.
    const rows = found.slice(offset, offset + limit).map((row) => ({ ...row }));
    return { rows, columns: COLUMNS, isCut: false, serverMs };
  }
}

const arrival = fc.record({ poll: fc.nat(9), lateMs: fc.constantFrom(0, 0, 0, 1, 500, 7_000), hasId: fc.boolean() });

test('each line is shown once, also of equal times, of equal values and late ones', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(arrival, { maxLength: 80 }),
      fc.integer({ min: 1, max: 7 }),
      async (arrivals, pageRows) => {
        const store = new Store();
        const tail = new LiveTail((window) => Promise.resolve(store.ask(window)), pageRows, true);
        let state = await tail.poll(store.nowMs);
        for (let poll = 0; poll < 10; poll++) {
          arrivals.forEach((each: Arrival, n) => {
            if (each.poll !== poll) return;
            const timestamp = (store.nowMs - each.lateMs) * 1000;
            store.rows.push({ ...(each.hasId && { id: `e${n}` }), timestamp, event_message: 'the same' });
          });
          store.nowMs += 2000;
          state = await tail.poll(store.nowMs);
        }
        expect(state.count).toBe(arrivals.length);
        expect(state.rows).toHaveLength(arrivals.length);
        expect(state.hasGap).toBe(false);
        const times = state.rows.map((row) => Number(row['timestamp']));
        expect(times).toEqual([...times].sort((a, b) => b - a));
      }
    )
  );
});

test('after failures it goes on where it was', async () => {
  const store = new Store();
  let isDown = false;
  const ask = (window: TailWindow): Promise<TailAnswer> =>
    isDown ? Promise.reject(new Error('down')) : Promise.resolve(store.ask(window));
  const tail = new LiveTail(ask, 1000, true);
  await tail.poll(store.nowMs);
  isDown = true;
  for (let n = 0; n < 60; n++) {
    store.rows.push({ id: `e${n}`, timestamp: store.nowMs * 1000, event_message: `line ${n}` });
    store.nowMs += 2000;
    await expect(tail.poll(store.nowMs)).rejects.toThrow('down');
  }
  isDown = false;
  expect((await tail.poll(store.nowMs)).count).toBe(60);
});

test('more lines than are kept leave a gap, which is said', async () => {
  const store = new Store();
  const tail = new LiveTail((window) => Promise.resolve(store.ask(window)), 1000, true);
  await tail.poll(store.nowMs);
  for (let n = 0; n < KEPT_LINES + 500; n++) {
    store.rows.push({ id: `e${n}`, timestamp: store.nowMs * 1000 + n, event_message: `line ${n}` });
  }
  store.nowMs += 2000;
  const state = await tail.poll(store.nowMs);
  expect(state.rows).toHaveLength(KEPT_LINES);
  expect(state.rows[0]?.['event_message']).toBe(`line ${KEPT_LINES + 499}`);
  expect(state.hasGap).toBe(true);
});

test('long lines do not fill the memory: fewer of them are kept, and those that could not be read are said', async () => {
  const store = new Store();
  let answers = 0;
  const tail = new LiveTail(
    (window) => {
      answers += 1;
      return Promise.resolve(store.ask({ ...window, limit: 8 }));
    },
    8,
    true
  );
  const message = 'x'.repeat(KEPT_CHARACTERS / 40);
  const add = (count: number): void => {
    for (let n = 0; n < count; n++) {
      store.rows.push({ id: `e${store.rows.length}`, timestamp: store.nowMs * 1000 + n, event_message: message });
    }
    store.nowMs += 2000;
  };
  add(30);
  expect(await tail.poll(store.nowMs)).toMatchObject({ count: 30, hasDropped: false, hasGap: false });
  add(20);
  const { rows, ...state } = await tail.poll(store.nowMs);
  expect(state).toMatchObject({ count: 50, hasDropped: true, hasGap: false });
  expect(rows).toHaveLength(39);
  expect(rows[0]?.['id']).toBe('e49');
  add(200);
  answers = 0;
  const after = await tail.poll(store.nowMs);
  expect(after).toMatchObject({ hasDropped: true, hasGap: true });
  expect(after.rows).toHaveLength(39);
  expect(after.rows[0]?.['id']).toBe('e249');
  expect(answers).toBe(5);
  expect(tail.clear()).toMatchObject({ rows: [], hasDropped: false, hasGap: false });
});

test('an event dated far ahead does not hide those that follow', async () => {
  const store = new Store();
  store.rows.push({ id: 'ahead', timestamp: (START + 864e5) * 1000, event_message: 'tomorrow' });
  const tail = new LiveTail((window) => Promise.resolve(store.ask(window)), 1000, true);
  await tail.poll(store.nowMs);
  store.rows.push({ id: 'now', timestamp: store.nowMs * 1000, event_message: 'now' });
  store.nowMs += 2000;
  expect((await tail.poll(store.nowMs)).rows.map(({ id }) => id)).toEqual(['now']);
});

test('a saved query with a LIMIT of its own says when lines may be missing', async () => {
  const store = new Store();
  const ask = (window: TailWindow): Promise<TailAnswer> => Promise.resolve(store.ask({ ...window, limit: 3 }));
  const tail = new LiveTail(ask, 1000, false);
  const add = (count: number): void => {
    for (let n = 0; n < count; n++) {
      store.rows.push({ id: `e${store.rows.length}`, timestamp: store.nowMs * 1000, event_message: 'line' });
      store.nowMs += 100;
    }
  };
  add(2);
  await tail.poll(store.nowMs);
  add(1);
  expect(await tail.poll(store.nowMs)).toMatchObject({ count: 3, hasGap: false });
  add(9);
  expect((await tail.poll(store.nowMs)).hasGap).toBe(true);
});
