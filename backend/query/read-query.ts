/** Reads a stored query: checks it, resolves macros for the time range, and returns a call of the service. */
import { filterSql, printLqlEquality } from '#compiler/browser';
import { filterValues } from '#contract/plugin/field-filter';
import { unescapeVariables } from '#contract/plugin/literal-text';
import { type FieldFilter, MAX_ROWS, type PluginQuery, pluginQuerySchema } from '#contract/plugin/query';
import type { PluginOptions } from '#contract/plugin/options';
import { PluginError } from '../service-client/failures/plugin-error';
import type { QueryCall } from '../service-client/service-client';
import { bucketSecondsOf } from './buckets';
import { asksForZeros, ensureResolved, resolveMacros } from './macros';
import { searchWords } from './search-words';
import type { TimeContext } from './time-context';

export interface ReadyQuery {
  readonly call: QueryCall;
  /** Whether the project of the call is that of the data source. */
  readonly hasDefaultProject: boolean;
  /** Query text for Grafana's inspector: the text that runs, or the call, without secrets. */
  readonly executed: string;
  /** Regular expressions to highlight in log lines. */
  readonly searchWords: readonly string[];
  /** Display name of the endpoint. */
  readonly name: string;
  readonly format: PluginQuery['format'];
  readonly maxRows: number;
  /** Width of the time buckets in seconds; undefined if unknown. */
  readonly bucketSeconds: number | undefined;
  /**
   * Whether empty buckets are zeros: in the panel's range if the query requests it, else between its first and last
   * row.
   */
  readonly zeros: 'range' | 'rows' | undefined;
}

/** Far more than the service accepts; larger queries must not be copied in memory several times. */
const MAX_QUERY_BYTES = 1_048_576;

export function parseQuery(json: Uint8Array): PluginQuery {
  if (json.length > MAX_QUERY_BYTES)
    throw new PluginError('body_too_large', `The query has more than ${MAX_QUERY_BYTES} bytes.`, { status: 413 });
  const text = Buffer.from(json.buffer, json.byteOffset, json.length).toString('utf8');
  const known = parsedQueries.get(text);
  if (known) return known;
  const query = parseText(text);
  if (text.length <= MAX_KEPT_LENGTH) {
    if (parsedQueries.size >= MAX_KEPT) parsedQueries.delete(parsedQueries.keys().next().value as string);
    parsedQueries.set(text, query);
  }
  return query;
}

/** The panels of a dashboard send the same queries at each refresh; the oldest ones are dropped. */
const parsedQueries = new Map<string, PluginQuery>();
const MAX_KEPT = 200;
const MAX_KEPT_LENGTH = 4_096;

function parseText(text: string): PluginQuery {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new PluginError('query_incomplete', 'The query is not valid JSON.', { status: 400 });
  }
  const parsed = pluginQuerySchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues[0]?.path.join('.') ?? '';
  throw new PluginError('query_incomplete', `The part "${where}" of the query has a value that cannot be used.`, {
    status: 400,
  });
}

/** @throws PluginError for missing parts, an unknown macro or a variable without a value */
export function readyQuery(
  query: PluginQuery,
  options: PluginOptions,
  time: TimeContext,
  isAlert: boolean
): ReadyQuery {
  const kept = readyQueries.get(query);
  if (kept?.options === options && kept.isAlert === isAlert) return kept.ready;
  const ready = resolveQuery(query, options, time, isAlert);
  if (!usesMacros(query)) readyQueries.set(query, { options, isAlert, ready });
  return ready;
}

/** Queries that are the same at all times. `parseQuery` returns the same object for the same text. */
const readyQueries = new WeakMap<
  PluginQuery,
  { readonly options: PluginOptions; readonly isAlert: boolean; readonly ready: ReadyQuery }
>();

function usesMacros({ params, sql, lql, filters }: PluginQuery): boolean {
  const texts = [...Object.values(params), ...filters.map(({ value }) => value), sql ?? '', lql ?? ''];
  return texts.some((text) => text.includes('$'));
}

