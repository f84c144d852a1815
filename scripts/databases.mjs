/** The databases that tests start for themselves: found, or installed from Debian where that is allowed. No service is ever started. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const POSTGRES_VERSIONS = '/usr/lib/postgresql';
const REDIS_PLACES = ['/usr/bin/redis-server', '/usr/local/bin/redis-server', '/opt/homebrew/bin/redis-server'];

/** @returns paths for the tests, as environment; what is missing is left out, and the tests that need it fail and name it. */
export function provideDatabases() {
  if ((!findPostgres() || !findRedis()) && mayInstall()) install();
  const postgres = findPostgres();
  const redis = findRedis();
  return { ...(postgres && { POSTGRES_BIN: postgres }), ...(redis && { REDIS_SERVER: redis }) };
}

/** @returns {string | undefined} the folder of `initdb` and `postgres` */
function findPostgres() {
  const versions = existsSync(POSTGRES_VERSIONS) ? readdirSync(POSTGRES_VERSIONS) : [];
  const newestFirst = versions
    .sort((a, b) => Number(b) - Number(a))
    .map((name) => join(POSTGRES_VERSIONS, name, 'bin'));
  const places = [process.env.POSTGRES_BIN, ...newestFirst, '/usr/local/bin', '/opt/homebrew/bin'];
  return places.find(
    (place) => place !== undefined && ['initdb', 'postgres'].every((name) => existsSync(join(place, name)))
  );
}

/** @returns {string | undefined} */
function findRedis() {
  return [process.env.REDIS_SERVER, ...REDIS_PLACES].find((place) => place !== undefined && existsSync(place));
}

function install() {
  console.log('Installing PostgreSQL and Redis for the tests ...');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const withoutServices = forbidServices();
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'postgresql', 'redis-server']]) {
    spawnSync('apt-get', ['-qq', ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  }
  withoutServices();
}

/** A package must not start a service of its own. @returns a function that takes the prohibition away again */
function forbidServices() {
  const policy = '/usr/sbin/policy-rc.d';
  if (existsSync(policy)) return () => undefined;
  writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  return () => rmSync(policy, { force: true });
}

function mayInstall() {
  return process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
}
