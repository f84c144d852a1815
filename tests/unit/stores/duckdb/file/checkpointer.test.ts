import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Checkpointer } from '#server/stores/duckdb/file/checkpointer';
import type { CheckpointKind } from '#server/stores/duckdb/file/database';

const IDLE_MS = 5_000;
const LARGE_LOG_BYTES = 256 * 1024 * 1024;
let folder: string;
let logPath: string;
let made: CheckpointKind[];
let isCaughtUp: boolean;
let isMergeCheap: boolean;
let checkpointer: Checkpointer;

beforeEach(() => {
  jest.useFakeTimers();
  folder = mkdtempSync(join(tmpdir(), 'lqe-checkpointer-'));
  logPath = join(folder, 'logs.duckdb.wal');
  made = [];
  isCaughtUp = true;
  isMergeCheap = true;
  checkpointer = new Checkpointer({
    logPath,
    checkpoint: (kind) => {
      made.push(kind);
      return made.length === 1 ? Promise.reject(new Error('the first one fails')) : Promise.resolve();
    },
    isCaughtUp: () => isCaughtUp,
    isMergeCheap: () => isMergeCheap,
  });
});
afterEach(() => {
  checkpointer.stop();
  jest.useRealTimers();
  rmSync(folder, { recursive: true });
});

it('row groups are merged once no batch was stored for a while, also after a failure', async () => {
  await checkpointer.batchStored();
  await jest.advanceTimersByTimeAsync(IDLE_MS - 1);
  await checkpointer.batchStored();
  await jest.advanceTimersByTimeAsync(IDLE_MS - 1);
  expect(made).toEqual([]);
  await jest.advanceTimersByTimeAsync(10 * IDLE_MS);
  expect(made).toEqual(['merging']);
  await checkpointer.batchStored();
  await jest.advanceTimersByTimeAsync(IDLE_MS);
  expect(made).toEqual(['merging', 'merging']);
});

it('a checkpoint waits for the commit of a transaction that takes longer', async () => {
  await checkpointer.batchStored();
  isCaughtUp = false;
  await jest.advanceTimersByTimeAsync(10 * IDLE_MS);
  expect(made).toEqual([]);
  isCaughtUp = true;
  await checkpointer.batchStored();
  await jest.advanceTimersByTimeAsync(IDLE_MS);
  expect(made).toEqual(['merging']);
});

it('nothing is merged while batches arrive and the log is large', async () => {
  writeFileSync(logPath, '');
  truncateSync(logPath, LARGE_LOG_BYTES);
  isCaughtUp = false;
  await checkpointer.batchStored();
  await checkpointer.batchStored();
  expect(made).toEqual(['plain', 'plain']);
});

it('where a merge could take most of the memory, a log of a mebibyte is moved without, and a smaller one stays', async () => {
  isMergeCheap = false;
  writeFileSync(logPath, '');
  truncateSync(logPath, 1024 * 1024 - 1);
  await checkpointer.batchStored();
  await jest.advanceTimersByTimeAsync(IDLE_MS);
  jest.useRealTimers();
  // The size of the log is read from the disk.
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(made).toEqual([]);
  truncateSync(logPath, 1024 * 1024);
  jest.useFakeTimers();
  await checkpointer.batchStored();
  await jest.advanceTimersByTimeAsync(IDLE_MS);
  jest.useRealTimers();
  while (made.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(made).toEqual(['plain']);
});

it('no checkpoint is made after the end', async () => {
  await checkpointer.batchStored();
  checkpointer.stop();
  await jest.advanceTimersByTimeAsync(10 * IDLE_MS);
  expect(made).toEqual([]);
});
