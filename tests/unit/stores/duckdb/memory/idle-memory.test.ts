import { IdleMemory } from '#server/stores/duckdb/memory/idle-memory';

const IDLE_MS = 1_000;
let given = 0;
let memory: IdleMemory;

beforeEach(() => {
  jest.useFakeTimers();
  given = 0;
  memory = new IdleMemory(() => {
    given++;
    return given === 1 ? Promise.reject(new Error('the first one fails')) : Promise.resolve();
  }, IDLE_MS);
});
afterEach(() => jest.useRealTimers());

it('memory is given back once after the last use, and again after a later one', async () => {
  memory.used();
  await jest.advanceTimersByTimeAsync(IDLE_MS - 1);
  memory.used();
  await jest.advanceTimersByTimeAsync(IDLE_MS - 1);
  expect(given).toBe(0);
  await jest.advanceTimersByTimeAsync(10 * IDLE_MS);
  expect(given).toBe(1);
  memory.used();
  await jest.advanceTimersByTimeAsync(IDLE_MS);
  expect(given).toBe(2);
});

it('V8 collects garbage after memory was given back, where the process has its function', async () => {
  const givenBefore: number[] = [];
  const collect = (): void => void givenBefore.push(given);
  const former = Object.getOwnPropertyDescriptor(globalThis, 'gc');
  Object.defineProperty(globalThis, 'gc', { value: collect, configurable: true });
  try {
    for (let use = 0; use < 2; use++) {
      memory.used();
      await jest.advanceTimersByTimeAsync(IDLE_MS);
    }
    // Not after the first, which failed.
    expect(givenBefore).toEqual([2]);
  } finally {
    if (former === undefined) Reflect.deleteProperty(globalThis, 'gc');
    else Object.defineProperty(globalThis, 'gc', former);
  }
});

it('a stopped store gives nothing back', async () => {
  memory.used();
  memory.stop();
  memory.used();
  await jest.advanceTimersByTimeAsync(10 * IDLE_MS);
  expect(given).toBe(0);
});
