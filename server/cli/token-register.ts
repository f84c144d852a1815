/** Access to the tokens for the command line: in the data folder, or in the shared database. */
import type { KeyObject } from 'node:crypto';
import type { SavedQuery } from '#contract/saved-query';
import type { StoredToken } from '#contract/token';
import { CatalogError } from '../catalog/database/catalog-error';
import { openCatalog } from '../catalog/database/open-catalog';
import { readRevisions, readStoredSet } from '../catalog/database/stored-definitions';
import { changeStoredTokens, readStoredTokens, readStoredUsage } from '../catalog/database/stored-tokens';
import type { Env } from '../config';
import { DefinitionsError } from '../catalog/definitions/definition-problem';
import { type DefinitionText, parseDefinitions, readDefinitionTexts } from '../catalog/definitions/load-definitions';
import type { TokenEdit } from '../catalog/tokens/manage-tokens';
import { loadServerKey } from '../catalog/tokens/server-key';
import { changeTokens, readTokens } from '../catalog/tokens/token-file';
import { readTokenUsage } from '../catalog/tokens/token-usage';

export interface TokenRegister {
  /** Loads the server key; creates the one of the data folder when there is none and no shared key is set. */
  key(): KeyObject;
  change<T>(now: Date, edit: TokenEdit<T>): Promise<T>;
  read(): Promise<readonly StoredToken[]>;
  /** The saved queries of the servers; empty when the command line cannot read them. */
  savedQueries(): Promise<readonly SavedQuery[]>;
  /** Last use by token id. */
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
