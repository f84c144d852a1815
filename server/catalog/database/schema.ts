/** Tables of the catalog. `lqe catalog init` creates and migrates them; servers only check their version. */
import { CatalogError } from './catalog-error';
import type { Database, RunStatement } from './database';

/** One entry for each version, never changed once it is released. */
const MIGRATIONS: readonly (readonly string[])[] = [
  [
    `CREATE TABLE lqe_catalog (
       only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
       key_fingerprint text NOT NULL,
       definition_revision integer NOT NULL DEFAULT 0,
       token_revision integer NOT NULL DEFAULT 0)`,
    `CREATE TABLE lqe_revisions (
       revision integer PRIMARY KEY,
       pushed_at timestamptz NOT NULL DEFAULT now(),
       pushed_by text NOT NULL DEFAULT session_user)`,
    `CREATE TABLE lqe_definitions (
       revision integer NOT NULL REFERENCES lqe_revisions ON DELETE CASCADE,
       kind text NOT NULL CHECK (kind IN ('sources', 'query')),
       file text NOT NULL,
       body text NOT NULL,
       PRIMARY KEY (revision, kind, file))`,
    `CREATE TABLE lqe_tokens (
       id text PRIMARY KEY,
       token jsonb NOT NULL)`,
    `CREATE TABLE lqe_token_changes (
       changed_at timestamptz NOT NULL,
       changed_by text NOT NULL DEFAULT session_user,
       action text NOT NULL,
       token_id text NOT NULL,
       name text NOT NULL,
       details jsonb)`,
    `CREATE TABLE lqe_token_usage (
       token_id text PRIMARY KEY,
       last_used_at timestamptz NOT NULL)`,
  ],
  [
    'ALTER TABLE lqe_catalog ADD COLUMN query_change bigint NOT NULL DEFAULT 0',
    // Names and ids of the saved queries of a pushed set; null in sets of older versions.
    'ALTER TABLE lqe_revisions ADD COLUMN identities text[]',
    // One row for each revision of a saved query of origin `api`; `body` is null in the revision that deletes it.
    `CREATE TABLE lqe_saved_queries (
       id uuid NOT NULL,
       revision integer NOT NULL,
       change bigint NOT NULL,
       name text NOT NULL,
       facts jsonb NOT NULL,
       body text,
       PRIMARY KEY (id, revision))`,
    'CREATE INDEX lqe_saved_queries_change ON lqe_saved_queries (change)',
    `CREATE TABLE lqe_audit (
       position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
       changed_at timestamptz NOT NULL,
       entry jsonb NOT NULL)`,
    'CREATE INDEX lqe_audit_changed_at ON lqe_audit (changed_at)',
    `INSERT INTO lqe_audit (changed_at, entry)
     SELECT changed_at, jsonb_build_object(
       'time', to_char(changed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
       'action', 'token.' || action,
       'by', jsonb_build_object('database_user', changed_by),
       'object', jsonb_build_object('id', token_id, 'name', name),
       'revision', NULL, 'message', NULL, 'request_id', NULL, 'details', details)
     FROM lqe_token_changes ORDER BY changed_at`,
    'DROP TABLE lqe_token_changes',
  ],
  [
    'ALTER TABLE lqe_catalog ADD COLUMN source_change bigint NOT NULL DEFAULT 0',
    // One row for each revision of a source of origin `api`; `body` is null in the revision that deletes it.
    `CREATE TABLE lqe_sources (
       id uuid NOT NULL,
       revision integer NOT NULL,
       change bigint NOT NULL,
       name text NOT NULL,
       facts jsonb NOT NULL,
       body text,
       PRIMARY KEY (id, revision))`,
    'CREATE INDEX lqe_sources_change ON lqe_sources (change)',
  ],
];

export const SCHEMA_TABLE = 'lqe_schema';

/** All tables, in an order in which each comes after those that it refers to. */
export const CATALOG_TABLES: readonly string[] = [
  SCHEMA_TABLE,
  ...tablesNamedBy(/^\s*CREATE TABLE (?:IF NOT EXISTS )?(lqe_[a-z_]+)/).filter(
    (table) => !tablesNamedBy(/^DROP TABLE (lqe_[a-z_]+)/).includes(table)
  ),
];

function tablesNamedBy(statement: RegExp): readonly string[] {
  return MIGRATIONS.flat().flatMap((text) => statement.exec(text)?.[1] ?? []);
}

/** Version of the tables that this program makes. */
export const CATALOG_VERSION = MIGRATIONS.length;

/** A migration may copy a large table. */
const MIGRATION_STATEMENT_MS = 600_000;

/** Key of the advisory lock: any number that is not used for another purpose in this database. */
const MIGRATION_LOCK = 7_206_331;

export interface Initialized {
  readonly version: number;
  /** Number of migrations that were applied. */
  readonly migrated: number;
}

/**
 * Creates and migrates the tables in one transaction, under a lock. From then on the catalog belongs to one server key.
 * @throws CatalogError `refused` when the catalog was created with another key
 */
export function initializeCatalog(database: Database, keyFingerprint: string): Promise<Initialized> {
  return database.transact(async (run) => {
    await run('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await run('CREATE TABLE IF NOT EXISTS lqe_schema (version integer NOT NULL)');
    const before = await readVersion(run);
    if (before > MIGRATIONS.length) throw newerSchema(before);
    for (const statement of MIGRATIONS.slice(before).flat()) await run(statement);
    await run('DELETE FROM lqe_schema');
    await run('INSERT INTO lqe_schema (version) VALUES ($1)', [MIGRATIONS.length]);
    await run('INSERT INTO lqe_catalog (key_fingerprint) VALUES ($1) ON CONFLICT DO NOTHING', [keyFingerprint]);
    await ensureKey(run, keyFingerprint);
    return { version: MIGRATIONS.length, migrated: MIGRATIONS.length - before };
  }, MIGRATION_STATEMENT_MS);
}

/** @throws CatalogError when the catalog is missing, of another version, or of another server key */
export async function ensureCatalog({ run }: Database, keyFingerprint: string): Promise<void> {
  const version = await readVersion(run);
  if (version > MIGRATIONS.length) throw newerSchema(version);
  if (version < MIGRATIONS.length)
    throw new CatalogError(
      'not_ready',
      'the catalog is of an older version; bring it up to date with "lqe catalog init"'
    );
  await ensureKey(run, keyFingerprint);
}

async function readVersion(run: RunStatement): Promise<number> {
  const [row] = await run<{ version: number }>('SELECT version FROM lqe_schema');
  return row?.version ?? 0;
}

async function ensureKey(run: RunStatement, keyFingerprint: string): Promise<void> {
  const [row] = await run<{ key_fingerprint: string }>('SELECT key_fingerprint FROM lqe_catalog');
  if (row?.key_fingerprint === keyFingerprint) return;
  throw new CatalogError(
    'refused',
    'the catalog was made with another server key, so none of its tokens could be checked; give every server the same LQE_SERVER_KEY'
  );
}

function newerSchema(version: number): CatalogError {
  return new CatalogError(
    'refused',
    `the catalog is of version ${version}, this program knows ${MIGRATIONS.length}: it is older than the one that made the catalog`
  );
}
