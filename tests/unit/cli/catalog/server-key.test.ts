/** Commands on a catalog of other servers, without the key of these. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { registerCatalog } from '#server/cli/catalog/register-catalog';
import { openLocalTokens } from '#server/cli/token/local-tokens';
import { readEnv } from '#server/config';

const variables = { LQE_CATALOG_URL: 'postgres://127.0.0.1:1/none', LQE_SERVER_KEY: '' };
const before = { ...process.env };

let folder: string;
let dataDir: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lqe-no-key-'));
  dataDir = join(folder, 'data');
  Object.assign(process.env, variables);
});
afterEach(() => {
  process.env = { ...before };
  rmSync(folder, { recursive: true });
});

async function catalog(...args: string[]): Promise<void> {
  const program = new Command().exitOverride();
  registerCatalog(program);
  await program.parseAsync(['catalog', ...args, '--data-dir', dataDir], { from: 'user' });
}

const pull = (): Promise<void> => catalog('pull', join(dataDir, 'target'));

it.each([
  ['lqe catalog pull', pull],
  ['lqe token', () => openLocalTokens(readEnv(variables), dataDir)],
])('%s says that the key is missing, and creates none', async (_command, run) => {
  await expect(run()).rejects.toThrow('Set LQE_SERVER_KEY to the key of the servers.');
  expect(existsSync(dataDir)).toBe(false);
});

it('lqe catalog init says that it made a key, once', async () => {
  const printed = jest.spyOn(console, 'log').mockReturnValue();
  // Nothing listens at this address, so both calls fail later.
  for (let call = 0; call < 2; call++) await expect(catalog('init')).rejects.toThrow();
  const lines = printed.mock.calls.map(([line]) => line as string);
  printed.mockRestore();
  expect(lines).toEqual([expect.stringContaining(`made a new server key, ${join(dataDir, 'server.key')}: give it to`)]);
});
