/**
 * Failures of standard output and standard error. A reader that has read enough, such as `head`, ends no command in the
 * middle of its changes; a text that is lost for another reason, such as a full disk, makes the command fail at its
 * end.
 */
import { errorCode } from '../../common/caught-error';

interface OutputStream {
  on(event: 'error', listener: (error: unknown) => void): unknown;
}

/** The part of a process that is watched. */
interface OutputProcess {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream & { write(text: string): unknown };
  exitCode?: number | string | null | undefined;
  on(event: 'exit', listener: (code: number) => void): unknown;
}

export function watchOutput(host: OutputProcess = process): void {
  let lost: string | null = null;
  host.stdout.on('error', (error) => {
    const code = errorCode(error) ?? 'unknown error';
    if (code === 'EPIPE' || lost !== null) return;
    lost = code;
    host.stderr.write(`lqe: Standard output cannot be written (${code}), so what the command printed is lost.\n`);
  });
  // Progress and notes without a reader.
  host.stderr.on('error', () => undefined);
  host.on('exit', (code) => {
    if (lost !== null && code === 0) host.exitCode = 1;
  });
}
