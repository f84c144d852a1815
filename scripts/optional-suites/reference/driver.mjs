/** The program that runs queries on the reference implementation: built by Maven once for its sources. */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../processes/run.mjs';
import { ROOT } from '../../setup.mjs';

const SOURCES = join(ROOT, 'tests', 'reference', 'driver');
const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'log-query-endpoints', 'reference');
/** @type {{ stdio: import('node:child_process').StdioOptions }} */
const SILENT = { stdio: 'ignore' };

/**
 * Names what is missing in one line.
 *
 * @returns {Promise<string | undefined>} the folder with its classes and libraries
 */
export async function provideDriver() {
  if (process.env.LQE_REFERENCE_DRIVER) return process.env.LQE_REFERENCE_DRIVER;
  const folder = join(CACHE, `driver-${digestOfSources()}`);
  const isBuilt = existsSync(folder);
  const needed = isBuilt ? ['java'] : ['java', 'mvn'];
  const missing = [];
  for (const program of needed) if (!(await isPresent(program))) missing.push(program);
  if (missing.length > 0) {
    console.error(`test:reference needs ${missing.join(' and ')} (Java 17, Maven): install them and run it again.`);
    return undefined;
  }
  return isBuilt || (await build(folder)) ? folder : undefined;
}

/** @param {string} program */
async function isPresent(program) {
  return (await run(program, ['-version'], SILENT)) === 0;
}

/** @param {string} folder */
async function build(folder) {
  console.log('Building the driver of the reference implementation (downloads 110 MB) ...');
  mkdirSync(CACHE, { recursive: true });
  const work = mkdtempSync(join(tmpdir(), 'lqe-reference-'));
  cpSync(SOURCES, work, { recursive: true });
  const code = await run('mvn', ['-q', '-B', 'package'], { cwd: work, stdio: 'inherit' });
  if (code === 0) cpSync(join(work, 'target'), `${folder}.new`, { recursive: true });
  rmSync(work, { recursive: true });
  if (code === 0) renameSync(`${folder}.new`, folder);
  return code === 0;
}

function digestOfSources() {
  const hash = createHash('sha256');
  const files = readdirSync(SOURCES, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const path of files.map((entry) => join(entry.parentPath, entry.name)).sort()) hash.update(readFileSync(path));
  return hash.digest('hex').slice(0, 12);
}
