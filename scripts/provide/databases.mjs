/** The databases that tests start for themselves: found, or installed from Debian where that is allowed. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { installFromDebian } from './debian.mjs';

const POSTGRES_VERSIONS = '/usr/lib/postgresql';
const REDIS_PLACES = ['/usr/bin/redis-server', '/usr/local/bin/redis-server', '/opt/homebrew/bin/redis-server'];

/**
 * @returns paths for the tests, as environment; what is missing is left out, and the tests that need it fail and name
 *   it.
 */
export async function provideDatabases() {
  if (!findPostgres() || !findRedis()) {
    console.log('Installing PostgreSQL and Redis for the tests ...');
    await installFromDebian(['postgresql', 'redis-server']);
  }
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
