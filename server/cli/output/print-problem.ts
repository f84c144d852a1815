import { printable } from './terminal';

/** Prints a problem of a store that a command has opened, which a server would log. */
export function printProblem(message: string, cause: unknown): void {
  const reason = cause instanceof Error ? ` (${cause.message.split('\n', 1)[0]})` : '';
  console.error(printable(`${message}${reason}`));
}
