/** Builds the server and the plugin's backend once, before the tests that start them. Fit for jest's `globalSetup`. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import buildServer from '../../support/processes/build-server';
import { PLUGIN_FOLDER } from './host-environment';

const ROOT = path.resolve(__dirname, '..', '..', '..');

export default async function buildPlugin(): Promise<void> {
  // The run of the other files, which begins at the same time, builds it: written twice, it would change under a test.
  if (process.env.FILES_THAT_WAIT === 'only') return;
  await buildServer();
  const script = path.join(ROOT, 'scripts', 'plugin', 'build-backend.mjs');
  execFileSync(process.execPath, [script, '--out', PLUGIN_FOLDER], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
