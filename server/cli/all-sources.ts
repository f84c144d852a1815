/** The sources of a server: those of its file, and those that were made over the API. */
import type { Source } from '#contract/events/source';
import { readStoredSources } from '../app/managed-sources';
import { AuditFiles } from '../catalog/audit/audit-files';
import type { Database } from '../catalog/database/database';
import { openCatalog } from '../catalog/database/open-catalog';
import { StoredRevisions } from '../catalog/database/stored-revisions';
import { SOURCE_TABLE } from '../catalog/database/stored-sources';
import { parseSources, readSourcesText } from '../catalog/definitions/load-sources';
import type { ApiSource } from '../catalog/definitions/sources';
import { SOURCE } from '../catalog/revisions/kind';
import { RevisionFolder } from '../catalog/revisions/revision-folder';
import { existingServerKey } from '../catalog/tokens/secrets/server-key';
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
  const { catalog, serverKey } = envToConfig(readEnv(process.env));
  if (catalog === null) return storedSources(new RevisionFolder(dataDir, new AuditFiles(dataDir), SOURCE));
  const database = await openCatalog(catalog.url, existingServerKey(dataDir, serverKey));
  return sourcesInCatalog(database).finally(() => database.close());
}

/** Those of the API. @throws DefinitionsError, CatalogError */
export function sourcesInCatalog(database: Database): Promise<readonly ApiSource[]> {
  return storedSources(new StoredRevisions(database, SOURCE_TABLE));
}

async function storedSources(repository: Parameters<typeof readStoredSources>[0]): Promise<readonly ApiSource[]> {
  return (await readStoredSources(repository)).sources;
}
