/** Makes a definition of a saved query of the older service. */
import { UUID_PATTERN } from '#contract/queries/saved-query';
import { formatDefinition } from '../../../catalog/saved-queries/definition-text';
import type { OldQuery } from './old-query';
import { parameterNames, renameTables } from './read-sql';
import { toValidName } from './valid-name';

export interface Converted {
  readonly name: string;
  /** Null: the server makes one. */
  readonly id: string | null;
  /** YAML of the definition. */
  readonly text: string;
  readonly parameters: readonly string[];
  /** Old and new names of tables. */
  readonly renamed: ReadonlyMap<string, string>;
  /** What differs from the older service. */
  readonly notes: readonly string[];
}

const MAX_SECONDS = 86_400;
const MAX_QUERY_CHARACTERS = 100_000;
/** Languages that are read as GoogleSQL; older versions do not name one. */
const SQL_LANGUAGES: readonly (string | null)[] = ['bq_sql', null];

/** @returns why the query cannot be imported */
export function convert(old: OldQuery, mapping: ReadonlyMap<string, string>): Converted | { readonly reason: string } {
  if (!SQL_LANGUAGES.includes(old.language))
    return { reason: `its language is ${old.language}; write it in GoogleSQL and import it as a .sql file` };
  if (old.sandbox_query_id !== null)
    return { reason: 'it runs in the sandbox of another query; call that one with sql= or lql=' };
  if (old.query.length > MAX_QUERY_CHARACTERS)
    return { reason: `its query is longer than ${MAX_QUERY_CHARACTERS} characters` };
  const name = toValidName(old.name);
  if (name === null) return { reason: 'no valid name can be made of its name; rename it' };
  const { sql, renamed } = renameTables(old.query, mapping);
  const parameters = parameterNames(sql);
  const notes: string[] = name === old.name ? [] : [`the name was "${old.name}"`];
  const id = idOf(old, notes);
  const cache = cacheOf(old, notes);
  const value = {
    ...(id === null ? {} : { id }),
    name,
    ...(old.description ? { description: old.description } : {}),
    ...(old.max_limit === null ? {} : { max_rows: old.max_limit }),
    cache_seconds: cache,
    warm_seconds: warmOf(old, cache, notes),
    ...(old.sandboxable ? { sandbox: true } : {}),
    ...(old.redact_pii ? { redact_pii: true } : {}),
    ...(parameters.length === 0 ? {} : { parameters: parameters.map((each) => ({ name: each })) }),
    query: sql,
  };
  if (parameters.length > 0) notes.push(`parameters are optional texts, as they were: ${parameters.join(', ')}`);
  if (old.enable_auth === false) notes.push('it was open to everybody; now a call needs an access token');
  if (old.labels) notes.push(`labels are not kept: ${old.labels}`);
  const kept = Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null));
  return { name, id, text: formatDefinition(kept), parameters, renamed, notes };
}

function idOf({ token }: OldQuery, notes: string[]): string | null {
  if (token === null) return null;
  if (UUID_PATTERN.test(token)) return token.toLowerCase();
  notes.push('its token is no UUID; the id is new');
  return null;
}

/** The older service keeps results for 0 seconds when it does not cache. */
function cacheOf({ cache_duration_seconds: seconds }: OldQuery, notes: string[]): number | null {
  if (seconds === null || seconds <= 0) return null;
  const kept = Math.min(Math.max(1, Math.round(seconds)), MAX_SECONDS);
  if (kept !== seconds) notes.push(`results are cached for ${kept} s, not ${seconds} s`);
  return kept;
}

/** The older service refreshes a result only while it is cached. */
function warmOf(
  { proactive_requerying_seconds: seconds }: OldQuery,
  cache: number | null,
  notes: string[]
): number | null {
  if (seconds === null || seconds <= 0) return null;
  if (cache !== null && seconds <= cache) return Math.max(1, Math.round(seconds));
  if (cache !== null) notes.push(`results are not refreshed: every ${seconds} s is longer than they are cached`);
  return null;
}
