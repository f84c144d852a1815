/**
 * Inserts Grafana's variables into a query, quoted for the language of each text, so that a value cannot change its
 * structure. Macros of time and interval are left to the backend, which also resolves them in alert rules.
 */
import type { ScopedVars } from '@grafana/data';
import { escapeVariables } from '#contract/plugin/literal-text';
import type { EndpointSummary } from '#contract/plugin/resources';
import { printString } from '../builder/sql/sql-tokens';
import type { LogEndpointsQuery } from '../types';

export type FormatValue = (value: unknown) => string;

/**
 * Grafana's replacement of `$name`, `${name:format}` and `[[name]]`; a format in the text takes precedence over the
 * given one.
 */
export type ReplaceVariables = (text: string, scopedVars: ScopedVars, format: FormatValue) => string;

/** Grafana's notations of a variable: groups of the name and the format or field of each. */
export const VARIABLE = /\$(\w+)|\$\{(\w+)([.:][^{}]*)?\}|\[\[(\w+)(:\w+)?\]\]/g;

/** Macros of the backend; other names that begin with two underscores are Grafana's. */
const MACRO =
  /^\$(?:__(?:from|to|interval_ms|interval|timeFilter|timeGroup)|\{__(?:(?:from|to|interval_ms|interval)(?::[^{}]*)?|dollar|bracket)\})$/;

export interface VariableValues {
  readonly replace: ReplaceVariables;
  readonly scopedVars: ScopedVars;
}

/** @param patterns names of the parameters that are patterns; values are inserted into others as they are */
export function interpolateQuery(
  query: LogEndpointsQuery,
  { patterns, ...values }: VariableValues & { readonly patterns: readonly string[] }
): LogEndpointsQuery {
  const fill = filler(values);
  const params = Object.entries(query.params ?? {}).map(
    ([name, text]) => [name, fill(text, patterns.includes(name) ? formatRegex : formatPlain)] as const
  );
  return {
    ...interpolateEndpoint(query, values),
    params: Object.fromEntries(params),
    ...(query.sql === undefined ? {} : { sql: fill(query.sql, formatSql) }),
    ...(query.lql === undefined ? {} : { lql: fill(query.lql, formatLql) }),
    ...(query.filters === undefined
      ? {}
      : { filters: query.filters.map((each) => ({ ...each, value: fill(each.value, formatPlain) })) }),
  };
}

/** The query with the endpoint that its variable names; the query itself if it names the endpoint. */
export function interpolateEndpoint<Q extends Pick<LogEndpointsQuery, 'endpoint'>>(
  query: Q,
  values: VariableValues
): Q {
  const { endpoint } = query;
  if (endpoint === undefined || !hasVariable(endpoint)) return query;
  return { ...query, endpoint: { name: filler(values)(endpoint.name ?? '', formatPlain) } };
}

/** Whether a variable chooses the endpoint. */
export function hasVariable({ id, name = '' }: NonNullable<LogEndpointsQuery['endpoint']>): boolean {
  return !id && name.search(VARIABLE) !== -1;
}

function filler({ replace, scopedVars }: VariableValues): (text: string, format: FormatValue) => string {
  const insert = (reference: string, name: string, format: FormatValue): string => {
    if (MACRO.test(reference)) return reference;
    let isFormatted = false;
    let isAbsent = false;
    const text = replace(reference, scopedVars, (value) => {
      isFormatted = true;
      isAbsent = isEmptyList(value) && (format === formatSql || format === formatLql);
      return format(value);
    });
    // The backend says which variable has no value: the languages have no empty list.
    if (isAbsent) return `\${${name}}`;
    // Grafana leaves a variable that it does not know, and formats a value itself if the text names a format.
    return isFormatted || text !== reference ? escapeVariables(text) : reference;
  };
  return (text, format) =>
    text.replace(VARIABLE, (reference: string, bare?: string, braced?: string, _format?: string, old?: string) =>
      insert(reference, bare ?? braced ?? old ?? '', format)
    );
}

/** Names of the parameters that are patterns. */
export function patternParameters({ parameters }: EndpointSummary): readonly string[] {
  return parameters.filter(({ format }) => format === 'regex').map(({ name }) => name);
}

/** Whether a text of the query may contain variables; includes macros. */
export function mayHoldVariables(query: LogEndpointsQuery): boolean {
  return variableTexts(query).some((text) => /\$|\[\[/.test(text));
}

/** The texts of a query in which variables are replaced. */
export function variableTexts(query: LogEndpointsQuery): readonly string[] {
  const { endpoint = {}, params = {}, sql = '', lql = '', filters = [] } = query;
  return [
    ...(hasVariable(endpoint) ? [endpoint.name ?? ''] : []),
    ...Object.values(params),
    sql,
    lql,
    ...filters.map(({ value }) => value),
  ];
}

/** A parameter is one bound text; several values are joined with commas. */
function formatPlain(value: unknown): string {
  return texts(value).join(',');
}

/** The start of a text is never behind a character. */
const MATCHES_NOTHING = 'a^';

/** Escapes values, so that each matches only itself. No value is a pattern without matches: `()` matches every text. */
function formatRegex(value: unknown): string {
  if (isEmptyList(value)) return MATCHES_NOTHING;
  const all = texts(value).map((each) => each.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return all.length === 1 ? all[0]! : `(${all.join('|')})`;
}

/** Quotes values as GoogleSQL strings, for one value and for several: `project = $project`, `path in ($path)`. */
function formatSql(value: unknown): string {
  return texts(value).map(printString).join(',');
}

/** Quotes values for LQL; several values make `m.level:$level` become `m.level:in("a","b")`. */
function formatLql(value: unknown): string {
  const all = texts(value).map(quoteLql);
  return all.length === 1 ? all[0]! : `in(${all.join(',')})`;
}

function quoteLql(value: string): string {
  return `"${value.replace(/[\\"]/g, '\\$&')}"`;
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function texts(value: unknown): readonly string[] {
  return (Array.isArray(value) ? value : [value]).map(String);
}
