import { BusyMemory } from '#server/stores/duckdb/memory/busy-memory';

const BUDGET = 2_000;
const LARGE = 1_500;
const DURATION_MS = 50;
let resident = 0;
let given = 0;
let memory: BusyMemory;

beforeEach(() => {
  jest.useFakeTimers();
  resident = LARGE;
  given = 0;
  memory = new BusyMemory({
    giveBack: () => {
      given++;
      if (given === 1) return Promise.reject(new Error('the first one fails'));
      return new Promise((resolve) => setTimeout(resolve, DURATION_MS));
    },
    budgetBytes: BUDGET,
    residentBytes: () => resident,
  });
});
afterEach(() => jest.useRealTimers());

it('a large process returns memory at its next use, with pauses of ten times as long as that took', async () => {
  memory.used();
  memory.used();
  await jest.advanceTimersByTimeAsync(199);
  memory.used();
  expect(given).toBe(1);
  await jest.advanceTimersByTimeAsync(1);
  memory.used();
  await jest.advanceTimersByTimeAsync(DURATION_MS + 10 * DURATION_MS - 1);
  memory.used();
  expect(given).toBe(2);
  await jest.advanceTimersByTimeAsync(1);
  memory.used();
  expect(given).toBe(3);
});

it('a smaller process keeps its memory', () => {
  resident = LARGE - 1;
  memory.used();
  expect(given).toBe(0);
});

it('the size of the process is read every 20 ms at most', async () => {
  resident = LARGE - 1;
  memory.used();
  resident = LARGE;
  await jest.advanceTimersByTimeAsync(19);
  memory.used();
  expect(given).toBe(0);
  await jest.advanceTimersByTimeAsync(1);
  memory.used();
  expect(given).toBe(1);
});

it('a process that becomes large during a statement returns memory before its end', async () => {
  resident = LARGE - 1;
  memory.begin();
  memory.begin();
  memory.end();
  await jest.advanceTimersByTimeAsync(100);
  expect(given).toBe(0);
  resident = LARGE;
  await jest.advanceTimersByTimeAsync(50);
  expect(given).toBe(1);
  memory.end();
  await jest.advanceTimersByTimeAsync(10_000);
  expect(given).toBe(1);
});

it('a process of half the budget returns memory before a large commit, and goes on when that fails', async () => {
  resident = BUDGET / 2 - 1;
  await memory.makeRoom();
  expect(given).toBe(0);
  resident = BUDGET / 2;
  await memory.makeRoom();
  expect(given).toBe(1);
});
