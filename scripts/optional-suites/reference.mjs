/**
 * Compares both stores with the reference implementation of GoogleSQL (tests/reference/README.md). Never part of
 * `npm test`.
 *
 *   npm run test:reference
 *   npm run test:reference -- --runs 10000 --seed 7 --stores duckdb generated
 *   npm run test:reference -- --runs 2000 --seed 8 --only wrapped --results build/reference-8 generated
 *   npm run test:reference -- --texts ~/googlesql public-texts
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { provideClickHouse } from '../provide/clickhouse.mjs';
import { provideDriver } from './reference/driver.mjs';
import { reportCounts } from './reference/report.mjs';
import { run } from '../processes/run.mjs';
import { ROOT, setup } from '../setup.mjs';

const { values, positionals } = parseArgs({
  options: {
    runs: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    stores: { type: 'string', default: 'duckdb,clickhouse' },
    only: { type: 'string' },
    results: { type: 'string', default: join('build', 'reference') },
    texts: { type: 'string' },
  },
  allowPositionals: true,
});

const driver = await provideDriver();
if (driver === undefined) process.exit(1);
await setup({ isServerNeeded: false });
if (values.stores.includes('clickhouse')) await provideClickHouse();
const results = resolve(ROOT, values.results);
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });
const env = {
  ...process.env,
  LQE_REFERENCE_DRIVER: driver,
  LQE_REFERENCE_RESULTS: results,
  LQE_REFERENCE_RUNS: values.runs,
  LQE_REFERENCE_SEED: values.seed,
  LQE_REFERENCE_STORES: values.stores,
  ...(values.only !== undefined && { LQE_REFERENCE_ONLY: values.only }),
  ...(values.texts !== undefined && { LQE_REFERENCE_TEXTS: resolve(values.texts) }),
};
const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
const args = [jest, ...positionals];
process.exitCode = await run(process.execPath, args, { cwd: ROOT, env, stdio: 'inherit' });
reportCounts(results);
