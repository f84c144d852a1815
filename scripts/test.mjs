/**
 * Makes the project ready and runs every test. Further words go to jest:
 *
 *   npm test
 *   npm test -- --selectProjects unit
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { provideChromium } from './chromium.mjs';
import { ROOT, setup } from './setup.mjs';

setup();
const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
const words = process.argv.slice(2);
const chromium = words.length === 0 || words.includes('workbench') ? provideChromium() : undefined;
const env = { ...process.env, ...(chromium && { CHROMIUM: chromium }) };
const args = [jest, '--config', join('tests', 'jest.config.cjs'), ...words];
const done = spawnSync(process.execPath, args, { cwd: ROOT, env, stdio: 'inherit' });
if (done.signal) console.error(`The tests were ended by ${done.signal}.`);
process.exitCode = done.status ?? 1;
