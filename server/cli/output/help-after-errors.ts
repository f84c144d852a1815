/** Wrong arguments: the error ends with the command whose help says what is right. */
import type { Command } from 'commander';

/** Also for all commands below this one, which must be registered. */
export function showHelpAfterErrors(command: Command, path: string = command.name()): void {
  command.showHelpAfterError(`(run ${path} --help for usage)`);
  for (const child of command.commands) showHelpAfterErrors(child, `${path} ${child.name()}`);
}
