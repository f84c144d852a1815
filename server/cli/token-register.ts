/** Where the command line finds the tokens: in the data folder, or in the database that servers share. */
import type { StoredToken } from '#contract/token';
import { openCatalog } from '../catalog-db/open-catalog';
import { changeStoredTokens, readStoredTokens, readStoredUsage } from '../catalog-db/stored-tokens';
import type { Env } from '../config';
import type { TokenEdit } from '../tokens/manage-tokens';
import { loadServerKey } from '../tokens/server-key';
import { changeTokens, readTokens } from '../tokens/token-file';
import { readTokenUsage } from '../tokens/token-usage';
import type { KeyObject } from 'node:crypto';

export interface TokenRegister {
  /** Makes the key of the data folder when there is none and none is shared. */
  key(): KeyObject;
  change<T>(now: Date, edit: TokenEdit<T>): Promise<T>;
  read(): Promise<readonly StoredToken[]>;
  /** Token id -> last use. */
  readUsage(): Promise<Readonly<Record<string, string>>>;
  close(): Promise<void>;
}

/** @throws CatalogError */
export async function openTokenRegister(env: Env, dataDir: string): Promise<TokenRegister> {
  const key = (): KeyObject => loadServerKey(dataDir, env.LQE_SERVER_KEY);
  if (env.LQE_CATALOG_URL === null) {
    return {
      key,
      change: async (now, edit) => changeTokens(dataDir, now, edit),
      read: async () => readTokens(dataDir),
      readUsage: async () => readTokenUsage(dataDir),
      close: async () => undefined,
    };
  }
  const database = await openCatalog(env.LQE_CATALOG_URL, key());
  return {
    key,
    change: (now, edit) => changeStoredTokens(database, now, edit),
    read: async () => (await readStoredTokens(database)).tokens,
    readUsage: () => readStoredUsage(database),
    close: () => database.close(),
  };
}
