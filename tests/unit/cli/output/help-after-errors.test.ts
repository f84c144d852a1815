import { Command } from 'commander';
import { registerImport } from '#server/cli/import/register-import';
import { expandHelp, showHelpAfterErrors } from '#server/cli/output/help-after-errors';
import { registerToken } from '#server/cli/token/register-token';

/** @returns standard error of a command with wrong arguments */
async function failureOf(...args: string[]): Promise<string> {
  let text = '';
  const program = new Command('lqe');
  registerToken(program);
  registerImport(program);
  showHelpAfterErrors(program);
  for (const command of [program, ...program.commands, ...program.commands.flatMap((child) => child.commands)])
    command.exitOverride().configureOutput({ writeErr: (part) => void (text += part) });
  await expect(program.parseAsync(args, { from: 'user' })).rejects.toThrow();
  return text;
}

it.each([
  [['frob'], "error: unknown command 'frob'\n(run lqe --help for usage)\n"],
  [['token', 'frob'], "error: unknown command 'frob'\n(run lqe token --help for usage)\n"],
  [
    ['token', 'create'],
    "error: required option '-n, --name <name>' not specified\n(run lqe token create --help for usage)\n",
  ],
  [['token', 'rotate'], "error: missing required argument 'token'\n(run lqe token rotate --help for usage)\n"],
  [
    ['import', 'a.jsonl', '--batch-size', 'many'],
    expect.stringMatching(/batch-size[^]*\(run lqe import --help for usage\)\n$/) as string,
  ],
])('the error of wrong arguments %j names the help of the command', async (args, shown) => {
  expect(await failureOf(...args)).toEqual(shown);
});

it.each([
  [['help'], ['help']],
  [
    ['help', 'token'],
    ['help', 'token'],
  ],
  [
    ['help', 'token', 'create'],
    ['token', 'create', '--help'],
  ],
  [
    ['token', 'help', 'create'],
    ['token', 'help', 'create'],
  ],
])('the arguments %j are read as %j', (args, read) => {
  expect(expandHelp(args)).toEqual(read);
});
