/** One engine process and the pipe to it. Contains no logic of calls. */
import { type ChildProcess, spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import type { Duplex } from 'node:stream';
import { type FrameChannel, openFrameChannel } from '../../protocol/frame-channel';
import type { Frame } from '../../protocol/frames';

export interface EngineProcess {
  /** 0 when the process could not be started; `onExit` follows. */
  readonly pid: number;
  send(header: unknown, body?: Uint8Array): void;
  /** Kills the process at once; the store's files stay intact. */
  readonly kill: () => void;
}

export interface EngineProcessEvents {
  readonly onFrame: (frame: Frame) => void;
  /** Called once, after the last frame. @param how `exit code 1`, `signal SIGKILL`, or the start error. */
  onExit(how: string): void;
}

/** Names of the inherited environment variables. The engine needs no secret of the server, so it gets no other ones. */
const ENVIRONMENT_NAMES = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'LC_ALL', 'LD_LIBRARY_PATH', 'NODE_ENV', 'NODE_OPTIONS'];

export interface EngineProgram {
  readonly script: string;
  readonly maxConcurrentQueries: number;
}

/** Threads of libuv for the writer, the journal and the file system. */
const THREADS_BESIDE_QUERIES = 4;

/**
 * Niceness of the engine: when processors are scarce, queries yield to the server, which answers probes and cached
 * results.
 */
const NICENESS = 5;

/**
 * Size of the halves of V8's young generation. The rows of a batch live until they are in the tables; with the default
 * of 16 MiB, collections copy those of several batches (measured: 40,000 instead of 43,000 events/s).
 */
const SEMI_SPACE_MIB = 32;

/** How long a process may keep running after it closed its pipe. */
const LINGER_MS = 3000;

export function spawnEngineProcess(program: EngineProgram, events: EngineProcessEvents): EngineProcess {
  const flags = [`--max-semi-space-size=${SEMI_SPACE_MIB}`, '--expose-gc'];
  const child = spawn(process.execPath, [...flags, program.script], {
    // A pipe of its own: the standard streams stay free for what the store's native code may print. They are not
    // inherited: a child process makes inherited pipes block, for the server too.
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    env: engineEnvironment(program),
  });
  lowerPriority(child);
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', passOnOutput);
  const kill = (): void => void child.kill('SIGKILL');
  const exitWithServer = (): void => kill();
  process.once('exit', exitWithServer);

  let hasExited = false;
  const exit = (how: string): void => {
    if (hasExited) return;
    hasExited = true;
    process.removeListener('exit', exitWithServer);
    events.onExit(how);
  };
  child.once('error', (error) => exit(`it could not be started: ${error.message}`));
  // `close` and not `exit`: by then all frames of the process have been read.
  child.once('close', (code, signal) => exit(signal ? `signal ${signal}` : `exit code ${code ?? 'unknown'}`));

  const channel = openPipe(child, events, kill);
  return {
    pid: child.pid ?? 0,
    send: (header, body) => void channel?.send(header, body),
    kill,
  };
}

/** Output of the engine that the reader of standard error has not taken yet; more is dropped. */
const MAX_UNREAD_BYTES = 256 * 1024;

function passOnOutput(output: Buffer): void {
  if (process.stderr.writableLength < MAX_UNREAD_BYTES) process.stderr.write(output);
}

/**
 * Sets the niceness before the process creates its threads, which inherit it. Some systems forbid it; the engine works
 * without it.
 */
function lowerPriority({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, NICENESS);
  } catch {
    return;
  }
}

function openPipe(child: ChildProcess, events: EngineProcessEvents, kill: () => void): FrameChannel | null {
  const pipe = child.stdio[3] as Duplex | null | undefined;
  if (!pipe) return null;
  return openFrameChannel(pipe, {
    onFrame: events.onFrame,
    onClose: () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const timer = setTimeout(kill, LINGER_MS);
      child.once('exit', () => clearTimeout(timer));
    },
  });
}

function engineEnvironment({ maxConcurrentQueries }: EngineProgram): NodeJS.ProcessEnv {
  // Each running query holds one of libuv's threads (4 by default), and ingestion must not wait for queries to end.
  const poolThreads = maxConcurrentQueries + THREADS_BESIDE_QUERIES;
  const environment: NodeJS.ProcessEnv = {
    TZ: 'UTC',
    UV_THREADPOOL_SIZE: String(poolThreads),
    // Otherwise each allocating thread has its own arena and returns little of it to the system (measured: 70 of 750
    // MB).
    MALLOC_ARENA_MAX: '2',
  };
  for (const name of ENVIRONMENT_NAMES) {
    const value = process.env[name];
    if (value !== undefined) environment[name] = value;
  }
  return environment;
}
