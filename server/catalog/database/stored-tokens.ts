/** Tokens in the catalog: the same fields as in a token file, one row each. */
import type { Author } from '#contract/changes/change';
import { type StoredToken, storedTokenSchema } from '#contract/tokens/token';
import { dropOldMarks } from '../tokens/secrets/issue-secret';
import type { TokenEdit } from '../tokens/token-edits';
import { auditEntryOf } from '../tokens/token-register';
import type { ChangeFacts } from '../audit/change-facts';
import { CatalogError } from './catalog-error';
import type { Database, RunStatement } from './database';
import { storeAuditEntry } from './stored-audit';

/**
 * State of the tokens as an expression on `lqe_catalog`: their revision, and the newest entry of the audit trail, which
 * tells two changes apart that made the same revision.
 */
export const TOKEN_STATE = `concat(token_revision, ' ',
  (SELECT hashtextextended(entry::text, 0) FROM lqe_audit ORDER BY lqe_audit.position DESC LIMIT 1))`;

export interface StoredTokens {
  /** See `TOKEN_STATE`. */
  readonly state: string;
  readonly tokens: readonly StoredToken[];
  /** Ids of rows that are no tokens of this version; they are not valid. */
  readonly unreadable: readonly string[];
}

/** Reads all tokens and their state in one statement, so that they match. */
export async function readStoredTokens({ run }: Pick<Database, 'run'>): Promise<StoredTokens> {
  const rows = await run<{ token_state: string; id: string | null; token: unknown }>(
    `SELECT ${TOKEN_STATE} AS token_state, t.id, t.token FROM lqe_catalog LEFT JOIN lqe_tokens AS t ON true`
  );
  if (rows.length === 0)
    throw new CatalogError('not_ready', 'the database holds no catalog; make it with "lqe catalog init"');
  const tokens: StoredToken[] = [];
  const unreadable: string[] = [];
  for (const { id, token } of rows) {
    if (id === null) continue;
    const parsed = storedTokenSchema.safeParse(token);
    if (parsed.success && parsed.data.id === id) tokens.push(parsed.data);
    else unreadable.push(id);
  }
  return { state: rows[0]!.token_state, tokens, unreadable };
}

/**
 * Reads, edits and writes the tokens in one transaction, with an entry in the audit trail. When the edit throws,
 * nothing is written.
 * @throws CatalogError
 */
export function changeStoredTokens<T>(database: Database, facts: ChangeFacts, edit: TokenEdit<T>): Promise<T> {
  return database.transact(async (run) => {
    // The row lock serializes changes.
    await run('SELECT 1 FROM lqe_catalog FOR UPDATE');
    const before = (await readStoredTokens({ run })).tokens;
    const { tokens, note, outcome } = edit(before);
    if (note === null) return outcome;
    const kept = tokens.map((token) => dropOldMarks(token, facts.now));
    const known = new Set(before);
    for (const token of kept) if (!known.has(token)) await writeToken(run, token);
    const ids = new Set(kept.map(({ id }) => id));
    for (const { id } of before) if (!ids.has(id)) await run('DELETE FROM lqe_tokens WHERE id = $1', [id]);
    await storeAuditEntry(run, auditEntryOf(note, facts));
    await run('UPDATE lqe_catalog SET token_revision = token_revision + 1');
    return outcome;
  });
}

/** The author of changes by this connection. */
export async function readDatabaseUser({ run }: Pick<Database, 'run'>): Promise<Author> {
  const [row] = await run<{ name: string }>('SELECT session_user AS name');
  return { database_user: row!.name };
}

async function writeToken(run: RunStatement, token: StoredToken): Promise<void> {
  await run(
    'INSERT INTO lqe_tokens (id, token) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET token = excluded.token',
    [token.id, token]
  );
}

/** Last use on any server, by token id. */
export async function readStoredUsage({ run }: Pick<Database, 'run'>): Promise<Readonly<Record<string, string>>> {
  const rows = await run<{ token_id: string; last_used_at: Date }>(
    'SELECT token_id, last_used_at FROM lqe_token_usage'
  );
  return Object.fromEntries(rows.map(({ token_id, last_used_at }) => [token_id, last_used_at.toISOString()]));
}

/** In the order of the ids: servers that lock rows in different orders would wait for each other. */
export async function storeUsage({ run }: Pick<Database, 'run'>, lastUsed: ReadonlyMap<string, Date>): Promise<void> {
  const uses = [...lastUsed].sort(([a], [b]) => (a < b ? -1 : 1));
  await run(
    `INSERT INTO lqe_token_usage (token_id, last_used_at)
     SELECT * FROM unnest($1::text[], $2::timestamptz[])
     ON CONFLICT (token_id) DO UPDATE SET last_used_at = greatest(lqe_token_usage.last_used_at, excluded.last_used_at)`,
    [uses.map(([id]) => id), uses.map(([, at]) => at)]
  );
}
