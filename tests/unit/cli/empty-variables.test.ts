import { Command } from 'commander';
import { SETTINGS } from '#contract/settings';
import { registerBackup } from '#server/cli/backup/register-backup';
import { registerCatalog } from '#server/cli/catalog/register-catalog';
import { registerCopy } from '#server/cli/copy/register-copy';
import { registerEndpoints } from '#server/cli/endpoints/register-endpoints';
import { registerImport } from '#server/cli/import/register-import';
import { registerMcp } from '#server/cli/mcp/register-mcp';
import { registerRestore } from '#server/cli/restore/register-restore';
import { registerStore } from '#server/cli/store/register-store';
import { registerToken } from '#server/cli/token/register-token';

const REGISTERS = [
  registerBackup,
  registerCatalog,
  registerCopy,
  registerEndpoints,
  registerImport,
  registerMcp,
  registerRestore,
  registerStore,
  registerToken,
];
const NAMES = [...SETTINGS.map(({ name }) => name), 'LQE_URL', 'LQE_TOKEN'];
const before = { ...process.env };

beforeEach(() => {
  for (const name of NAMES) process.env[name] = '';
});
afterEach(() => {
  for (const name of NAMES) {
    if (before[name] === undefined) delete process.env[name];
    else process.env[name] = before[name];
  }
});

it.each(REGISTERS)('an empty variable counts as not set in the options of a command: %p', (register) => {
  const program = new Command();
  register(program);
  const all = (command: Command): Command[] => [command, ...command.commands.flatMap((child) => all(child))];
  const options = all(program).flatMap((command) => command.options);
  expect(options.length).toBeGreaterThan(0);
  expect(options.filter(({ defaultValue }) => defaultValue === '').map(({ long }) => long)).toEqual([]);
});

const WITH_SERVER = { import: registerImport, mcp: registerMcp };

it.each(Object.entries(WITH_SERVER))('lqe %s works on the server of LQE_URL', (name, register) => {
  process.env.LQE_URL = 'https://logs.example.com';
  const program = new Command();
  register(program);
  expect(program.commands.map((command) => [command.name(), command.getOptionValue('url')])).toEqual([
    [name, 'https://logs.example.com'],
  ]);
});
