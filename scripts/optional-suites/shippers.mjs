/**
 * Runs real log shippers against the built service (tests/shippers/README.md). Never part of `npm test`.
 *
 *   npm run test:shippers
 *   npm run test:shippers -- syslog-ng vector
 *   npm run test:shippers -- --clickhouse --lines 2000
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { provideClickHouse } from '../provide/clickhouse.mjs';
import { run } from '../processes/run.mjs';
import { ROOT, setup } from '../setup.mjs';
import { provideShippers } from './shippers/programs.mjs';
import { reportResults } from './shippers/report.mjs';

const { values, positionals } = parseArgs({
  options: { clickhouse: { type: 'boolean', default: false }, lines: { type: 'string', default: '10000' } },
  allowPositionals: true,
});

const store = values.clickhouse ? 'clickhouse' : 'duckdb';
const folder = join(ROOT, 'build', 'shippers');
const cases = join(folder, `cases-${store}.ndjson`);
await setup();
mkdirSync(folder, { recursive: true });
rmSync(cases, { force: true });
if (values.clickhouse) await provideClickHouse();
const programs = await provideShippers(positionals);
const env = {
  ...process.env,
  ...programs,
  LQE_SHIPPERS_LINES: values.lines,
  LQE_SHIPPERS_STORE: store,
  LQE_SHIPPERS_RESULTS: cases,
};
const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
const args = [jest, ...positionals];
process.exitCode = await run(process.execPath, args, { cwd: ROOT, env, stdio: 'inherit' });
reportResults(cases, join(folder, `results-${store}.json`));
