/**
 * Makes the project ready and runs every test. Further words go to jest:
 *
 *   npm test
 *   npm test -- --selectProjects unit
 */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { provideChromium } from './chromium.mjs';
import { provideClickHouse } from './clickhouse.mjs';
import { provideDatabases } from './databases.mjs';
import { run } from './run.mjs';
import { ROOT, setup } from './setup.mjs';

/** They begin while the rest is still being downloaded. */
const NEED_PACKAGES_ONLY = ['unit', 'plugin', 'backend', 'docs', 'console-unit'];
/** A browser beside the attacks and the load of the other tests is as slow as no user's would be: it comes after them. */
const LAST = ['workbench', 'console'];
/** Its tests wait for pages most of the time: two processors have work for three files. */
const WORKERS_OF_LAST = Math.max(3, availableParallelism() - 1);

const words = process.argv.slice(2);
/** @param {RegExp} pattern */
const needs = (pattern) => words.length === 0 || words.some((word) => pattern.test(word));
const provided = Promise.all([
  needs(/integration|conformance|clickhouse/) && provideClickHouse(),
  needs(/integration|shared/) && provideDatabases(),
  needs(/workbench|console/) && provideChromium(),
]);
await setup();
const codes = words.length > 0 ? [await runJest(words)] : await runAll();
process.exitCode = codes.find((code) => code !== 0) ?? 0;

async function runAll() {
  // Where nothing is downloaded any more, one run keeps all processors busy until its end.
  const isProvided = await Promise.race([provided.then(() => true), setImmediate(false)]);
  const first = isProvided ? [] : NEED_PACKAGES_ONLY;
  return [
    ...(first.length > 0 ? [await runJest(['--selectProjects', ...first], { env: process.env })] : []),
    await runJest(['--ignoreProjects', ...first, ...LAST]),
    await runJest(['--selectProjects', ...LAST, '--maxWorkers', String(WORKERS_OF_LAST)]),
  ];
}

/**
 * @param {readonly string[]} more
 * @param {{ env?: NodeJS.ProcessEnv }} options without an environment: what is provided is waited for
 */
async function runJest(more, { env } = {}) {
  const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
  const args = [jest, ...more];
  const complete = env ?? Object.assign({ ...process.env }, ...(await provided));
  return run(process.execPath, args, { cwd: ROOT, env: complete, stdio: 'inherit' });
}
