/**
 * Lock file for mutual exclusion between processes. The lock of a process that died is detected by its process id and
 * removed under a second lock, so that two waiting processes cannot remove a newer lock. Within a process, callers of
 * the same file take turns in the order of their calls.
 */
import { randomBytes } from 'node:crypto';
import { type FileHandle, open, readFile, rm, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode } from '../../../common/caught-error';

export class LockTimeoutError extends Error {
  override readonly name = 'LockTimeoutError';

  constructor(file: string) {
    super(`another process holds ${file}; if none runs, remove that file`);
  }
}

export interface LockOptions {
  /** Maximum wait for another process. @default 5000 */
  readonly waitMs?: number;
}

/** The last call of each lock file in this process. */
const lastCalls = new Map<string, Promise<unknown>>();

/** Runs `work` while holding the lock. The work is short. @throws LockTimeoutError */
export function withFileLock<T>(file: string, work: () => T | Promise<T>, options: LockOptions = {}): Promise<T> {
  const before = lastCalls.get(file) ?? Promise.resolve();
  const call = before.then(() => lockAndRun(file, work, options));
  const settled = call.catch(() => undefined);
  lastCalls.set(file, settled);
  void settled.then(() => {
    if (lastCalls.get(file) === settled) lastCalls.delete(file);
  });
  return call;
}

const RETRY_MS = 10;

async function lockAndRun<T>(file: string, work: () => T | Promise<T>, { waitMs = 5000 }: LockOptions): Promise<T> {
  const nonce = `${process.pid} ${randomBytes(8).toString('hex')}`;
  const deadline = Date.now() + waitMs;
  while (!(await createExclusively(file, nonce))) {
    await removeWhenAbandoned(file);
    if (Date.now() > deadline) throw new LockTimeoutError(file);
    await delay(RETRY_MS);
  }
  try {
    return await work();
  } finally {
    if ((await readText(file)) === nonce) await rm(file, { force: true });
  }
}

/** Age at which a lock is abandoned; work under the lock takes milliseconds. */
const ABANDONED_AFTER_MS = 60_000;
/** Time allowed between creating the lock file and writing the process id into it. */
const SETTLING_MS = 2000;

async function removeWhenAbandoned(file: string): Promise<void> {
  const seen = await readText(file);
  if (seen === undefined || !(await isAbandoned(file, seen))) return;
  const breaker = `${file}.break`;
  if (!(await createExclusively(breaker, String(process.pid)))) {
    // A process that died while it removed a lock leaves this file.
    if ((await ageOf(breaker)) > ABANDONED_AFTER_MS) await rm(breaker, { force: true });
    return;
  }
  try {
    if ((await readText(file)) === seen) await rm(file, { force: true });
  } finally {
    await rm(breaker, { force: true });
  }
}

async function isAbandoned(file: string, text: string): Promise<boolean> {
  const ageMs = await ageOf(file);
  if (ageMs > ABANDONED_AFTER_MS) return true;
  return ageMs > SETTLING_MS && !isAlive(Number(text.split(' ')[0]));
}

/** In milliseconds; 0 for a file that does not exist. */
async function ageOf(file: string): Promise<number> {
  const facts = await stat(file).catch(() => null);
  return facts === null ? 0 : Date.now() - facts.mtimeMs;
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

async function createExclusively(file: string, text: string): Promise<boolean> {
  let handle: FileHandle;
  try {
    handle = await open(file, 'wx', 0o600);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
  try {
    await handle.writeFile(text);
    return true;
  } catch (error) {
    // On a full disk: a lock without an owner would be waited for.
    await rm(file, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}

async function readText(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}
