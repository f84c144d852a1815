/** The command line tool `lqe`. */
import { Command } from 'commander';
import { formatFailure } from './output/format-failure';
import { expandHelp, showHelpAfterErrors } from './output/help-after-errors';
import { printable } from './output/terminal';
import { watchOutput } from './output/watch-output';
import { VERSION } from '../common/version';

type Register = (program: Command) => void;

/** A command loads its own module only: the libraries of all of them take longer to load than some commands to run. */
const COMMANDS: Readonly<Record<string, () => Promise<Register>>> = {
  token: async () => (await import('./token/register-token.js')).registerToken,
  catalog: async () => (await import('./catalog/register-catalog.js')).registerCatalog,
  endpoints: async () => (await import('./endpoints/register-endpoints.js')).registerEndpoints,
  sources: async () => (await import('./sources/register-sources.js')).registerSources,
  import: async () => (await import('./import/register-import.js')).registerImport,
  store: async () => (await import('./store/register-store.js')).registerStore,
  copy: async () => (await import('./copy/register-copy.js')).registerCopy,
  backup: async () => (await import('./backup/register-backup.js')).registerBackup,
  mcp: async () => (await import('./mcp/register-mcp.js')).registerMcp,
  restore: async () => (await import('./restore/register-restore.js')).registerRestore,
};

async function main(): Promise<void> {
  watchOutput();
  const program = new Command('lqe')
    .description('Log Query Endpoints: saved queries over logs, served over HTTP')
    .version(VERSION, '-V, --version', 'print the version of this program');
  const args = expandHelp(process.argv.slice(2));
  const word = args[0] ?? '';
  const names = Object.hasOwn(COMMANDS, word) ? [word] : Object.keys(COMMANDS);
  for (const name of names) (await COMMANDS[name]!())(program);
  showHelpAfterErrors(program);
  await program.parseAsync(args, { from: 'user' });
}

main().catch((error: unknown) => {
  console.error(`lqe: ${printable(formatFailure(error))}`);
  process.exitCode = 1;
});
