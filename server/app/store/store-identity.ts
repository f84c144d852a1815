/** Identity of the events that a result was made from. Servers share results only when it is equal. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config';
import { createPrivateFile } from '../../common/files/private-file';
import { makePrivateFolder } from '../../common/files/private-folder';

/**
 * ClickHouse is identified by the configured address, so servers that share it must use the same one. A DuckDB file
 * belongs to one server: its results are shared with that server after a restart, and with a server that took over its
 * data folder.
 */
export function storeIdentity({ store, clickhouse, files }: Pick<Config, 'store' | 'clickhouse' | 'files'>): string {
  switch (store) {
    case 'clickhouse': {
      const { url, database, cluster } = clickhouse;
      return `clickhouse ${JSON.stringify([url, database, cluster])}`;
    }
    case 'duckdb':
      return `duckdb ${readStoreId(files.dataDir)}`;
  }
}

function readStoreId(dataDir: string): string {
  makePrivateFolder(dataDir);
  const file = join(dataDir, 'store.id');
  createPrivateFile(file, `${randomBytes(16).toString('hex')}\n`);
  return readFileSync(file, 'utf8').trim();
}
