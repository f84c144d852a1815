/**
 * `lqe catalog init|push|pull|check`: saved queries and sources of several servers, in a shared database
 * (LQE_CATALOG_URL).
 */
import { existsSync, readdirSync } from 'node:fs';
import type { Command } from 'commander';
import type { Database } from '../../catalog/database/database';
import { openDatabase } from '../../catalog/database/database';
import { openCatalog } from '../../catalog/database/open-catalog';
import { initializeCatalog } from '../../catalog/database/schema';
import { readRevisions, readStoredSet, storeSet } from '../../catalog/database/stored-definitions';
import { envToConfig, readEnv } from '../../config';
import { type DefinitionSet, namedTexts, readDefinitionSet } from '../../catalog/definitions/definition-set';
import {
  existingServerKey,
  keyFingerprint,
  loadServerKey,
  missingServerKey,
} from '../../catalog/tokens/secrets/server-key';
import { wholeNumber } from '../output/whole-number';
import { dataDirOption, endpointsDirOption, sourcesFileOption } from '../file-options';
import { sourcesInCatalog } from '../all-sources';
import { checkInEngine } from './check-in-engine';
import { writeDefinitionSet } from './write-set';

interface CommonFlags {
  readonly dataDir: string;
}

interface FileFlags extends CommonFlags {
  readonly endpointsDir: string;
  readonly sourcesFile: string;
}

export function registerCatalog(program: Command): void {
  const catalog = program
    .command('catalog')
    .description('tokens, saved queries and sources that several servers share in PostgreSQL (LQE_CATALOG_URL)');
  const add = (name: string, description: string): Command =>
    catalog
      .command(name)
      .description(description)
      .addOption(dataDirOption('folder of server.key, when LQE_SERVER_KEY is not set'));
  const addWithFiles = (name: string, description: string): Command =>
    add(name, description).addOption(endpointsDirOption()).addOption(sourcesFileOption());

  add('init', 'make the tables, or bring them up to date').action(init);
  addWithFiles('push', 'check the files and put them in force on all servers, as one step').action(push);
  add('pull', 'write the definitions in force into an empty folder')
    .argument('<folder>')
    .option('--revision <number>', 'an earlier set', wholeNumber)
    .action(pull);
  addWithFiles('check', 'check the files, and say how they differ from the definitions in force').action(check);
}

async function init(flags: CommonFlags): Promise<void> {
  const { url, serverKey } = connectionSettings();
  const missing = missingServerKey(flags.dataDir, serverKey);
  const key = loadServerKey(flags.dataDir, serverKey);
  if (missing !== null)
    console.log(
      `made a new server key, ${missing}: give it to every server and to lqe on other machines (LQE_SERVER_KEY)`
    );
  const database = await openDatabase(url);
  const done = initializeCatalog(database, keyFingerprint(key));
  const { version, migrated } = await done.finally(() => database.close());
  console.log(
    migrated > 0 ? `the catalog is ready, version ${version}` : `the catalog was ready already, version ${version}`
  );
}

async function push(flags: FileFlags): Promise<void> {
  const set = readDefinitionSet(flags.endpointsDir, flags.sourcesFile);
  await withCatalog(flags, async (database) => {
    await checkInEngine(set, await sourcesInCatalog(database), envToConfig(readEnv(process.env)));
    const { revision, isNew } = await storeSet(database, set);
    const what = `${set.queries.length} saved queries and the sources`;
    if (isNew) console.log(`pushed ${what} as revision ${revision}`);
    else console.log(`revision ${revision} holds the very same texts already`);
  });
}

async function pull(folder: string, flags: CommonFlags & { readonly revision?: number }): Promise<void> {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Error(`${folder} is not empty. Empty it, or name another folder.`);
  await withCatalog(flags, async (database) => {
    const revision = flags.revision ?? (await readRevisions(database)).definitions;
    const set = await readStoredSet(database, revision);
    writeDefinitionSet(folder, set);
    console.log(`wrote ${set.queries.length} saved queries and the sources of revision ${revision} to ${folder}`);
  });
}

async function check(flags: FileFlags): Promise<void> {
  const set = readDefinitionSet(flags.endpointsDir, flags.sourcesFile);
  const config = envToConfig(readEnv(process.env));
  const canBeServed = `${set.queries.length} saved queries and the sources can be served`;
  if (config.catalog === null) {
    await checkInEngine(set, [], config);
    return console.log(canBeServed);
  }
  await withCatalog(flags, async (database) => {
    await checkInEngine(set, await sourcesInCatalog(database), config);
    console.log(canBeServed);
    const { definitions: revision } = await readRevisions(database);
    if (revision === 0) return console.log('the catalog holds no definitions yet');
    const differences = describeDifferences(await readStoredSet(database, revision), set);
    if (differences.length === 0) console.log(`they are those in force, revision ${revision}`);
    for (const line of differences) console.log(`${line} (in force is revision ${revision})`);
  });
}

function describeDifferences(present: DefinitionSet, next: DefinitionSet): readonly string[] {
  const before = namedTexts(present);
  const after = namedTexts(next);
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  const lines = names.flatMap((name) => {
    if (!before.has(name)) return [`new: ${name}`];
    if (!after.has(name)) return [`removed: ${name}`];
    return before.get(name) === after.get(name) ? [] : [`changed: ${name}`];
  });
  return present.sources.text === next.sources.text ? lines : ['changed: the sources', ...lines];
}

async function withCatalog({ dataDir }: CommonFlags, work: (database: Database) => Promise<void>): Promise<void> {
  const { url, serverKey } = connectionSettings();
  const database = await openCatalog(url, existingServerKey(dataDir, serverKey));
  await work(database).finally(() => database.close());
}

/** The URL contains a password, so it comes from the environment only: other users could see it on the command line. */
function connectionSettings(): { readonly url: string; readonly serverKey: string | null } {
  const env = readEnv(process.env);
  if (env.LQE_CATALOG_URL === null) throw new Error('set LQE_CATALOG_URL to the URL of the PostgreSQL database');
  return { url: env.LQE_CATALOG_URL, serverKey: env.LQE_SERVER_KEY };
}
