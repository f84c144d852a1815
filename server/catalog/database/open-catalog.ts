/** Opens a database that contains a catalog of this version and of this server key. */
import type { KeyObject } from 'node:crypto';
import { keyFingerprint } from '../tokens/secrets/server-key';
import { type Database, openDatabase } from './database';
import { ensureCatalog } from './schema';

/** @throws CatalogError */
export async function openCatalog(url: string, key: KeyObject): Promise<Database> {
  const database = await openDatabase(url);
  try {
    await ensureCatalog(database, keyFingerprint(key));
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}
