/** A PostgreSQL of its own for a test: an empty database, a user with a password, files in a temporary folder. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { type DatabaseProcess, findProgram, freePort, superviseProgram } from './database';

export const POSTGRES_PASSWORD = 'password-that-no-log-holds';
const VERSIONS = '/usr/lib/postgresql';

export async function startPostgres(): Promise<DatabaseProcess> {
  const bin = path.dirname(findPostgres());
  const folder = mkdtempSync(path.join(tmpdir(), 'lqe-postgres-'));
  const owner = unprivilegedOwner();
  const dataDir = path.join(folder, 'data');
  const passwordFile = path.join(folder, 'password');
  writeFileSync(passwordFile, POSTGRES_PASSWORD);
  chmodSync(folder, 0o700);
  if (owner) for (const place of [folder, passwordFile]) chownSync(place, owner.uid, owner.gid);
  const initdb = [
    '-D',
    dataDir,
    '-U',
    'lqe',
    '-A',
    'scram-sha-256',
    '--pwfile',
    passwordFile,
    '--no-sync',
    '-E',
    'UTF8',
  ];
  execFileSync(path.join(bin, 'initdb'), initdb, { stdio: 'pipe', cwd: folder, ...owner });

  const port = await freePort();
  const url = `postgres://lqe:${POSTGRES_PASSWORD}@127.0.0.1:${port}/postgres`;
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: folder,
    fsync: 'off',
    shared_buffers: '16MB',
    max_connections: 40,
  };
  const program = superviseProgram({
    file: path.join(bin, 'postgres'),
    args: ['-D', dataDir, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    ...owner,
    // Connections are ended, nothing is waited for.
    stopSignal: 'SIGINT',
    isReady: () => answers(url),
  });
  await program.start();
  return {
    ...program,
    url,
    remove: async () => {
      await program.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function findPostgres(): string {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    process.env.POSTGRES_BIN,
    ...versions.map((name) => path.join(VERSIONS, name, 'bin')),
    '/usr/local/bin',
  ];
  const places = folders.map((folder) => (folder === undefined ? undefined : path.join(folder, 'postgres')));
  return findProgram('PostgreSQL', places, 'postgresql');
}

/** PostgreSQL refuses to run as root. */
function unprivilegedOwner(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const ask = (flag: string): number => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
  const owner = { uid: ask('-u'), gid: ask('-g') };
  if (owner.uid > 0) return owner;
  throw new Error('PostgreSQL does not run as root, and there is no user "postgres" on this machine');
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 1000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