function resolveQuery(query: PluginQuery, options: PluginOptions, time: TimeContext, isAlert: boolean): ReadyQuery {
  const endpoint = query.endpoint.id || query.endpoint.name;
  if (!endpoint) throw new PluginError('query_incomplete', 'The query names no endpoint; choose one.', { status: 400 });
  ensureResolved(endpoint, 'value', isAlert);
  const own = readParams(query.params, time, isAlert);
  const project = own['project'] ? undefined : options.defaultProject;
  const call = {
    endpoint,
    params: project ? { ...own, project } : own,
    adhoc: readText(query, time, isAlert),
    redact: query.redactPii === true || options.redactPii === true,
  };
  return {
    name: query.endpoint.name || endpoint,
    format: query.format,
    maxRows: query.maxRows ?? (query.format === 'logs' ? options.logs?.defaultLimit : undefined) ?? MAX_ROWS,
    call,
    hasDefaultProject: Boolean(project),
    executed: executedText(call),
    searchWords: searchWords(call),
    bucketSeconds: bucketSecondsOf(call),
    zeros: zerosOf(query),
  };
}

function zerosOf({ mode, fill, params, ...texts }: PluginQuery): ReadyQuery['zeros'] {
  const given = mode === 'saved' ? Object.values(params) : [texts[mode] ?? ''];
  if (fill !== 'zero' && (mode === 'saved' || !asksForZeros(texts[mode] ?? '', mode))) return undefined;
  return given.some((text) => /\$__timeFilter\b|\$(?:\{__|__)from\b/.test(text)) ? 'range' : 'rows';
}

/** Omits empty values, which the service treats as absent. */
function readParams(given: PluginQuery['params'], time: TimeContext, isAlert: boolean): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [name, text] of Object.entries(given)) {
    const value = resolve(text, 'value', time, isAlert);
    if (value !== '') params[name] = value;
  }
  return params;
}

function readText({ mode, sql, lql, filters }: PluginQuery, time: TimeContext, isAlert: boolean): QueryCall['adhoc'] {
  if (filters.length > 0 && mode === 'saved') throw takesNoFilters();
  if (mode === 'saved') return null;
  const text = (mode === 'sql' ? sql : lql)?.trim();
  if (!text) throw new PluginError('query_incomplete', `The query has no ${mode.toUpperCase()} text.`, { status: 400 });
  const resolved = filters.map((filter) => ({ ...filter, value: resolve(filter.value, 'value', time, isAlert) }));
  if (mode === 'sql' && filters.length > 0) {
    const filtered = filterSql(resolve(text, mode, time, isAlert), resolved);
    if (filtered === undefined) throw takesNoFilters();
    return { language: mode, text: filtered };
  }
  const parts = [resolve(text, mode, time, isAlert), ...resolved.map(filterClause)];
  return { language: mode, text: parts.join(' ') };
}

function takesNoFilters(): PluginError {
  return new PluginError('query_incomplete', 'Field filters need LQL, or SQL that reads a table.', {
    status: 400,
    hint: 'remove the filters, or write them into the text',
  });
}

const LQL_OPERATORS: Readonly<
  Record<FieldFilter['operator'], { negated: boolean; comparison: '' | '~' | '<' | '<=' | '>' | '>=' | 'in' }>
> = {
  '=': { negated: false, comparison: '' },
  '!=': { negated: true, comparison: '' },
  '=~': { negated: false, comparison: '~' },
  '!~': { negated: true, comparison: '~' },
  '<': { negated: false, comparison: '<' },
  '<=': { negated: false, comparison: '<=' },
  '>': { negated: false, comparison: '>' },
  '>=': { negated: false, comparison: '>=' },
  '=|': { negated: false, comparison: 'in' },
  '!=|': { negated: true, comparison: 'in' },
};

/** In quoted LQL text, quotes and backslashes are escaped with a backslash. */
function filterClause({ field, operator, value }: FieldFilter): string {
  const { negated, comparison } = LQL_OPERATORS[operator];
  const texts = filterValues(operator, value).map((each) => `"${each.replace(/["\\]/g, '\\$&')}"`);
  if (comparison === 'in') return printLqlEquality(field, `in(${texts.join(',')})`, negated);
  if (comparison === '') return printLqlEquality(field, texts.join(''), negated);
  return `${negated ? '-' : ''}${field}:${comparison}${texts.join('')}`;
}

function resolve(text: string, target: 'value' | 'sql' | 'lql', time: TimeContext, isAlert: boolean): string {
  const resolved = resolveMacros(text, target, time);
  ensureResolved(resolved, target, isAlert);
  return unescapeVariables(resolved);
}

function executedText({ endpoint, params, adhoc }: QueryCall): string {
  if (adhoc) return adhoc.text;
  const query = new URLSearchParams(params).toString();
  return `GET /api/endpoints/query/${encodeURIComponent(endpoint)}${query === '' ? '' : `?${query}`}`;
}
