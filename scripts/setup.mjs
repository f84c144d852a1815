/**
 * Makes the project ready to run: installs the packages when they differ from package-lock.json, builds when a source
 * has changed. Does nothing, quickly, when both are up to date. Uses nothing that is not part of Node. Serving needs a
 * sixth of the packages that developing does: the others are for tests and for the data source's browser part.
 *
 *   npm run setup
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './processes/run.mjs';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const OLDEST_NODE = [20, 19, 0];
const BUILT = join(ROOT, 'build', 'bin', 'server.js');
const TYPESCRIPT = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');

/**
 * Ends the process with a message when a step fails: there is nothing to go on with.
 *
 * @param {{ purpose?: 'develop' | 'serve', isServerNeeded?: boolean }} options `isServerNeeded`: false leaves the
 *   server unbuilt
 */
export async function setup({ purpose = 'develop', isServerNeeded = true } = {}) {
  checkNode();
  if (!isInstalled(purpose)) await install(purpose);
  if (isServerNeeded && !(await build())) fail('The build failed; the errors are above.');
}

/** @returns true when a build of some version is there */
export const isBuilt = () => existsSync(BUILT);

function checkNode() {
  const version = process.versions.node.split('.').map(Number);
  const differences = OLDEST_NODE.map((part, at) => (version[at] ?? 0) - part);
  if ((differences.find((difference) => difference !== 0) ?? 0) < 0) {
    fail(`Node ${OLDEST_NODE.join('.')} or newer is needed; this is ${process.versions.node}.`);
  }
}

/**
 * Compares what npm says it has installed with the lockfile. Packages for other platforms are optional and may be
 * missing.
 *
 * @param {'develop' | 'serve'} purpose
 */
function isInstalled(purpose) {
  const wanted = readJson(join(ROOT, 'package-lock.json'));
  const present = readJson(join(ROOT, 'node_modules', '.package-lock.json'));
  if (!wanted || !present) return false;
  return Object.entries(wanted.packages).every(([path, entry]) => {
    if (path === '' || (purpose === 'serve' && (entry.dev || entry.devOptional))) return true;
    const installed = present.packages[path];
    return installed ? installed.version === entry.version : entry.optional === true;
  });
}

/** @param {'develop' | 'serve'} purpose */
async function install(purpose) {
  console.log('Installing packages ...');
  const args = ['ci', '--no-audit', '--no-fund', ...(purpose === 'serve' ? ['--omit=dev'] : [])];
  const npm = process.env.npm_execpath;
  const code =
    npm && npm.endsWith('.js')
      ? await run(process.execPath, [npm, ...args], { cwd: ROOT, stdio: 'inherit' })
      : await run('npm', args, { cwd: ROOT, stdio: 'inherit', shell: process.platform === 'win32' });
  if (code !== 0) fail('npm ci failed; its own words are above.');
}

/**
 * Builds what has changed; the TypeScript compiler keeps account of it in build/.
 *
 * @returns {Promise<boolean>} false when it has failed; the errors are printed
 */
export async function build() {
  if (!isBuilt()) console.log('Building ...');
  const [{ buildServer }, { buildConsole }] = await Promise.all([
    import('./bundles/build-server.mjs'),
    import('./bundles/build-console.mjs'),
  ]);
  const [code] = await Promise.all([
    run(process.execPath, [TYPESCRIPT, '-b', 'server'], { cwd: ROOT, stdio: 'inherit' }),
    buildServer(),
    buildConsole(),
  ]);
  return code === 0;
}

/**
 * @typedef {{ version?: string, optional?: boolean, dev?: boolean, devOptional?: boolean }} LockedPackage
 * @param {string} path of a lockfile
 * @returns {{ packages: Record<string, LockedPackage> } | undefined}
 */
function readJson(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}

/**
 * @param {string} message
 * @returns {never}
 */
function fail(message) {
  console.error(message);
  process.exit(1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await setup();
