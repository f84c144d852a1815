/** The text of a new saved query that a page asks for in its address. */
import { joinStatements, readLqlWords, tokenizeTemplate } from '#compiler/browser';
import type { SavedQuery } from '#contract/queries/saved-query';
import type { ApiClient } from '../api/client';
import { Problem } from '../api/problem';
import type { DescribedQuery, ListedSource, Validated } from '../api/shapes';
import { newText } from './definition-text';
import { newestEvents } from './newest-events';

export interface Asked {
  readonly sql: string;
  readonly lql: string;
  /** Name of the saved query whose sandbox the text is for. */
  readonly from: string;
  /** Name of a saved query to copy. */
  readonly copy: string;
  /** Name of a source whose newest events are read. */
  readonly source: string;
}

export interface Prefilled {
  readonly text: string;
  /** What a person should know, one sentence each. */
  readonly notes: readonly string[];
}

const EMPTY: Prefilled = { text: newText({ name: '', description: '', query: '', parameters: [] }), notes: [] };

/** @throws Problem when a saved query that is named cannot be read, or LQL is not valid */
export async function prefill(
  api: ApiClient,
  { sql, lql, from, copy, source }: Asked,
  signal: AbortSignal
): Promise<Prefilled> {
  if (copy !== '') return copyOf(await read(api, copy, signal));
  if (source !== '') return { text: newestEvents(await readSource(api, source, signal)), notes: [] };
  if (from === '') return sql === '' ? EMPTY : { ...EMPTY, text: newText({ name: '', query: sql, parameters: [] }) };
  const origin = await read(api, from, signal);
  if (lql === '') return joined(origin, sql, []);
  const body = { endpoint: from, lql };
  const { sql: translated = '' } = await api.result<Validated>('/api/endpoints/validate', {
    method: 'POST',
    body,
    signal,
  });
  return joined(origin, translated, isRelative(lql) ? [RELATIVE] : []);
}

const RELATIVE =
  'The LQL text names a time relative to now. A saved query has SQL with the time of this moment instead: change it, or give it a parameter.';

function read(api: ApiClient, name: string, signal: AbortSignal): Promise<DescribedQuery> {
  return api.result<DescribedQuery>(`/api/endpoints/${encodeURIComponent(name)}`, { signal });
}

async function readSource(api: ApiClient, name: string, signal: AbortSignal): Promise<ListedSource> {
  const sources = await api.result<readonly ListedSource[]>('/api/sources', { signal });
  const source = sources.find((each) => each.name === name);
  if (source !== undefined) return source;
  throw new Problem(404, { code: 'source_not_found', message: `There is no source "${name}".`, details: {} });
}

function copyOf(query: DescribedQuery): Prefilled {
  return { text: newText({ ...query, name: `${query.name}.copy` }), notes: [] };
}

function joined(origin: DescribedQuery, sql: string, notes: readonly string[]): Prefilled {
  const statement = joinStatements(origin.query, sql);
  const query = statement.text ?? sql;
  const limits = limitsOf(origin);
  const fields = { name: '', description: '', query, parameters: usedParameters(query, origin), ...limits };
  const whyNot = statement.problem === null ? [] : [`${statement.problem} The query below is your text alone.`];
  return { text: newText(fields), notes: [...notes, ...whyNot] };
}

/** Parameters that the text uses, or that name its tenant. */
function usedParameters(query: string, { parameters }: SavedQuery): SavedQuery['parameters'] {
  const used = new Set(
    tokenizeTemplate(query).flatMap(({ kind, text }) => (kind === 'variable' ? [text.slice(1)] : []))
  );
  return parameters.filter(({ name, tenant }) => used.has(name) || tenant === true);
}

/** A copy never redacts less than its origin. */
function limitsOf({ max_rows, timeout_ms, max_bytes, redact_pii, redact, unknown_parameters }: SavedQuery) {
  return { max_rows, timeout_ms, max_bytes, redact_pii, redact, unknown_parameters };
}

/** The service resolves relative times when it translates. */
function isRelative(lql: string): boolean {
  return readLqlWords(lql).some(
    ({ path, value, quoted }) =>
      (path[0] === 'timestamp' || path[0] === 't') &&
      quoted === undefined &&
      /\b(?:now|today|yesterday)\b|\b(?:this|last)@/i.test(value)
  );
}
