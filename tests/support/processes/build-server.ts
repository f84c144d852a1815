/**
 * Builds the server and the test engine for tests that start processes. Cheap when nothing has changed. Type errors do
 * not stop it: `npm run types` is the check for those.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const ROOT = path.resolve(__dirname, '..', '..', '..');
const BUILD = path.join(ROOT, 'build');
const STAMP = path.join(BUILD, '.built-for-tests');
const COMPILER = require.resolve('typescript/bin/tsc');
const BUNDLES = path.join(ROOT, 'scripts', 'bundles');
const SOURCES = ['compiler', 'contract', 'server', 'tests/support'];
const LOCK = path.join(BUILD, '.build-lock');
const STALE_LOCK_MS = 120_000;

/** The script of an engine with the test store, see `engine-main.ts`. */
export const TEST_ENGINE_SCRIPT = path.join(BUILD, 'tests', 'support', 'processes', 'engine-main.js');

/** The script of a server with nothing but such an engine, see `server-main.ts`. */
export const TEST_SERVER_SCRIPT = path.join(BUILD, 'tests', 'support', 'processes', 'server-main.js');

/** Fit for jest's `globalSetup`, and for a `beforeAll`: parallel callers wait for one build. */
export default async function buildServer(): Promise<void> {
  mkdirSync(BUILD, { recursive: true });
  await takeLock();
  try {
    const newest = Math.max(...SOURCES.map((folder) => newestChange(folder)));
    if (newest <= (changedAt(STAMP) ?? 0)) return;
    const startedAt = Date.now();
    await Promise.all([
      runScript(COMPILER, '-b', 'server'),
      runScript(path.join(BUNDLES, 'build-server.mjs')),
      runScript(path.join(BUNDLES, 'build-test-processes.mjs')),
    ]);
    writeFileSync(STAMP, '');
    // A file that changed while the compiler ran must count as newer than the build.
    utimesSync(STAMP, startedAt / 1000, startedAt / 1000);
  } finally {
    rmSync(LOCK, { recursive: true, force: true });
  }
}

async function takeLock(): Promise<void> {
  for (;;) {
    try {
      mkdirSync(LOCK);
      return;
    } catch {
      if (Date.now() - (changedAt(LOCK) ?? Date.now()) > STALE_LOCK_MS) rmSync(LOCK, { recursive: true, force: true });
      await delay(100);
    }
  }
}

function runScript(...args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: 'ignore' });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => resolve());
  });
}

function newestChange(folder: string): number {
  const files = readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return Math.max(
    0,
    ...files.filter((file) => file.endsWith('.ts')).map((file) => changedAt(path.join(ROOT, folder, file)) ?? 0)
  );
}

function changedAt(file: string): number | null {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? null;
}
