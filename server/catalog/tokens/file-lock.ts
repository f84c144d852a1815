/**
 * Lock file for mutual exclusion between processes. The lock of a process that died is detected by its process id and
 * removed under a second lock, so that two waiting processes cannot remove a newer lock.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';

export class LockTimeoutError extends Error {
  override readonly name = 'LockTimeoutError';

  constructor(file: string) {
    super(`another process holds ${file}; if none runs, remove that file`);
  }
}

export interface LockOptions {
  /** @default 5000 */
  readonly waitMs?: number;
}

/** Runs `work` while holding the lock. The work is synchronous and short. @throws LockTimeoutError */
export function withFileLock<T>(file: string, work: () => T, options: LockOptions = {}): T {
  const nonce = `${process.pid} ${randomBytes(8).toString('hex')}`;
  const deadline = Date.now() + (options.waitMs ?? 5000);
  while (!createExclusively(file, nonce)) {
    removeWhenAbandoned(file);
    if (Date.now() > deadline) throw new LockTimeoutError(file);
    sleep(10);
  }
  try {
    return work();
  } finally {
    if (readText(file) === nonce) rmSync(file, { force: true });
  }
}

/** Age at which a lock is abandoned; work under the lock takes milliseconds. */
const ABANDONED_AFTER_MS = 60_000;
/** Time allowed between creating the lock file and writing the process id into it. */
const SETTLING_MS = 2000;

function removeWhenAbandoned(file: string): void {
  const seen = readText(file);
  if (seen === undefined || !isAbandoned(file, seen)) return;
  const breaker = `${file}.break`;
  if (!createExclusively(breaker, String(process.pid))) return;
  try {
    if (readText(file) === seen) rmSync(file, { force: true });
  } finally {
    rmSync(breaker, { force: true });
  }
}

function isAbandoned(file: string, text: string): boolean {
  const ageMs = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
  if (ageMs > ABANDONED_AFTER_MS) return true;
  return ageMs > SETTLING_MS && !isAlive(Number(text.split(' ')[0]));
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function createExclusively(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
