/** How commands say what is right: their help, and where it is after wrong arguments. */
import type { Command } from 'commander';

/** Also for all commands below this one, which must be registered. */
export function showHelpAfterErrors(command: Command, path: string = command.name()): void {
  command.showHelpAfterError(`(run ${path} --help for usage)`);
  for (const child of command.commands) showHelpAfterErrors(child, `${path} ${child.name()}`);
}

/** `help token create` as `token create --help`: the library reads the first word only. */
export function expandHelp(args: readonly string[]): readonly string[] {
  const [word, ...rest] = args;
  return word === 'help' && rest.length > 1 ? [...rest, '--help'] : args;
}
