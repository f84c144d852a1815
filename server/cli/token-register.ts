/** Where the command line finds the tokens: in the data folder, or in the database that servers share. */
import type { KeyObject } from 'node:crypto';
import type { SavedQuery } from '#contract/saved-query';
import type { StoredToken } from '#contract/token';
import { CatalogError } from '../catalog-db/catalog-error';
import { openCatalog } from '../catalog-db/open-catalog';
import { readRevisions, readStoredSet } from '../catalog-db/stored-definitions';
import { changeStoredTokens, readStoredTokens, readStoredUsage } from '../catalog-db/stored-tokens';
import type { Env } from '../config';
import { DefinitionsError } from '../definitions/definition-problem';
import { type DefinitionText, parseDefinitions, readDefinitionTexts } from '../definitions/load-definitions';
import type { TokenEdit } from '../tokens/manage-tokens';
import { loadServerKey } from '../tokens/server-key';
import { changeTokens, readTokens } from '../tokens/token-file';
import { readTokenUsage } from '../tokens/token-usage';

export interface TokenRegister {
  /** Makes the key of the data folder when there is none and none is shared. */
  key(): KeyObject;
  change<T>(now: Date, edit: TokenEdit<T>): Promise<T>;
  read(): Promise<readonly StoredToken[]>;
  /** The saved queries that servers are started with; empty where the command line cannot read them. */
  savedQueries(): Promise<readonly SavedQuery[]>;
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
      savedQueries: () => parsed(async () => readDefinitionTexts(env.LQE_ENDPOINTS_DIR, [env.LQE_SOURCES_FILE])),
      readUsage: async () => readTokenUsage(dataDir),
      close: async () => undefined,
    };
  }
  const database = await openCatalog(env.LQE_CATALOG_URL, key());
  return {
    key,
    change: (now, edit) => changeStoredTokens(database, now, edit),
    read: async () => (await readStoredTokens(database)).tokens,
    savedQueries: () =>
      parsed(async () => (await readStoredSet(database, (await readRevisions(database)).definitions)).queries),
    readUsage: () => readStoredUsage(database),
    close: () => database.close(),
  };
}

async function parsed(read: () => Promise<readonly DefinitionText[]>): Promise<readonly SavedQuery[]> {
  try {
    return parseDefinitions(await read()).map(({ definition }) => definition);
  } catch (error) {
    if (error instanceof DefinitionsError || error instanceof CatalogError) return [];
    throw error;
  }
}
