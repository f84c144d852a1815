/** PostgreSQL and Redis as processes of a test: found, started on a free local port, stopped, suspended. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export interface DatabaseProcess {
  readonly url: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Suspends the process: connections stay open and get no response. */
  pause(): void;
  resume(): void;
  /** Stops, and leaves no file behind. */
  remove(): Promise<void>;
}

/** @throws Error that names what to install */
export function findProgram(name: string, places: readonly (string | undefined)[], install: string): string {
  const found = places.find((place) => place !== undefined && existsSync(place));
  if (found !== undefined) return found;
  throw new Error(`there is no ${name} on this machine: install the package "${install}"`);
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

interface Program {
  readonly file: string;
  readonly args: readonly string[];
  readonly uid?: number;
  readonly gid?: number;
  readonly stopSignal: NodeJS.Signals;
  readonly isReady: () => Promise<boolean>;
}

/** A program with its children, started again under the same arguments. */
export function superviseProgram({ file, args, uid, gid, stopSignal, isReady }: Program) {
  let child: ChildProcess | null = null;
  const signalAll = (signal: NodeJS.Signals): void => {
    if (child?.pid === undefined || child.exitCode !== null) return;
    // Processes of PostgreSQL lead groups of their own.
    const children = spawnSync('pgrep', ['-P', String(child.pid)], { encoding: 'utf8' }).stdout.split('\n');
    for (const pid of [child.pid, ...children.filter(Boolean).map(Number)]) signalOne(pid, signal);
  };
  process.on('exit', () => signalAll('SIGKILL'));

  return {
    async start(): Promise<void> {
      const started = spawn(file, args, { stdio: ['ignore', 'ignore', 'pipe'], uid, gid });
      child = started;
      const words: Buffer[] = [];
      started.stderr.on('data', (chunk: Buffer) => words.push(chunk));
      while (!(await isReady())) {
        if (started.exitCode !== null) throw new Error(`${file} ended: ${Buffer.concat(words).toString()}`);
        await delay(50);
      }
    },
    async stop(): Promise<void> {
      const ending = child;
      if (!ending || ending.exitCode !== null) return;
      const ended = once(ending, 'exit');
      signalAll('SIGCONT');
      ending.kill(stopSignal);
      await ended;
      child = null;
    },
    pause: () => signalAll('SIGSTOP'),
    resume: () => signalAll('SIGCONT'),
  };
}

function signalOne(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
