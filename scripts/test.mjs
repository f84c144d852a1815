/**
 * Makes the project ready and runs every test. Further words go to jest:
 *
 *   npm test
 *   npm test -- --selectProjects unit
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT, setup } from './setup.mjs';

setup();
const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
const args = [jest, '--config', join('tests', 'jest.config.cjs'), ...process.argv.slice(2)];
const done = spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
if (done.signal) console.error(`The tests were ended by ${done.signal}.`);
process.exitCode = done.status ?? 1;
