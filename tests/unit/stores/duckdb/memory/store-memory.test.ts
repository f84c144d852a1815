import type { DuckDBConnection } from '@duckdb/node-api';
import { StoreMemory } from '#server/stores/duckdb/memory/store-memory';

const CACHE_IDLE_MS = 30_000;
let isNeeded = false;
let dropped = 0;
let memory: StoreMemory;
/** End of what the writer does. */
let written: Promise<void>;

beforeEach(() => {
  jest.useFakeTimers();
  isNeeded = false;
  dropped = 0;
  written = Promise.resolve();
  const connection = {} as DuckDBConnection;
  memory = new StoreMemory({
    database: {
      cachedBytes: () => Promise.resolve(0),
      giveBackMemory: () => Promise.resolve(),
      dropCache: () => Promise.resolve(void dropped++),
    },
    readers: { readOnly: (task) => task(connection), whileUnused: (task) => task() },
    exclusive: async (task) => {
      await written;
      await task(connection);
    },
    isNeeded: () => isNeeded,
    memoryLimitMb: 64,
    rssBudgetMb: Infinity,
  });
});
afterEach(() => {
  memory.stop();
  jest.useRealTimers();
});

it('blocks are dropped 30 s after the last use, once', async () => {
  memory.used();
  await jest.advanceTimersByTimeAsync(CACHE_IDLE_MS - 1);
  expect(dropped).toBe(0);
  await jest.advanceTimersByTimeAsync(10 * CACHE_IDLE_MS);
  expect(dropped).toBe(1);
});

it('blocks stay during a long seal, and are dropped after it', async () => {
  memory.used();
  isNeeded = true;
  await jest.advanceTimersByTimeAsync(10 * CACHE_IDLE_MS);
  expect(dropped).toBe(0);
  isNeeded = false;
  await jest.advanceTimersByTimeAsync(CACHE_IDLE_MS);
  expect(dropped).toBe(1);
});

it('blocks stay when a seal has begun while the drop waited for the writer', async () => {
  let endOfWrite = (): void => undefined;
  written = new Promise((resolve) => (endOfWrite = resolve));
  memory.used();
  await jest.advanceTimersByTimeAsync(CACHE_IDLE_MS);
  isNeeded = true;
  endOfWrite();
  await jest.advanceTimersByTimeAsync(0);
  expect(dropped).toBe(0);
});
