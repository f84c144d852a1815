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

async function pull(): Promise<void> {
  const program = new Command().exitOverride();
  registerCatalog(program);
  const target = join(dataDir, 'target');
  await program.parseAsync(['catalog', 'pull', target, '--data-dir', dataDir], { from: 'user' });
}

it.each([
  ['lqe catalog pull', pull],
  ['lqe token', () => openLocalTokens(readEnv(variables), dataDir)],
])('%s says that the key is missing, and creates none', async (_command, run) => {
  await expect(run()).rejects.toThrow('Set LQE_SERVER_KEY to the key of the servers.');
  expect(existsSync(dataDir)).toBe(false);
});
