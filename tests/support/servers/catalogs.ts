/** The two catalogs of saved queries and tokens: the data folder, and PostgreSQL with the files pushed to it. */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { Client } from 'pg';
import type { DatabaseProcess } from '../processes/database';
import { startPostgres } from '../processes/postgres';
import { createPlace, type Place, runCliWith } from './spawned';

export const CATALOGS = ['data folder', 'PostgreSQL'] as const;
export type CatalogKind = (typeof CATALOGS)[number];

const SERVER_KEY = 'c0ffee'.padEnd(64, '0');

let postgres: DatabaseProcess | null = null;

export interface Ground {
  readonly place: Place;
  /** Settings of servers and of the command line. */
  readonly env: Readonly<Record<string, string>>;
  /** Pushes the files to the catalog; nothing for a data folder. @throws with the output of a refused push */
  push(): Promise<void>;
  remove(): void;
}

/** A new, empty catalog with the saved queries of the project as files. */
export async function openCatalogGround(kind: CatalogKind): Promise<Ground> {
  const place = createPlace();
  const files = { LQE_DATA_DIR: place.dataDir, LQE_ENDPOINTS_DIR: place.endpointsDir };
  const settings = { ...files, LQE_MAX_CHANGES_PER_MINUTE: '100000', LQE_MAX_REQUESTS_PER_MINUTE: '1000000' };
  if (kind === 'data folder')
    return { place, env: settings, push: () => Promise.resolve(), remove: () => place.remove() };
  const url = await createDatabase();
  const env = { ...settings, LQE_CATALOG_URL: url, LQE_SERVER_KEY: SERVER_KEY };
  const lqe = async (...args: string[]): Promise<void> => {
    const { code, stderr } = await runCliWith(env, ...args);
    if (code !== 0) throw new Error(stderr);
  };
  await lqe('catalog', 'init');
  await lqe('catalog', 'push');
  return { place, env, push: () => lqe('catalog', 'push'), remove: () => place.remove() };
}

async function createDatabase(): Promise<string> {
  postgres ??= await startPostgres();
  const name = `lqe_${randomBytes(6).toString('hex')}`;
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`).finally(() => client.end());
  const url = new URL(postgres.url);
  url.pathname = `/${name}`;
  return url.href;
}

/** After the last test of a file. */
export async function removeDatabases(): Promise<void> {
  await postgres?.remove();
  postgres = null;
}

/** A second place whose server takes tokens and definitions from the same catalog in PostgreSQL. */
export function anotherPlace(): Place {
  const place = createPlace();
  rmSync(path.join(place.endpointsDir), { recursive: true, force: true });
  return place;
}
