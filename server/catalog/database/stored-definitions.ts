/** Definition sets in the catalog. A set is written once, under the next revision, and never changed. */
import { basename } from 'node:path';
import { checkDefinitionSet, type DefinitionSet, namedTexts } from '../definitions/definition-set';
import { CatalogError } from './catalog-error';
import { type Database, LARGE_STATEMENT_MS } from './database';
import { QUERY_TABLE, takenIdentities } from './stored-queries';
import { stateOf } from './stored-revisions';
import { SOURCE_TABLE, takenSourceNames } from './stored-sources';
import { TOKEN_STATE } from './stored-tokens';

/** Number of earlier sets that are kept, so that one can be pulled and pushed again. */
const KEPT_REVISIONS = 50;
const FILE_NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,199}\.ya?ml$/i;

interface StoredText {
  readonly kind: 'sources' | 'query';
  readonly file: string;
  readonly body: string;
}

/**
 * Current revisions of definitions and tokens. Numbers alone do not tell states apart: a copy of the database that
 * lacked the last changes when it took over may have got as many others since.
 */
export interface CatalogRevisions {
  /** 0: no definitions were pushed yet. */
  readonly definitions: number;
  /** Tells pushes of one revision apart. */
  readonly pushMark: string;
  /** See `TOKEN_STATE`. */
  readonly tokens: string;
  /** Changes with each change of a saved query over the API. */
  readonly queries: string;
  /** Changes with each change of a source over the API. */
  readonly sources: string;
}

export async function readRevisions({ run }: Pick<Database, 'run'>): Promise<CatalogRevisions> {
  const [row] = await run<{
    definition_revision: number;
    push_mark: string;
    token_state: string;
    query_state: string;
    source_state: string;
  }>(
    `SELECT definition_revision,
       concat((SELECT extract(epoch FROM pushed_at) FROM lqe_revisions WHERE revision = definition_revision)) AS push_mark,
       ${TOKEN_STATE} AS token_state,
       ${stateOf(QUERY_TABLE)} AS query_state,
       ${stateOf(SOURCE_TABLE)} AS source_state
     FROM lqe_catalog`
  );
  if (!row) throw new CatalogError('not_ready', 'the database holds no catalog; make it with "lqe catalog init"');
  const { definition_revision: definitions, push_mark: pushMark, token_state: tokens } = row;
  return { definitions, pushMark, tokens, queries: row.query_state, sources: row.source_state };
}

/** Revisions before `before`, newest first. */
export async function readEarlierRevisions(
  { run }: Pick<Database, 'run'>,
  before: number,
  max: number
): Promise<readonly number[]> {
  const rows = await run<{ revision: number }>(
    'SELECT revision FROM lqe_revisions WHERE revision < $1 ORDER BY revision DESC LIMIT $2',
    [before, max]
  );
  return rows.map(({ revision }) => revision);
}

/** @throws CatalogError when there is no such revision */
export async function readStoredSet({ run }: Pick<Database, 'run'>, revision: number): Promise<DefinitionSet> {
  if (revision === 0)
    throw new CatalogError('not_ready', 'the catalog holds no definitions; bring them there with "lqe catalog push"');
  const texts = await run<StoredText & Record<string, unknown>>(
    'SELECT kind, file, body FROM lqe_definitions WHERE revision = $1 ORDER BY file',
    [revision],
    LARGE_STATEMENT_MS
  );
  const sources = texts.find(({ kind }) => kind === 'sources');
  if (!sources) throw new CatalogError('failed', `the catalog holds no definitions of revision ${revision}`);
  const queries = texts.filter(({ kind }) => kind === 'query');
  // Names become file names when a set is pulled.
  if (texts.some(({ file }) => !FILE_NAME.test(file)))
    throw new CatalogError('failed', `revision ${revision} of the catalog holds a name that is no name of a YAML file`);
  return {
    sources: { file: sources.file, text: sources.body },
    queries: queries.map(({ file, body }) => ({ file, text: body })),
  };
}

export interface PushedSet {
  readonly revision: number;
  /** False: the current set has identical texts, and stays. */
  readonly isNew: boolean;
}

/**
 * Makes a checked set the current one, in one transaction. What the API has made stays.
 * @throws CatalogError when a file name is invalid, or when a saved query or a source of the API has a name of the set
 */
export function storeSet(database: Database, set: DefinitionSet): Promise<PushedSet> {
  const texts: readonly StoredText[] = [
    { kind: 'sources', file: basename(set.sources.file), body: set.sources.text },
    ...[...namedTexts(set)].map(([file, body]) => ({ kind: 'query' as const, file, body })),
  ];
  const unfit = texts.find(({ file }) => !FILE_NAME.test(file));
  if (unfit)
    throw new CatalogError(
      'failed',
      `${unfit.file}: use letters, digits, dots, dashes and underscores in the name of the file`
    );
  return database.transact(async (run) => {
    // The row lock serializes pushes.
    const [row] = await run<{ definition_revision: number }>('SELECT definition_revision FROM lqe_catalog FOR UPDATE');
    if (!row) throw new CatalogError('not_ready', 'the database holds no catalog; make it with "lqe catalog init"');
    const present = row.definition_revision;
    const stored = await run<StoredText & Record<string, unknown>>(
      'SELECT kind, file, body FROM lqe_definitions WHERE revision = $1',
      [present]
    );
    if (present > 0 && sameTexts(stored, texts)) return { revision: present, isNew: false };
    const { sources, loaded } = checkDefinitionSet(set);
    const identities = loaded.flatMap(({ definition }) => [definition.name, definition.id]);
    ensureNoneTaken('saved queries', await takenIdentities(run, identities));
    ensureNoneTaken('sources', await takenSourceNames(run, sources));
    const revision = present + 1;
    await run('INSERT INTO lqe_revisions (revision, identities) VALUES ($1, $2)', [revision, identities]);
    await run(
      `INSERT INTO lqe_definitions (revision, kind, file, body)
       SELECT $1, t.kind, t.file, t.body FROM unnest($2::text[], $3::text[], $4::text[]) AS t(kind, file, body)`,
      [revision, texts.map(({ kind }) => kind), texts.map(({ file }) => file), texts.map(({ body }) => body)]
    );
    await run('UPDATE lqe_catalog SET definition_revision = $1', [revision]);
    await run('DELETE FROM lqe_revisions WHERE revision <= $1', [revision - KEPT_REVISIONS]);
    return { revision, isNew: true };
  }, LARGE_STATEMENT_MS);
}

function ensureNoneTaken(kinds: string, taken: readonly string[]): void {
  if (taken.length === 0) return;
  throw new CatalogError(
    'failed',
    `${kinds} of the API have these names or ids: ${taken.join(', ')}; rename or delete one of the two`
  );
}

function sameTexts(a: readonly StoredText[], b: readonly StoredText[]): boolean {
  const write = (texts: readonly StoredText[]): string =>
    JSON.stringify(texts.map(({ kind, file, body }) => [kind, file, body]).sort());
  return write(a) === write(b);
}
