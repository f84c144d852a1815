/**
 * Runs the calls that the console writes for Python with a real Python. Never part of `npm test`.
 *
 *   npm run test:python
 *   PYTHON=/opt/python/bin/python3 npm run test:python
 */
import { join } from 'node:path';
import { provideChromium } from '../provide/chromium.mjs';
import { run } from '../processes/run.mjs';
import { ROOT, setup } from '../setup.mjs';

const { PYTHON = 'python3' } = process.env;
if ((await run(PYTHON, ['--version'], { stdio: 'inherit' })) !== 0) {
  console.error(`There is no Python at ${PYTHON}: install one, or set PYTHON to the path of one.`);
  process.exit(1);
}
await setup();
const env = { ...process.env, ...(await provideChromium()), LQE_PYTHON: PYTHON };
const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
process.exitCode = await run(process.execPath, [jest], {
  cwd: ROOT,
  env,
  stdio: 'inherit',
});
