/**
 * Makes the project ready and runs every test. Further words go to jest:
 *
 *   npm test
 *   npm test -- --selectProjects unit
 */
import { closeSync, openSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { provideChromium } from './provide/chromium.mjs';
import { provideClickHouse } from './provide/clickhouse.mjs';
import { provideDatabases } from './provide/databases.mjs';
import { provideNewerNode } from './provide/newer-node.mjs';
import { run } from './processes/run.mjs';
import { build, isBuilt, ROOT, setup } from './setup.mjs';

/** They begin while the server is being built, and the rest is being downloaded. */
const NEED_PACKAGES_ONLY = ['unit', 'plugin', 'backend', 'docs', 'console-unit'];
/**
 * A browser beside the attacks and the load of the other tests is as slow as no user's would be: it comes after them.
 */
const LAST = ['workbench', 'console'];
/** Its tests wait for pages most of the time: two processors have work for four files. */
const WORKERS_OF_LAST = Math.max(4, availableParallelism() - 1);

/**
 * Each process of Node reads further certificates when it starts, which takes 40 ms, and tests start a thousand. A test
 * that downloads sets them again.
 */
const { NODE_EXTRA_CA_CERTS: CERTIFICATES } = process.env;
const WITHOUT_CERTIFICATES = CERTIFICATES && { NODE_EXTRA_CA_CERTS: undefined, DOWNLOAD_CA_CERTS: CERTIFICATES };

/**
 * Tests leave much behind in each file: with larger halves for young objects V8 copies less of it. Each file evaluates
 * all modules again, and few functions run long enough to earn back what it costs to optimize them: V8 begins later,
 * with a flag that newer versions of Node do not have. Threads that collect beside the program would only wait for
 * processors, all of which have work.
 */
const NODE_FLAGS = [
  '--max-semi-space-size=64',
  '--single-threaded-gc',
  ...(process.version.startsWith('v20.') ? ['--interrupt-budget=500000'] : []),
];

const words = process.argv.slice(2);
/** @param {RegExp} pattern */
const needs = (pattern) => words.length === 0 || words.some((word) => pattern.test(word));
const provided = Promise.all([
  needs(/integration|conformance|clickhouse/) && provideClickHouse(),
  needs(/integration|shared/) && provideDatabases(),
  needs(/workbench|console/) && provideChromium(),
  needs(/integration|newer-node/) && provideNewerNode(),
]);
await setup({ isServerNeeded: words.length > 0 || isBuilt() });
const codes = words.length > 0 ? [await runJest(words)] : await runAll();
process.exitCode = codes.find((code) => code !== 0) ?? 0;

async function runAll() {
  // Where all is there, one run keeps all processors busy until its end.
  const isReady = isBuilt() && (await Promise.race([provided.then(() => true), setImmediate(false)]));
  const first = isReady ? [] : NEED_PACKAGES_ONLY;
  const [isServerBuilt, ...codesOfFirst] = await Promise.all([
    isBuilt() || build(),
    ...(first.length > 0 ? [runJest(['--selectProjects', ...first], { isAllNeeded: false })] : []),
  ]);
  if (!isServerBuilt) {
    console.error('The build failed; its errors are above, among the results of the first tests.');
    return [1];
  }
  return [
    ...codesOfFirst,
    ...(await runWithWaiting(['--ignoreProjects', ...first, ...LAST])),
    await runJest(['--selectProjects', ...LAST, '--maxWorkers', String(WORKERS_OF_LAST)]),
  ];
}

/**
 * Files that wait most of the time (`@waits`) run one by one beside the others, whose processors they leave alone.
 * Their output follows when both are over.
 *
 * @param {readonly string[]} projects
 */
async function runWithWaiting(projects) {
  const output = join(ROOT, 'build', 'tests-that-wait.log');
  const file = openSync(output, 'w');
  const codes = await Promise.all([
    runJest(projects, { env: { FILES_THAT_WAIT: 'none' } }),
    runJest([...projects, '--maxWorkers', '1'], { env: { FILES_THAT_WAIT: 'only' }, stdio: ['ignore', file, file] }),
  ]);
  closeSync(file);
  process.stdout.write(readFileSync(output));
  return codes;
}

/**
 * @param {readonly string[]} more
 * @param {{ env?: NodeJS.ProcessEnv, stdio?: import('node:child_process').StdioOptions, isAllNeeded?: boolean }}
 *   options `isAllNeeded`: waits for what is provided
 */
async function runJest(more, { env = {}, stdio = 'inherit', isAllNeeded = true } = {}) {
  const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
  const places = isAllNeeded ? await provided : [];
  return run(process.execPath, [...NODE_FLAGS, jest, ...more], {
    cwd: ROOT,
    env: Object.assign({ ...process.env, ...WITHOUT_CERTIFICATES, ...env }, ...places),
    stdio,
  });
}
