/** Sources of the API in the catalog: their names, aliases and ids are unique among those of the pushed set. */
import type { Source } from '#contract/events/source';
import { sharedNames } from '../definitions/check-source';
import { parseSources } from '../definitions/load-sources';
import { SOURCE } from '../revisions/kind';
import { NameTakenError } from '../revisions/repository';
import type { StoredRevision } from '../revisions/revision-text';
import { readSource } from '../sources/source-text';
import type { RunStatement } from './database';
import { headsOf, type RevisionTable } from './stored-revisions';

export const SOURCE_TABLE: RevisionTable = {
  kind: SOURCE,
  table: 'lqe_sources',
  counter: 'source_change',
  ensureFree: ensureFreeNames,
};

async function ensureFreeNames(run: RunStatement, { id, text }: StoredRevision): Promise<void> {
  const pushed = await run<{ file: string; body: string }>(
    `SELECT file, body FROM lqe_definitions JOIN lqe_catalog ON revision = definition_revision WHERE kind = 'sources'`
  );
  const others = [
    ...pushed.flatMap(({ file, body }) => parseSources(file, body)),
    ...(await storedSources(run)).filter((source) => source.id !== id),
  ];
  const [taken] = sharedNames(others, [readSource(text!, id)]);
  if (taken) throw new NameTakenError(taken.name);
}

/** Names of a set that is pushed which belong to sources of the API. */
export async function takenSourceNames(run: RunStatement, sources: readonly Source[]): Promise<readonly string[]> {
  return sharedNames(await storedSources(run), sources).map(({ name }) => name);
}

async function storedSources(run: RunStatement): Promise<readonly Source[]> {
  const heads = await run<{ id: string; body: string }>(
    `SELECT id::text, body FROM (${headsOf(SOURCE_TABLE)}) AS heads WHERE body IS NOT NULL`
  );
  return heads.map(({ id, body }) => readSource(body, id));
}
