/**
 * Runs a job in a process of its own, so that its memory and its lock on the database file are released when it is
 * done.
 */
import { fork } from 'node:child_process';

/** @param file a built module that calls `serveJob`. */
export function runApart<Input, Output>(file: string, input: Input): Promise<Output> {
  return new Promise((resolve, reject) => {
    const child = fork(file, { stdio: 'inherit' });
    child.once('message', (output) => resolve(output as Output));
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)));
    child.once('error', reject);
    child.send(input as object);
  });
}

export function serveJob<Input, Output>(job: (input: Input) => Promise<Output>): void {
  process.once('message', (input) => {
    void job(input as Input).then((output) => process.send?.(output, () => process.exit(0)), fail);
  });
}

function fail(error: unknown): void {
  console.error(error);
  process.exit(1);
}
