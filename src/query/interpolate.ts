/**
 * Inserts Grafana's variables into a query, quoted for the language of each text, so that a value cannot change its
 * structure. Macros of time and interval are left to the backend, which also resolves them in alert rules.
 */
import type { ScopedVars } from '@grafana/data';
import type { EndpointSummary } from '#contract/plugin/resources';
import type { LogEndpointsQuery } from '../types';

export type FormatValue = (value: unknown) => string;

/**
 * Grafana's replacement of `$name`, `${name:format}` and `[[name]]`; a format in the text takes precedence over the
 * given one.
 */
export type ReplaceVariables = (text: string, scopedVars: ScopedVars, format: FormatValue) => string;

/** Macros of the backend; other names that begin with two underscores are Grafana's. */
const MACRO =
  /(\$__(?:from|to|interval_ms|interval|timeFilter|timeGroup)\b|\$\{__(?:from|to|interval_ms|interval)(?::[^}]*)?\})/;

export function interpolateQuery(
  query: LogEndpointsQuery,
  {
    replace,
    scopedVars,
    endpoint,
  }: {
    readonly replace: ReplaceVariables;
    readonly scopedVars: ScopedVars;
    /** Undefined if the service did not return it; values are then inserted as they are. */
    readonly endpoint: EndpointSummary | undefined;
  }
): LogEndpointsQuery {
  const fill = (text: string, format: FormatValue): string =>
    text
      .split(MACRO)
      .map((part, at) => (at % 2 === 1 ? part : replace(part, scopedVars, format)))
      .join('');
  const isRegex = (name: string): boolean =>
    endpoint?.parameters.some((each) => each.name === name && each.format === 'regex') ?? false;
  const params = Object.entries(query.params ?? {}).map(
    ([name, text]) => [name, fill(text, isRegex(name) ? formatRegex : formatPlain)] as const
  );
  return {
    ...query,
    params: Object.fromEntries(params),
    ...(query.sql === undefined ? {} : { sql: fill(query.sql, formatSql) }),
    ...(query.lql === undefined ? {} : { lql: fill(query.lql, formatLql) }),
    ...(query.filters === undefined
      ? {}
      : { filters: query.filters.map((each) => ({ ...each, value: fill(each.value, formatPlain) })) }),
  };
}

/** Whether a text of the query may contain variables; includes macros. */
export function mayHoldVariables({ params = {}, sql = '', lql = '', filters = [] }: LogEndpointsQuery): boolean {
  return [...Object.values(params), sql, lql, ...filters.map(({ value }) => value)].some((text) =>
    /\$|\[\[/.test(text)
  );
}

/** A parameter is one bound text; several values are joined with commas. */
function formatPlain(value: unknown): string {
  return texts(value).join(',');
}

/** Escapes values, so that each matches only itself. */
function formatRegex(value: unknown): string {
  const all = texts(value).map((each) => each.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return all.length === 1 ? all[0]! : `(${all.join('|')})`;
}

/**
 * Quotes values as GoogleSQL strings, for one value and for several: `project = $project`, `path in ($path)`. The dollar
 * of a value like `/users/${id}` is escaped: the backend, and Grafana in Explore, would take it for a variable.
 */
function formatSql(value: unknown): string {
  return texts(value)
    .map(
      (each) =>
        `'${each.replace(/[\\']/g, '\\$&').replace(/\n/g, '\\n').replace(/\r/g, '\\r').replace(/\$/g, '\\x24')}'`
    )
    .join(',');
}

/** Quotes values for LQL; several values make `m.level:$level` become `m.level:in("a","b")`. */
function formatLql(value: unknown): string {
  const all = texts(value).map(quoteLql);
  return all.length === 1 ? all[0]! : `in(${all.join(',')})`;
}

export function quoteLql(value: string): string {
  return `"${value.replace(/[\\"]/g, '\\$&')}"`;
}

function texts(value: unknown): readonly string[] {
  return (Array.isArray(value) ? value : [value]).map(String);
}
