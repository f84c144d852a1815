import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LockTimeoutError, withFileLock } from '#server/catalog/tokens/file-lock';

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

it('the lock file exists during the work, and is removed even when the work fails', () => {
  expect(withFileLock(file, () => existsSync(file))).toBe(true);
  expect(existsSync(file)).toBe(false);
  expect(() =>
    withFileLock(file, () => {
      throw new Error('work');
    })
  ).toThrow('work');
  expect(existsSync(file)).toBe(false);
});

it('a lock of a running process is waited for, and the error after the wait gives advice', () => {
  leaveLock(`${process.pid} x`, 10);
  expect(() => withFileLock(file, () => 1, { waitMs: 50 })).toThrow(LockTimeoutError);
  expect(existsSync(file)).toBe(true);
});

it('a lock of a process that has died is taken over', () => {
  leaveLock(`${DEAD_PID} x`, 10);
  expect(withFileLock(file, () => 'done', { waitMs: 200 })).toBe('done');
});

it('a lock that was just created is not taken over', () => {
  leaveLock('', 0);
  expect(() => withFileLock(file, () => 1, { waitMs: 50 })).toThrow(LockTimeoutError);
});
