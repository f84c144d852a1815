import { EventEmitter } from 'node:events';
import { watchOutput } from '#server/cli/output/watch-output';

function watched() {
  const written: string[] = [];
  const streams = {
    stdout: new EventEmitter(),
    stderr: Object.assign(new EventEmitter(), { write: (text: string) => written.push(text) }),
  };
  const host = Object.assign(new EventEmitter(), streams, { exitCode: undefined as number | undefined });
  watchOutput(host);
  return { host, written };
}

const failure = (code: string): Error => Object.assign(new Error(code), { code });

it('a reader of standard output that has read enough ends no command and is no failure', () => {
  const { host, written } = watched();
  host.stdout.emit('error', failure('EPIPE'));
  host.stdout.emit('error', failure('EPIPE'));
  host.emit('exit', 0);
  expect([host.exitCode, written]).toEqual([undefined, []]);
});

it('standard output that cannot be written makes the command fail, and is reported once', () => {
  const { host, written } = watched();
  host.stdout.emit('error', failure('ENOSPC'));
  host.stdout.emit('error', failure('ENOSPC'));
  host.emit('exit', 0);
  expect([host.exitCode, written]).toEqual([1, [expect.stringContaining('(ENOSPC)')]]);
});

it('another exit code of a command stays', () => {
  const { host } = watched();
  host.stdout.emit('error', failure('ENOSPC'));
  host.emit('exit', 130);
  expect(host.exitCode).toBeUndefined();
});

it('standard error that cannot be written ends no command', () => {
  const { host } = watched();
  expect(() => host.stderr.emit('error', failure('EPIPE'))).not.toThrow();
});
