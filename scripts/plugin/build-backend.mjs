/**
 * Bundles the plugin's backend into one file and puts a launcher for each platform beside it, to be run by the Node of
 * the machine. Packages with a Node of their own are made by scripts/plugin/package.mjs.
 *
 *   npm run build:backend
 *   npm run build:backend -- --out /tmp/plugin
 */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundleForNode } from '../bundles/bundle-for-node.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Platforms whose launcher is a shell script. */
const PLATFORMS = ['linux_amd64', 'linux_arm64', 'darwin_amd64', 'darwin_arm64'];
/** Not beginning with the name of the executable: every such file counts as one. */
export const BUNDLE = 'backend.cjs';

/**
 * Without the first two Node keeps a few hundred MB after a large result. With pretenuring, objects of each call that
 * are soon unused are put into the old space, where they keep the rest of their call alive until a full collection.
 */
export const HEAP_FLAGS = ['--max-old-space-size=96', '--max-semi-space-size=4', '--no-allocation-site-pretenuring'];

/** @param {string} outDir */
export async function bundleBackend(outDir) {
  await bundleForNode(join('backend', 'main.ts'), join(outDir, BUNDLE), { minify: true });
}

export function executableName() {
  const text = readFileSync(join(ROOT, 'contract', 'plugin', 'plugin.ts'), 'utf8');
  const name = /EXECUTABLE = '([^']+)'/.exec(text)?.[1];
  if (name === undefined) throw new Error('contract/plugin/plugin.ts does not name the executable.');
  return name;
}

/**
 * @param {string} outDir
 * @param {string} platform
 * @param {string} buildNode the Node that is tried last; empty for none
 */
export function writeLauncher(outDir, platform, buildNode) {
  const text = readFileSync(join(ROOT, 'scripts', 'plugin', 'launcher.sh'), 'utf8')
    .replace('@BUILD_NODE@', buildNode)
    .replace('@HEAP_FLAGS@', HEAP_FLAGS.join(' '));
  const file = join(outDir, `${executableName()}_${platform}`);
  writeFileSync(file, text);
  chmodSync(file, 0o755);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { out: { type: 'string', default: join(ROOT, 'dist') } } });
  const outDir = resolve(values.out);
  mkdirSync(outDir, { recursive: true });
  await bundleBackend(outDir);
  for (const platform of PLATFORMS) writeLauncher(outDir, platform, process.execPath);
}
