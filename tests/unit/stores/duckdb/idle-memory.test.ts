import { IdleMemory } from '#server/stores/duckdb/idle-memory';

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

it('a stopped store gives nothing back', async () => {
  memory.used();
  memory.stop();
  memory.used();
  await jest.advanceTimersByTimeAsync(10 * IDLE_MS);
  expect(given).toBe(0);
});
