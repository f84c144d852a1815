/** The sources of a server: those of its file, and those that were made over the API. */
import type { Source } from '#contract/events/source';
import { AuditFiles } from '../catalog/audit/audit-files';
import { CatalogError } from '../catalog/database/catalog-error';
import { type Database, openDatabase } from '../catalog/database/database';
import { StoredRevisions } from '../catalog/database/stored-revisions';
import { SOURCE_TABLE } from '../catalog/database/stored-sources';
import { parseSources, readSourcesText } from '../catalog/definitions/load-sources';
import type { ApiSource } from '../catalog/definitions/sources';
import { SOURCE } from '../catalog/revisions/kind';
import type { RevisionRepository } from '../catalog/revisions/repository';
import { RevisionFolder } from '../catalog/revisions/revision-folder';
import { readSources } from '../catalog/sources/read-sources';
import { envToConfig, readEnv } from '../config';

interface Places {
  readonly dataDir: string;
  readonly sourcesFile: string;
}

/** @throws DefinitionsError, CatalogError */
export async function allSources({ dataDir, sourcesFile }: Places): Promise<readonly Source[]> {
  const ofApi = await sourcesOfApi(dataDir);
  return [...parseSources(sourcesFile, readSourcesText(sourcesFile), ofApi), ...ofApi];
}

/** From the catalog that the settings name, or from the data folder. @throws DefinitionsError, CatalogError */
async function sourcesOfApi(dataDir: string): Promise<readonly ApiSource[]> {
  const { catalog } = envToConfig(readEnv(process.env));
  if (catalog === null) return storedSources(new RevisionFolder(dataDir, new AuditFiles(dataDir), SOURCE));
  // Without its key, which protects tokens: "lqe store init" may run before there is one.
  const database = await openDatabase(catalog.url);
  try {
    return await sourcesInCatalog(database);
  } catch (error) {
    // A catalog that was not made yet, or is of a version without sources, has none.
    if (error instanceof CatalogError && error.trouble === 'not_ready') return [];
    throw error;
  } finally {
    await database.close();
  }
}

/** Those of the API. @throws DefinitionsError, CatalogError */
export function sourcesInCatalog(database: Database): Promise<readonly ApiSource[]> {
  return storedSources(new StoredRevisions(database, SOURCE_TABLE));
}

async function storedSources(repository: RevisionRepository): Promise<readonly ApiSource[]> {
  return (await readSources(repository)).definitions;
}
