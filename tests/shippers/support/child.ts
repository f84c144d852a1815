/** A shipper as a process of its own. */
import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';

export interface Child {
  readonly process: ChildProcess;
  output(): string;
  /** Resolves when it says so; rejects with its words when it ends before. */
  says(pattern: RegExp): Promise<void>;
  ended(): Promise<void>;
  kill(): Promise<void>;
}

export function startChild(command: string, args: readonly string[], options: SpawnOptions = {}): Child {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'], ...options });
  let output = '';
  const ended = once(child, 'close').then(() => undefined);
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  return {
    process: child,
    output: () => output,
    says: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (pattern.test(output)) resolve();
        };
        child.stdout!.on('data', look);
        child.stderr!.on('data', look);
        void ended.then(() => reject(new Error(`${command} ended: ${output}`)));
        child.once('error', reject);
        look();
      }),
    ended: () => ended,
    kill: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await ended;
    },
  };
}
