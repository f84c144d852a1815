/**
 * Bundles each program of the server into one file, with the code that V8 makes of it: a start reads two files instead
 * of a thousand, and compiles nothing.
 *
 *   node scripts/bundles/build-server.mjs
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { bundleForNode } from './bundle-for-node.mjs';
import { newestIn } from './newest-in.mjs';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const INPUTS = ['server', 'compiler', 'contract', 'scripts/bundles', 'package-lock.json'];
/** Says which Node has recorded the code; written last. */
const STAMP = join(ROOT, 'build', 'bin', 'node-version');
const RECORDER = join(ROOT, 'scripts', 'bundles', 'record-code.cjs');
const LAUNCHER = join(ROOT, 'scripts', 'bundles', 'launcher.cjs');
/** Binaries of their own; and a package that PostgreSQL's client takes where it is installed. */
export const EXTERNAL = ['@duckdb/node-bindings', 'pg-native'];

/**
 * The engine finds itself at `../process/main.js`, seen from its client, and the console is at `../console`, seen from
 * the server: so in build/server, and so in build/bin.
 *
 * Code is recorded in a run that loads all modules and ends before it does anything. V8 takes it only in a process with
 * the same flags.
 *
 * @typedef {{
 *   entry: string,
 *   program: string,
 *   words: string[],
 *   flags?: string[],
 *   env?: Record<string, string>,
 * }} Program
 * @type {Program[]}
 */
const PROGRAMS = [
  { entry: 'server/main.ts', program: 'build/bin/server.js', words: [], env: { LQE_PORT: 'none' } },
  { entry: 'server/cli/main.ts', program: 'build/bin/lqe.js', words: ['--help'] },
  {
    entry: 'server/engine/process/main.ts',
    program: 'build/process/main.js',
    words: [],
    flags: ['--max-semi-space-size=32', '--expose-gc'],
  },
];

/** @returns whether the programs were built; false: they are up to date */
export async function buildServer() {
  if (isUpToDate()) return false;
  rmSync(STAMP, { force: true });
  await Promise.all(PROGRAMS.map(buildProgram));
  writeFileSync(STAMP, process.version);
  return true;
}

/** @param {Program} wanted */
async function buildProgram({ entry, program, words, flags = [], env = {} }) {
  const launcher = join(ROOT, program);
  const bundle = launcher.replace(/\.js$/, '.bundle.js');
  const code = `${bundle}.code`;
  // V8 compares code and source by length only: no code may lie beside a source that it was not made of.
  rmSync(code, { force: true });
  await bundleForNode(entry, bundle, { external: EXTERNAL, sourcemap: true });
  mkdirSync(dirname(launcher), { recursive: true });
  copyFileSync(LAUNCHER, launcher);
  // `npx` makes it executable once, and finds it as a build has left it from then on.
  chmodSync(launcher, 0o755);
  await recordCode([...flags, RECORDER, bundle, code, ...words], env);
}

/**
 * The fourth pipe is the engine's: it ends when that does.
 *
 * @param {string[]} args
 * @param {Record<string, string>} env
 */
async function recordCode(args, env) {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  child.stdio[3]?.on('error', () => undefined);
  child.stdio[3]?.destroy();
  await once(child, 'exit');
}

function isUpToDate() {
  if (!existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== process.version) return false;
  const built = statSync(STAMP).mtimeMs;
  return INPUTS.every((input) => newestIn(join(ROOT, input)) < built);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const startedAt = performance.now();
  const isBuilt = await buildServer();
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(isBuilt ? `Bundled the server in ${seconds} s.` : 'The bundles of the server are up to date.');
}
