/**
 * Runs the tests that have properties with random seeds, and properties whose number of runs is a choice 200 times:
 *
 *   npm run test:random
 *   FC_RUNS=2000 npm run test:random -- tests/conformance/redaction
 */
import { execFileSync } from 'node:child_process';
import { run } from '../processes/run.mjs';
import { ROOT } from '../setup.mjs';

const paths = process.argv.slice(2);
const withProperties = ['grep', '-lF', "from 'fast-check'", '--', ...(paths.length > 0 ? paths : ['tests', 'src'])];
const files = execFileSync('git', withProperties, { cwd: ROOT, encoding: 'utf8' }).split('\n').filter(isTest);
const projects = ['unit', 'plugin', 'backend', 'conformance', 'conformance-clickhouse', 'integration'];
const { FC_SEED = 'random', FC_RUNS = '200' } = process.env;
process.exitCode = await run(process.execPath, ['scripts/test.mjs', '--selectProjects', ...projects, '--', ...files], {
  cwd: ROOT,
  env: { ...process.env, FC_SEED, FC_RUNS },
  stdio: 'inherit',
});

/** @param {string} file */
function isTest(file) {
  return /\.test\.tsx?$/.test(file);
}
