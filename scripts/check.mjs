/**
 * What must pass at every commit: types, lint, format and directions of imports, two at a time, then the unit tests. It
 * reports all failures, not only the first.
 *
 *   npm run check
 */
import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { run } from './processes/run.mjs';
import { ROOT } from './setup.mjs';

/** The longest first. */
const CHECKS = ['lint', 'types', 'format:check', 'deps'];
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

const options = { cwd: ROOT, shell: process.platform === 'win32' };
const waiting = [...CHECKS];
/** @type {string[]} */
const failed = [];
await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, checkInTurn));
if ((await run('npm', ['run', '-s', 'test:unit'], { ...options, stdio: 'inherit' })) !== 0) failed.push('test:unit');
if (failed.length > 0) {
  console.error(`\nFailed: ${failed.join(', ')}`);
  process.exitCode = 1;
}

async function checkInTurn() {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    const output = await check(name);
    console.log(output === null ? `${name}: fine` : `${name}: failed\n${output}`);
    if (output !== null) failed.push(name);
  }
}

/**
 * @param {string} name of the npm script
 * @returns {Promise<string | null>} what it wrote; null when nothing is wrong
 */
function check(name) {
  return new Promise((resolve) => {
    execFile('npm', ['run', '-s', name], { ...options, maxBuffer: MAX_OUTPUT_BYTES }, (error, stdout, stderr) =>
      resolve(error ? stdout + stderr : null)
    );
  });
}
