import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LockTimeoutError, withFileLock } from '#server/catalog/tokens/file/file-lock';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lqe-lock-'));
  file = join(folder, 'x.lock');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Above every process id. */
const DEAD_PID = 2 ** 30;

function leaveLock(text: string, ageSeconds: number): void {
  writeFileSync(file, text);
  const time = Date.now() / 1000 - ageSeconds;
  utimesSync(file, time, time);
}

it('the lock file exists during the work, and is removed even when the work fails', async () => {
  expect(await withFileLock(file, () => existsSync(file))).toBe(true);
  expect(existsSync(file)).toBe(false);
  await expect(
    withFileLock(file, () => {
      throw new Error('work');
    })
  ).rejects.toThrow('work');
  expect(existsSync(file)).toBe(false);
});

it('a full disk leaves no lock without an owner', async () => {
  const handle = await open(join(folder, 'other'), 'w');
  const noRoom = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  const write = jest.spyOn(Object.getPrototypeOf(handle) as FileHandle, 'writeFile').mockRejectedValue(noRoom);
  await handle.close();
  await expect(withFileLock(file, () => 1)).rejects.toThrow('ENOSPC');
  write.mockRestore();
  expect(existsSync(file)).toBe(false);
  expect(await withFileLock(file, () => 1)).toBe(1);
});

it('a lock of a running process is waited for, and the error after the wait gives advice', async () => {
  leaveLock(`${process.pid} x`, 10);
  await expect(withFileLock(file, () => 1, { waitMs: 50 })).rejects.toThrow(LockTimeoutError);
  expect(existsSync(file)).toBe(true);
});

it('a lock of a process that has died is taken over', async () => {
  leaveLock(`${DEAD_PID} x`, 10);
  expect(await withFileLock(file, () => 'done')).toBe('done');
});

it('a lock that was just created is not taken over', async () => {
  leaveLock('', 0);
  await expect(withFileLock(file, () => 1, { waitMs: 50 })).rejects.toThrow(LockTimeoutError);
});

it('a lock whose breaker died while it removed the lock is taken over', async () => {
  leaveLock(`${DEAD_PID} x`, 10);
  const breaker = `${file}.break`;
  writeFileSync(breaker, String(DEAD_PID));
  const time = Date.now() / 1000 - 100;
  utimesSync(breaker, time, time);
  expect(await withFileLock(file, () => 'done')).toBe('done');
});

it('callers in one process take turns in the order of their calls, also after a failure', async () => {
  const order: string[] = [];
  const work = (name: string) => async () => {
    order.push(`${name} starts`);
    const holder = readFileSync(file, 'utf8');
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(readFileSync(file, 'utf8')).toBe(holder);
    order.push(`${name} ends`);
    if (name === 'b') throw new Error('b');
  };
  const calls = ['a', 'b', 'c'].map((name) => withFileLock(file, work(name)));
  expect((await Promise.allSettled(calls)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(order).toEqual(['a', 'b', 'c'].flatMap((name) => [`${name} starts`, `${name} ends`]));
});

it('waiting for a lock does not block the process', async () => {
  leaveLock(`${process.pid} x`, 10);
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 5);
  await expect(withFileLock(file, () => 1, { waitMs: 100 })).rejects.toThrow(LockTimeoutError);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(3);
});
