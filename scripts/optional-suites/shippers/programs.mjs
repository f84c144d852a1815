/** The shippers that tests/shippers runs: found, or installed and built where that is allowed. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { installFromDebian } from '../../provide/debian.mjs';
import { run } from '../../processes/run.mjs';
import { ROOT } from '../../setup.mjs';

const FOLDER = join(ROOT, 'tests', 'shippers');
const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'log-query-endpoints', 'shippers');
const SYSLOG_NG_PLACES = ['/usr/sbin/syslog-ng', '/usr/local/sbin/syslog-ng', '/opt/homebrew/sbin/syslog-ng'];
/** @type {{ stdio: import('node:child_process').StdioOptions }} */
const QUIET = { stdio: ['ignore', 'ignore', 'inherit'] };

/**
 * @param {readonly string[]} words of test files; none: all
 * @returns {Promise<Record<string, string>>} programs for the tests, as environment; what is missing is left out, and
 *   the tests that need it fail and name it.
 */
export async function provideShippers(words) {
  /** @param {string} file */
  const needs = (file) => words.length === 0 || words.some((word) => `${file}.test.ts`.includes(word));
  const provided = {
    ...((needs('opentelemetry-collector') || needs('kubernetes')) && { COLLECTOR: await provideCollector() }),
    ...(needs('promtail') && { PROMTAIL: await providePromtail() }),
    ...(needs('opentelemetry-sdk-python') && { PYTHON: await providePython('opentelemetry/sdk-python') }),
    ...(needs('clients-python') && { PYTHON_CLIENTS: await providePython('clients/python') }),
    ...(needs('clients-java') && { JAVA_CLIENTS: await provideJava() }),
    ...((needs('syslog-ng') || needs('syslog-senders')) && { SYSLOG_NG: await provideSyslogNg() }),
    ...((needs('syslog-senders') || needs('rsyslog-elasticsearch')) && { RSYSLOG: await provideRsyslog() }),
  };
  if (needs('opentelemetry-sdk-js')) await providePackages('opentelemetry/sdk-js');
  if (needs('clients-js')) await providePackages('clients/js');
  const found = Object.entries(provided).filter(([, program]) => program !== undefined);
  return Object.fromEntries(found.map(([name, program]) => [`LQE_SHIPPERS_${name}`, program]));
}

function provideCollector() {
  return provideByGo({
    name: 'collector',
    at: 'opentelemetry/collector',
    files: ['main.go.txt', 'go.mod', 'go.sum'],
    target: '.',
  });
}

/**
 * Its modules are many and old: the checksum database, and not a file here, says whether they are those that were
 * published.
 */
function providePromtail() {
  return provideByGo({
    name: 'promtail',
    at: 'agents/promtail',
    files: ['go.mod.txt'],
    target: 'github.com/grafana/loki/cmd/promtail',
  });
}

/**
 * Building takes minutes, so the program is kept under the digest of what it is built from. No file is named `main.go`:
 * the checks of Grafana's plugin catalog take a project with Go files for a plugin written in Go.
 *
 * @param {{ name: string, at: string, files: readonly string[], target: string }} program its folder, files of it, and
 *   what `go build` builds
 */
async function provideByGo({ name, at, files, target }) {
  const given = process.env[`LQE_SHIPPERS_${name.toUpperCase()}`];
  if (given) return given;
  const sources = join(FOLDER, at);
  const program = join(CACHE, `${name}-${digestOf(sources, files)}`);
  if (existsSync(program)) return program;
  console.log(`Building ${name} (some minutes) ...`);
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), `lqe-${name}-`));
  for (const file of files) copyFileSync(join(sources, file), join(folder, file.replace(/\.txt$/, '')));
  const env = { ...process.env, GOFLAGS: '-p=2 -mod=mod', CGO_ENABLED: '0' };
  const args = ['build', '-trimpath', '-ldflags', '-s -w', '-o', program, target];
  const code = await run('go', args, { cwd: folder, env, stdio: 'inherit' });
  rmSync(folder, { recursive: true });
  return code === 0 ? program : undefined;
}

/**
 * @param {'opentelemetry/sdk-python' | 'clients/python'} name of a folder with requirements.txt
 * @returns the interpreter of an environment with its packages
 */
