/** The ClickHouse engine of the tests: a package of its own, 540 MB, which users of the server never download. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../processes/run.mjs';
import { ROOT } from '../setup.mjs';

const PACKAGE = join(ROOT, 'tests', 'clickhouse');

/**
 * Installs it when it is missing or another than the lockfile says. The tests that need it fail without, and say so.
 */
export async function provideClickHouse() {
  if (isInstalled()) return;
  console.log('Installing the ClickHouse engine for the tests (540 MB) ...');
  const code = await run('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: PACKAGE,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (code !== 0) console.error('The ClickHouse engine cannot be installed: tests that need it will fail.');
}

function isInstalled() {
  const present = join(PACKAGE, 'node_modules', '.package-lock.json');
  if (!existsSync(present)) return false;
  const wanted = JSON.parse(readFileSync(join(PACKAGE, 'package-lock.json'), 'utf8')).packages;
  const installed = JSON.parse(readFileSync(present, 'utf8')).packages;
  return Object.entries(wanted).every(
    ([path, entry]) => path === '' || entry.optional || installed[path]?.version === entry.version
  );
}
