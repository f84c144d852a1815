/** Saved queries of the API in the catalog: their names and ids are unique among those of the pushed set. */
import type { RevisionFacts } from '#contract/changes/revision';
import { SAVED_QUERY } from '../revisions/kind';
import { NameTakenError } from '../revisions/repository';
import type { RunStatement } from './database';
import { headsOf, type RevisionTable } from './stored-revisions';

export const QUERY_TABLE: RevisionTable = {
  kind: SAVED_QUERY,
  table: 'lqe_saved_queries',
  counter: 'query_change',
  ensureFree: ensureFreeName,
};

async function ensureFreeName(run: RunStatement, { id, name }: RevisionFacts): Promise<void> {
  const [taken] = await run(
    `SELECT 1 FROM (${headsOf(QUERY_TABLE)}) AS heads WHERE body IS NOT NULL AND name = $1 AND id <> $2::uuid
     UNION ALL
     SELECT 1 FROM lqe_revisions JOIN lqe_catalog ON revision = definition_revision
     WHERE identities && ARRAY[$1::text, $2::text]`,
    [name, id]
  );
  if (taken) throw new NameTakenError();
}

/** Which of these names and ids belong to saved queries of the API. */
export async function takenIdentities(run: RunStatement, identities: readonly string[]): Promise<readonly string[]> {
  const rows = await run<{ identity: string }>(
    `SELECT identity FROM (${headsOf(QUERY_TABLE)}) AS heads, unnest($1::text[]) AS identity
     WHERE body IS NOT NULL AND identity IN (name, id::text)`,
    [identities]
  );
  return rows.map(({ identity }) => identity);
}
