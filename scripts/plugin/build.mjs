/**
 * Builds the whole data source into dist/: installs the packages that are missing, then the browser part and the
 * backend.
 *
 *   npm run build:plugin
 */
import { join } from 'node:path';
import { run } from '../processes/run.mjs';
import { ROOT, setup } from '../setup.mjs';

const WEBPACK = join('node_modules', 'webpack', 'bin', 'webpack.js');

await setup({ purpose: 'develop', isServerNeeded: false });
const steps = [
  [WEBPACK, '-c', './webpack.config.ts', '--env', 'production'],
  [join('scripts', 'plugin', 'build-backend.mjs')],
];
for (const args of steps) {
  process.exitCode = await run(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
  if (process.exitCode !== 0) break;
}
