/** Which log events a result was made of. Servers take results from one another only where this is the same. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config';
import { createPrivateFile } from '../tokens/private-file';

/**
 * ClickHouse is known by the address that is set, so servers that share it name it in the same way. A DuckDB file belongs to one server:
 * what is shared is shared with that server after a restart, and with one that took over its data folder.
 */
export function storeIdentity({ store, clickhouse, files }: Pick<Config, 'store' | 'clickhouse' | 'files'>): string {
  if (store === 'clickhouse') {
    const { url, database, cluster } = clickhouse;
    return `clickhouse ${JSON.stringify([url, database, cluster])}`;
  }
  mkdirSync(files.dataDir, { recursive: true, mode: 0o700 });
  const file = join(files.dataDir, 'store.id');
  createPrivateFile(file, `${randomBytes(16).toString('hex')}\n`);
  return `duckdb ${readFileSync(file, 'utf8').trim()}`;
}
