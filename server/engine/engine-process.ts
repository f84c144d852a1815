/** One engine process and the pipe to it. Knows nothing of calls. */
import { type ChildProcess, spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import type { Duplex } from 'node:stream';
import { type FrameChannel, openFrameChannel } from './frame-channel';
import type { Frame } from './frames';

export interface EngineProcess {
  /** 0 when the process could not be started; `onExit` follows. */
  readonly pid: number;
  send(header: unknown, body?: Uint8Array): void;
  /** Ends the process at once; the store's files stay whole. */
  kill(): void;
}

export interface EngineProcessEvents {
  onFrame(frame: Frame): void;
  /** Once, after the last frame. @param how `exit code 1`, `signal SIGKILL`, or why it could not be started. */
  onExit(how: string): void;
}

/** The engine needs no secret of its server, so it gets no environment but this. */
const ENVIRONMENT_NAMES = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'LC_ALL', 'LD_LIBRARY_PATH', 'NODE_ENV', 'NODE_OPTIONS'];

export interface EngineProgram {
  readonly script: string;
  readonly maxConcurrentQueries: number;
}

/** For the writer, the journal and the file system. */
const THREADS_BESIDE_QUERIES = 4;

/** Where processors are short, queries give way to the process that answers probes and cached results. Higher is nicer. */
const NICENESS = 5;

/** How long a process may stay after it closed its pipe. */
const LINGER_MS = 3000;

export function spawnEngineProcess(program: EngineProgram, events: EngineProcessEvents): EngineProcess {
  const child = spawn(process.execPath, [program.script], {
    // A pipe of our own: the standard streams stay free for what the store's native code may print.
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
    env: engineEnvironment(program),
  });
  giveWay(child);
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
  // `close` and not `exit`: all that the process has sent is read by then.
  child.once('close', (code, signal) => exit(signal ? `signal ${signal}` : `exit code ${code ?? 'unknown'}`));

  const channel = openPipe(child, events, kill);
  return {
    pid: child.pid ?? 0,
    send: (header, body) => void channel?.send(header, body),
    kill,
  };
}

/** Before the process has made its threads: they inherit it. Not every system allows it, and none needs it. */
function giveWay({ pid }: ChildProcess): void {
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
  // Each running query holds one of libuv's threads (4 unless said), and nobody who sends events must wait for queries to end.
  const poolThreads = maxConcurrentQueries + THREADS_BESIDE_QUERIES;
  const environment: NodeJS.ProcessEnv = {
    TZ: 'UTC',
    UV_THREADPOOL_SIZE: String(poolThreads),
    // Each thread that allocates would have a pool of its own, and gives little of it back (measured: 70 of 750 MB).
    MALLOC_ARENA_MAX: '2',
  };
  for (const name of ENVIRONMENT_NAMES) {
    const value = process.env[name];
    if (value !== undefined) environment[name] = value;
  }
  return environment;
}