async function providePython(name) {
  const given =
    process.env[name === 'opentelemetry/sdk-python' ? 'LQE_SHIPPERS_PYTHON' : 'LQE_SHIPPERS_PYTHON_CLIENTS'];
  if (given) return given;
  const sources = join(FOLDER, name);
  const environment = join(CACHE, `python-${digestOf(sources, ['requirements.txt'])}`);
  const python = join(environment, 'bin', 'python');
  const complete = join(environment, 'complete');
  if (existsSync(complete)) return python;
  console.log(`Installing the packages of ${name} ...`);
  mkdirSync(CACHE, { recursive: true });
  if ((await run('python3', ['-m', 'venv', environment], QUIET)) !== 0) return undefined;
  const args = ['-m', 'pip', 'install', '--quiet', '-r', join(sources, 'requirements.txt')];
  if ((await run(python, args, QUIET)) !== 0) return undefined;
  writeFileSync(complete, '');
  return python;
}

/** @returns a folder with the class path of each profile of clients/java/pom.xml */
async function provideJava() {
  if (process.env.LQE_SHIPPERS_JAVA_CLIENTS) return process.env.LQE_SHIPPERS_JAVA_CLIENTS;
  const sources = join(FOLDER, 'clients', 'java');
  const folder = join(CACHE, `java-${digestOf(sources, ['pom.xml'])}`);
  const complete = join(folder, 'complete');
  if (existsSync(complete)) return folder;
  console.log('Fetching the packages of clients/java ...');
  for (const profile of ['log4j2', 'logback']) {
    const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${join(folder, profile)}`];
    if ((await run('mvn', ['-q', '-B', '-P', profile, ...goal], { cwd: sources, ...QUIET })) !== 0) return undefined;
  }
  writeFileSync(complete, '');
  return folder;
}

/** A package of its own brings `http()`: a syslog-ng without it is not taken. */
async function provideSyslogNg() {
  const find = () => [process.env.LQE_SHIPPERS_SYSLOG_NG, ...SYSLOG_NG_PLACES].find((at) => at && hasHttp(at));
  if (find() === undefined) {
    console.log('Installing syslog-ng ...');
    await installFromDebian(['syslog-ng-core', 'syslog-ng-mod-http']);
  }
  return find();
}

/** @param {string} program a syslog-ng */
function hasHttp(program) {
  if (!existsSync(program)) return false;
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  return /^Available-Modules:.*\bhttp\b/m.test(stdout);
}

const RSYSLOG_PACKAGES = ['rsyslog', 'rsyslog-elasticsearch', 'libestr0', 'libfastjson4'];

/** Debian has rsyslog or syslog-ng on a machine, not both: rsyslog is unpacked, and not installed. */
async function provideRsyslog() {
  const program = join(CACHE, 'rsyslog-elasticsearch', 'rsyslogd.sh');
  const found = [process.env.LQE_SHIPPERS_RSYSLOG, '/usr/sbin/rsyslogd', program].find((at) => at && existsSync(at));
  if (found !== undefined || !existsSync('/usr/bin/apt-get')) return found;
  console.log('Unpacking rsyslog ...');
  const folder = join(CACHE, 'rsyslog-elasticsearch');
  mkdirSync(folder, { recursive: true });
  await run('apt-get', ['-qq', 'download', ...RSYSLOG_PACKAGES], { cwd: folder, ...QUIET });
  const packages = readdirSync(folder).filter((name) => name.endsWith('.deb'));
  for (const name of packages) await run('dpkg', ['-x', name, 'root'], { cwd: folder, ...QUIET });
  if (!existsSync(join(folder, 'root', 'usr', 'sbin', 'rsyslogd'))) return undefined;
  const script = [
    '#!/bin/sh',
    `for libraries in '${folder}'/root/usr/lib/*-linux-gnu; do :; done`,
    'export LD_LIBRARY_PATH="$libraries"',
    `exec '${folder}/root/usr/sbin/rsyslogd' -M "$libraries/rsyslog" "$@"`,
  ];
  writeFileSync(program, `${script.join('\n')}\n`, { mode: 0o755 });
  return program;
}

/** @param {'opentelemetry/sdk-js' | 'clients/js'} name of a folder with package-lock.json */
async function providePackages(name) {
  const folder = join(FOLDER, name);
  if (existsSync(join(folder, 'node_modules', '.package-lock.json'))) return;
  console.log(`Installing the packages of ${name} ...`);
  await run('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: folder, ...QUIET });
}

/**
 * @param {string} folder
 * @param {readonly string[]} names
 */
function digestOf(folder, names) {
  const hash = createHash('sha256');
  for (const name of names) hash.update(readFileSync(join(folder, name)));
  return hash.digest('hex').slice(0, 12);
}
