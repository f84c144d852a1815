/**
 * Makes the project ready and runs every test. Further words go to jest:
 *
 *   npm test
 *   npm test -- --selectProjects unit
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { provideChromium } from './chromium.mjs';
import { provideClickHouse } from './clickhouse.mjs';
import { provideDatabases } from './databases.mjs';
import { ROOT, setup } from './setup.mjs';

setup();
const words = process.argv.slice(2);
const chromium = words.length === 0 || words.includes('workbench') ? provideChromium() : undefined;
if (words.length === 0 || words.some((word) => /integration|conformance|clickhouse/.test(word))) provideClickHouse();
const databases = words.length === 0 || words.some((word) => /integration|shared/.test(word)) ? provideDatabases() : {};
const env = { ...process.env, ...databases, ...(chromium && { CHROMIUM: chromium }) };
// A browser beside the attacks and the load of the other tests is as slow as no user's would be: it comes after them.
const runs =
  words.length > 0
    ? [words]
    : [
        ['--ignoreProjects', 'workbench'],
        ['--selectProjects', 'workbench'],
      ];
process.exitCode = runs.map(runJest).find((code) => code !== 0) ?? 0;

/** @returns {number} the exit code */
function runJest(more) {
  const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
  const args = [jest, '--config', join('tests', 'jest.config.cjs'), ...more];
  const done = spawnSync(process.execPath, args, { cwd: ROOT, env, stdio: 'inherit' });
  if (done.signal) console.error(`The tests were ended by ${done.signal}.`);
  return done.status ?? 1;
}
