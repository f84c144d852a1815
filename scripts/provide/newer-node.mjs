/** A newer Node than that of the tests, which the image of the server has: its zlib differs. */
import { join } from 'node:path';
import { installRuntime, RUNTIMES } from '../plugin/runtimes.mjs';
import { ROOT } from '../setup.mjs';

/**
 * @returns its path, as environment; left out where it is not installed, and the test that needs it fails and names it.
 */
export async function provideNewerNode() {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const platform = `${system}_${process.arch === 'x64' ? 'amd64' : process.arch}`;
  if (!(platform in RUNTIMES)) return {};
  try {
    return { NEWER_NODE: (await installRuntime(platform, join(ROOT, 'build', 'runtimes'))).binary };
  } catch (error) {
    console.error(`A newer Node cannot be installed: ${/** @type {Error} */ (error).message}`);
    return {};
  }
}
