/** What all commands of `lqe endpoints` share: the server, exit codes, how problems are printed. */
import { createManagementClient } from '../remote/management-client';
import { type ServerFlags, targetOf } from '../remote/server-options';
import { formatFileProblem, type FileProblem } from './definition/local-definition';
import { createRemoteQueries, type RemoteQueries } from './remote/remote-queries';
import { printable, processTerminal, type Terminal } from '../output/terminal';

/** 0: done, or nothing to do; 1: failed; 2: there are differences, or some saved queries were not imported. */
export const EXIT_CODES = { done: 0, failed: 1, different: 2 } as const;
export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES];

export interface CommandContext {
  readonly remote: RemoteQueries;
  readonly terminal: Terminal;
}

/** Runs a command and sets the exit code of the process. */
export async function withServer(
  flags: ServerFlags,
  run: (context: CommandContext) => Promise<ExitCode>
): Promise<void> {
  const terminal = processTerminal();
  const { url, token } = targetOf(flags, 'endpoints:read');
  const client = createManagementClient({ url, token }, { onWait: (line) => terminal.warn(printable(line)) });
  process.exitCode = await run({ remote: createRemoteQueries(client), terminal });
}

const MAX_PRINTED = 100;

/** Prints problems of files. @returns the exit code of a failure */
export function failWith(problems: readonly FileProblem[], terminal: Terminal): ExitCode {
  for (const problem of problems.slice(0, MAX_PRINTED)) terminal.warn(formatFileProblem(problem));
  if (problems.length > MAX_PRINTED) terminal.warn(`and ${problems.length - MAX_PRINTED} more problems`);
  terminal.warn('Nothing was changed. Correct these problems and run the command again.');
  return EXIT_CODES.failed;
}
