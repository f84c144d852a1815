/**
 * Makes one zip for each platform, in build/packages/: the plugin with a Node of its own.
 *
 *   npm run package
 *   npm run package -- --platforms linux_amd64
 *
 * On Linux for the machine's own processor the C library is bundled too, behind a static launcher: such a package needs
 * nothing of the host, not even a shell. It needs a C compiler (`cc`) here. Packages made for another processor need a
 * host with glibc, libstdc++ and /bin/sh; those for macOS need /bin/sh. That for Windows is a Node with the backend
 * inside, made on Linux.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ZipFile } from 'yazl';
import { BUNDLE, bundleBackend, executableName, writeLauncher } from './build-backend.mjs';
import { installRuntime, runtimeOf, RUNTIMES } from './runtimes.mjs';
import { makeSingleExecutable } from './single-executable.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DIST = join(ROOT, 'dist');
const OUT = join(ROOT, 'build', 'packages');

const { values } = parseArgs({ options: { platforms: { type: 'string', default: Object.keys(RUNTIMES).join(',') } } });
if (!existsSync(join(DIST, 'module.js'))) throw new Error('The browser part is not built: npm run build:plugin.');
const { id, info } = JSON.parse(readFileSync(join(DIST, 'plugin.json'), 'utf8'));

for (const platform of values.platforms.split(',')) {
  runtimeOf(platform);
  const folder = join(OUT, platform, id);
  rmSync(join(OUT, platform), { recursive: true, force: true });
  mkdirSync(join(folder, 'rt'), { recursive: true });
  copyBrowserPart(folder);
  await bundleBackend(folder);
  if (platform.startsWith('windows_')) await addSingleExecutable(platform, folder);
  else await addRuntime(platform, folder);
  const zip = join(OUT, `${id}-${info.version}.${platform}.zip`);
  await writeZip(folder, zip);
  console.log(`${relative(ROOT, zip)}  ${(statSync(zip).size / 1e6).toFixed(1)} MB`);
}

/**
 * Everything in dist/ but the launchers for development.
 *
 * @param {string} folder
 */
function copyBrowserPart(folder) {
  const executable = executableName();
  cpSync(DIST, folder, { recursive: true, filter: (source) => !basename(source).startsWith(executable) });
}

/**
 * @param {string} platform
 * @param {string} folder
 */
async function addRuntime(platform, folder) {
  const { binary, licence } = await installRuntime(platform, join(ROOT, 'build', 'runtimes'));
  copyFileSync(binary, join(folder, 'rt', 'node'));
  copyFileSync(licence, join(folder, 'rt', 'LICENSE'));
  chmodSync(join(folder, 'rt', 'node'), 0o755);
  if (platform === ownPlatform()) bundleLibraries(folder, platform);
  else writeLauncher(folder, platform, '');
}

/**
 * The script is inside the program: it is not needed beside it.
 *
 * @param {string} platform
 * @param {string} folder
 */
async function addSingleExecutable(platform, folder) {
  const runtimes = join(ROOT, 'build', 'runtimes');
  const own = ownPlatform();
  if (!(own in RUNTIMES) || runtimeOf(own).version !== runtimeOf(platform).version)
    throw new Error(`The package for ${platform} is made on Linux, by the Node version that it holds.`);
  const ownNode = await installRuntime(own, runtimes);
  const script = join(folder, BUNDLE);
  await makeSingleExecutable({
    node: ownNode.binary,
    binary: (await installRuntime(platform, runtimes)).binary,
    script,
    workDir: join(folder, '..'),
    target: join(folder, `${executableName()}_${platform}.exe`),
  });
  // The package for Windows has none of its own; that of the same version is the same.
  copyFileSync(ownNode.licence, join(folder, 'rt', 'LICENSE'));
  rmSync(script);
}

/** Linux only: elsewhere the C library belongs to the system. */
function ownPlatform() {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  return process.platform === 'linux' ? `linux_${arch}` : '';
}

/**
 * The libraries that the loader of this machine finds for Node, and that loader.
 *
 * @param {string} folder
 * @param {string} platform
 */
function bundleLibraries(folder, platform) {
  const rt = join(folder, 'rt');
  const listed = execFileSync('ldd', [join(rt, 'node')], { encoding: 'utf8' });
  for (const [, path = ''] of listed.matchAll(/=> (\/\S+) \(/g)) copyFileSync(path, join(rt, basename(path)));
  for (const name of readdirSync(rt)) if (/\.so\b/.test(name)) chmodSync(join(rt, name), 0o644);
  copyLibraryLicences(rt);
  const loader = /^\s*(\/\S+ld-linux\S+) \(/m.exec(listed)?.[1];
  if (loader === undefined) throw new Error('The loader of this machine is not among the libraries of Node.');
  copyFileSync(loader, join(rt, 'ld.so'));
  chmodSync(join(rt, 'ld.so'), 0o755);
  const launcher = join(folder, `${executableName()}_${platform}`);
  execFileSync('cc', ['-static', '-Os', '-s', '-o', launcher, join(ROOT, 'scripts', 'plugin', 'launcher.c')]);
  chmodSync(launcher, 0o755);
}

/**
 * The licences of the C library and its companions, where this system keeps them as Debian does.
 *
 * @param {string} rt
 */
function copyLibraryLicences(rt) {
  for (const name of ['libc6', 'libgcc-s1', 'libstdc++6']) {
    const licence = join('/usr/share/doc', name, 'copyright');
    if (existsSync(licence)) copyFileSync(licence, join(rt, `LICENSE.${name}`));
    else console.warn(`The licence of ${name} is missing here. Add it to rt/ before you publish the package.`);
  }
}

/**
 * Modes are exact, not those of the umask here: installers set the execute bit on the launcher alone, and the catalog
 * wants 0755.
 *
 * @param {string} folder
 * @param {string} file
 */
async function writeZip(folder, file) {
  const zip = new ZipFile();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    zip.addFile(path, join(basename(folder), relative(folder, path)), {
      mode: statSync(path).mode & 0o100 ? 0o100755 : 0o100644,
    });
  }
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(file));
}
