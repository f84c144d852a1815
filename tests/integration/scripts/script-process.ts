/** Starts scripts and the command line tool as a user at a terminal would, and collects their output. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { promisify } from 'node:util';

export const ROOT = path.resolve(__dirname, '..', '..', '..');

export interface RunningProcess {
  readonly child: ChildProcess;
  /** Standard output and standard error so far. */
  text(): string;
  /** Resolves once the text holds the words; rejects when the process ends first. */
  says(words: string | RegExp): Promise<string>;
  /** Sends the signal and resolves with the exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
  readonly exited: Promise<number | null>;
}

export function startProcess(
  file: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {}
): RunningProcess {
  const child = spawn(process.execPath, [path.join(ROOT, file), ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...variables },
  });
  let output = '';
  const listeners = new Set<() => void>();
  const gather = (chunk: Buffer): void => {
    output += chunk.toString('utf8');
    for (const listener of listeners) listener();
  };
  child.stdout.on('data', gather);
  child.stderr.on('data', gather);
  const exited = once(child, 'close').then(([code]) => code as number | null);

  function says(words: string | RegExp): Promise<string> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const isSaid = typeof words === 'string' ? output.includes(words) : words.test(output);
        if (!isSaid) return;
        listeners.delete(look);
        resolve(output);
      };
      listeners.add(look);
      look();
      void exited.then(() => reject(new Error(`${file} ended without saying ${String(words)}:\n${output}`)));
    });
  }

  function end(signal: NodeJS.Signals = 'SIGINT'): Promise<number | null> {
    child.kill(signal);
    return exited;
  }

  return { child, text: () => output, says, end, exited };
}

/** Pastes a line into a shell. */
export async function paste(line: string): Promise<string> {
  const { stdout } = await promisify(execFile)('sh', ['-c', line], { maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}
