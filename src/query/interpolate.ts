/**
 * Fills Grafana's variables into a query, each text by its own rules of quoting, so that a value stays a value. Macros of time and
 * interval are left to the backend, which knows them in alert rules too.
 */
import type { ScopedVars } from '@grafana/data';
import type { EndpointSummary } from '#contract/plugin/resources';
import type { LogEndpointsQuery } from '../types';

export type FormatValue = (value: unknown) => string;

/** Grafana's own replacement of `$name`, `${name:format}` and `[[name]]`; a format written in the text wins over ours. */
export type ReplaceVariables = (text: string, scopedVars: ScopedVars, format: FormatValue) => string;

/** The macros of the backend; anything else that begins with two underscores is Grafana's. */
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
    /** Undefined when the service could not be asked: values are then filled in as they are. */
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

/** Whether any text of the query holds what might be a variable; macros count too. */
export function mayHoldVariables({ params = {}, sql = '', lql = '', filters = [] }: LogEndpointsQuery): boolean {
  return [...Object.values(params), sql, lql, ...filters.map(({ value }) => value)].some((text) =>
    /\$|\[\[/.test(text)
  );
}

/** A parameter takes one text, and the service binds it; several values are separated by commas. */
function formatPlain(value: unknown): string {
  return texts(value).join(',');
}

/** Each value matches itself only. */
function formatRegex(value: unknown): string {
  const all = texts(value).map((each) => each.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return all.length === 1 ? all[0]! : `(${all.join('|')})`;
}

/** Strings of GoogleSQL, for one value and for many: `project = $project`, `path in ($path)`. */
function formatSql(value: unknown): string {
  return texts(value)
    .map((each) => `'${each.replace(/[\\']/g, '\\$&').replace(/\n/g, '\\n').replace(/\r/g, '\\r')}'`)
    .join(',');
}

/** Values of LQL: `m.level:$level`, which several values turn into `m.level:in("a","b")`. */
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
