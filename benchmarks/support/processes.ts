/**
 * What the operating system says about processes and folders: memory, processor time, size. Linux only, as the numbers
 * that are published.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const TICKS_PER_SECOND = 100;

/** Resident memory in bytes. Pages of files are counted once: server and engine map the same program, which is Node. */
export function residentBytes(...pids: readonly number[]): number {
  const own = pids.map((pid) => statusBytes(pid, 'RssAnon') + statusBytes(pid, 'RssShmem'));
  return own.reduce((sum, bytes) => sum + bytes, 0) + Math.max(...pids.map((pid) => statusBytes(pid, 'RssFile')));
}

/** Sum of the largest resident memory of each process since its start, in bytes; shared pages are counted in each. */
export function peakResidentBytes(...pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + statusBytes(pid, 'VmHWM'), 0);
}

function statusBytes(pid: number, name: string): number {
  const match = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(match?.[1] ?? 0) * 1024;
}

/** Processor time used so far, in seconds, of all threads. */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** As `cpuSeconds`, in milliseconds and without its steps of 10 ms. Threads that have ended are not counted. */
export function cpuMs(pid: number): number {
  const nanos = readdirSync(`/proc/${pid}/task`).map((task) =>
    Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0])
  );
  return nanos.reduce((sum, value) => sum + value, 0) / 1e6;
}

/** The engine is the one child of the server. */
export function childOf(pid: number): number {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
  );
  if (children.length !== 1) throw new Error(`expected one child of process ${pid}, found ${children.length}`);
  return children[0] as number;
}

/** Size of all files in a folder. */
export function bytesBelow(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}
