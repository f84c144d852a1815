/**
 * Builds and runs the benchmarks (benchmarks/README.md).
 *
 *   npm run bench
 *   npm run bench -- --sizes 1,5
 *   npm run bench -- --only load
 *   npm run bench -- --only clickhouse --sizes 5,10
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { provideChromium } from './provide/chromium.mjs';
import { bundleForNode } from './bundles/bundle-for-node.mjs';
import { provideClickHouse } from './provide/clickhouse.mjs';
import { freePort, startServer } from './processes/server-process.mjs';
import { ROOT, setup } from './setup.mjs';

await setup();
/** @param {string} part */
const isAsked = (part) => process.argv.slice(2).some((word) => word.endsWith(part));
if (isAsked('clickhouse')) await provideClickHouse();
if (isAsked('console')) Object.assign(process.env, await provideChromium());
const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
const built = spawnSync(process.execPath, [compiler, '-b', 'benchmarks'], {
  cwd: ROOT,
  stdio: 'inherit',
});
if (built.status !== 0) process.exit(1);
const pluginBuild = join(ROOT, 'scripts', 'plugin', 'build-backend.mjs');
const args = [pluginBuild, '--out', join('build', 'plugin')];
if (spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' }).status !== 0) process.exit(1);
for (const name of ['run', 'floor'])
  await bundleForNode(
    join('benchmarks', 'interfaces', 'plugin', `${name}.ts`),
    join('build', 'benchmarks', 'interfaces', 'plugin', `${name}.js`)
  );
const { runBenchmarks } = await import('../build/benchmarks/run.js');
await runBenchmarks({ root: ROOT, args: process.argv.slice(2), scripts: { startServer, freePort } });
