/** Makes the package of this machine's platform as a user does, and unpacks it. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { type FileTree, readFolder, readZip } from './file-tree';

const ROOT = path.resolve(__dirname, '..', '..', '..', '..');
/** What is built, installed or written at run time: no part of the source code. */
const NOT_SOURCE = ['node_modules', 'build', 'dist', 'data', '.git'];
const SYSTEM = { linux: 'linux', darwin: 'darwin', win32: 'windows' }[process.platform as 'linux'];
const ARCHITECTURE = { x64: 'amd64', arm64: 'arm64' }[process.arch as 'x64'];
export const PLATFORM = `${SYSTEM}_${ARCHITECTURE}`;

/** What the rules read. */
export interface PluginPackage {
  /** Name of the zip file. */
  readonly name: string;
  readonly archive: FileTree;
  /** Source code of the project. */
  readonly project: FileTree;
}

/** @returns the package as it is, and the folder that it was unpacked into; the caller removes the folder */
export async function makePackage(): Promise<{ pluginPackage: PluginPackage; folder: string }> {
  const env = { ...process.env };
  // Jest sets it; the build goes by it.
  delete env.NODE_ENV;
  // It may download the Node of the package: see scripts/test.mjs.
  env.NODE_EXTRA_CA_CERTS ??= env['DOWNLOAD_CA_CERTS'];
  const { stdout } = await promisify(execFile)('npm', ['run', 'package', '--', '--platforms', PLATFORM], {
    cwd: ROOT,
    env,
    shell: process.platform === 'win32',
  });
  const zip = /^(\S+\.zip) /m.exec(stdout)![1]!;
  const archive = readZip(path.join(ROOT, zip));
  const folder = mkdtempSync(path.join(tmpdir(), 'lqe-package-'));
  for (const [name, { mode, read }] of archive) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, read(), { mode: mode & 0o777 });
  }
  return { pluginPackage: { name: path.basename(zip), archive, project: readFolder(ROOT, NOT_SOURCE) }, folder };
}
