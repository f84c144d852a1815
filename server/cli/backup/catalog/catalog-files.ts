/** Files of the catalog that a backup includes: definitions, tokens, audit logs, and batches that were set aside. */
import { lstatSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { errorCode } from '../../../common/caught-error';
import { BackupError } from '../backup-error';
import type { ServedDefinitions } from '../events/event-source';

export interface LocalFile {
  /** Where the file belongs, e.g. `endpoints/logs.all.yaml`. */
  readonly name: string;
  readonly path: string;
}

interface DefinitionPlaces {
  readonly endpointsDir: string;
  readonly sourcesFile: string;
}

export interface CatalogPlaces {
  readonly dataDir: string;
  /** Null: definitions and tokens are in a database. */
  readonly files: DefinitionPlaces | null;
  /** False: the server key is in a setting. */
  readonly hasKeyFile: boolean;
}

const TOKEN_FILES = ['tokens.json', 'tokens.usage.json', 'tokens.audit.log'];
/** Folders of the data folder that are included with everything in them. */
const WHOLE_FOLDERS: readonly string[] = ['saved-queries', 'sources', 'audit'];
const MAX_DEPTH = 4;

/** A backup without its definitions would be complete and could not be served. @throws BackupError */
export function ensureDefinitions({ endpointsDir, sourcesFile }: DefinitionPlaces): void {
  if (!(statSync(sourcesFile, { throwIfNoEntry: false })?.isFile() ?? false))
    throw new BackupError(
      `There is no file of sources at ${sourcesFile}. Name that of the server with --sources-file.`
    );
  if (!(statSync(endpointsDir, { throwIfNoEntry: false })?.isDirectory() ?? false))
    throw new BackupError(
      `There is no folder of saved queries at ${endpointsDir}. Name that of the server with --endpoints-dir.`
    );
}

/**
 * Other definitions than those of the running server, such as the ones in the folder of the program, would be restored
 * in the place of the server's.
 * @param places null: those of the database are in the backup
 * @throws BackupError
 */
export function ensureServed(places: DefinitionPlaces | null, served: ServedDefinitions): void {
  if (served === 'database') {
    if (places !== null)
      throw new BackupError(
        'The server has its definitions and tokens in a database. Set LQE_CATALOG_URL to that of the server.'
      );
    return;
  }
  if (places === null)
    throw new BackupError('The server has its definitions and tokens in files. Unset LQE_CATALOG_URL.');
  const { endpointsDir, sourcesFile } = places;
  if (isOther(sourcesFile, served.sources_file))
    throw new BackupError(`The server has its sources in ${served.sources_file}. Name this file with --sources-file.`);
  if (isOther(endpointsDir, served.endpoints_dir))
    throw new BackupError(
      `The server has its saved queries in ${served.endpoints_dir}. Name this folder with --endpoints-dir.`
    );
}

/** False for a path of the server that this process does not see, as from another container. */
function isOther(given: string, served: string): boolean {
  const [a, b] = [given, served].map((path) => statSync(path, { throwIfNoEntry: false }));
  return a !== undefined && b !== undefined && (a.ino !== b.ino || a.dev !== b.dev);
}

export function catalogFiles({ dataDir, files, hasKeyFile }: CatalogPlaces): readonly LocalFile[] {
  const found: LocalFile[] = [];
  const add = (name: string, path: string): void => {
    if (lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false) found.push({ name, path });
  };
  if (files !== null) {
    found.push({ name: 'sources.yaml', path: files.sourcesFile });
    for (const name of listFolder(files.endpointsDir)) {
      const path = join(files.endpointsDir, name);
      // The server reads links, too: a folder of definitions may be mounted with them.
      if (isDefinition(name) && resolve(path) !== resolve(files.sourcesFile))
        found.push({ name: `endpoints/${name}`, path });
    }
    for (const name of TOKEN_FILES) add(name, join(dataDir, name));
  }
  if (hasKeyFile) add('server.key', join(dataDir, 'server.key'));
  for (const folder of WHOLE_FOLDERS) addFolder(join(dataDir, folder), folder, add, MAX_DEPTH);
  for (const name of listFolder(join(dataDir, 'journal'))) {
    if (name.endsWith('.rejected')) add(`journal/${name}`, join(dataDir, 'journal', name));
  }
  return found;
}

/** True for a name that a backup of this version may contain. */
export function isCatalogName(name: string): boolean {
  const [first, second, ...rest] = name.split('/');
  if (second === undefined) return [...TOKEN_FILES, 'server.key', 'sources.yaml'].includes(first!);
  if (WHOLE_FOLDERS.includes(first!)) return true;
  if (rest.length > 0) return false;
  if (first === 'endpoints') return isDefinition(second);
  if (first === 'journal') return second.endsWith('.rejected');
  return first === 'database' && /^lqe_[a-z_]+\.jsonl$/.test(second);
}

function isDefinition(name: string): boolean {
  return /\.ya?ml$/i.test(name) && !name.startsWith('.');
}

function addFolder(folder: string, name: string, add: (name: string, path: string) => void, depth: number): void {
  if (depth === 0) return;
  for (const entry of listFolder(folder)) {
    // Files that are being written, and their locks.
    if (entry.startsWith('.') || entry.endsWith('.tmp') || entry.endsWith('.lock')) continue;
    const path = join(folder, entry);
    if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false) {
      addFolder(path, `${name}/${entry}`, add, depth - 1);
    } else {
      add(`${name}/${entry}`, path);
    }
  }
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw error;
  }
}
