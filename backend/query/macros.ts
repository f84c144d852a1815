/**
 * Resolves Grafana's macros for a time range; in the backend, so that alert rules support them too: `$__from`, `$__to`
 * (also `${__from:date:iso}` and the like), `$__interval`, `$__interval_ms`, `$__timeFilter(column)`,
 * `$__timeGroup(column[, period[, 0]])`; the 0 fills empty buckets with zeros (`asksForZeros`). Other macros are
 * errors. `${__dollar}` and `${__bracket}` are left: `unescapeVariables` resolves them once nothing else is expanded.
 */
import { tokenizeTemplate } from '#compiler/browser';
import { PluginError } from '../service-client/failures/plugin-error';
import { MAX_TEXT_LENGTH } from './buckets';
import { type MacroCall, macroCalls, splitArguments } from './macro-calls';
import { formatSeconds, type TimeContext } from './time-context';

/** Kind of the text: `value` of a parameter, or a query in one of the languages. */
export type MacroTarget = 'value' | 'sql' | 'lql';

export function resolveMacros(text: string, target: MacroTarget, time: TimeContext): string {
  if (!text.includes('$')) return text;
  const withCalls = resolveCalls(text, target, time);
  return withCalls
    .replace(/\$\{__(from|to|interval|interval_ms)(?::([^{}]*))?\}/g, (_all, name: string, format?: string) => {
      return name === 'from' || name === 'to' ? formatBound(name, format, time) : formatInterval(name, time);
    })
    .replace(/\$__([A-Za-z_]\w*)/g, (_all, name: string) => {
      if (name === 'from' || name === 'to') return formatBound(name, undefined, time);
      if (name === 'interval' || name === 'interval_ms') return formatInterval(name, time);
      throw invalid(`$__${name} is not a macro of this data source.`);
    });
}

/** Throws for a variable that Grafana did not replace. In alert rules and public dashboards it replaces none. */
export function ensureResolved(text: string, target: MacroTarget, isAlert: boolean): void {
  const name = unresolvedName(text, target, isAlert);
  if (name === undefined) return;
  throw new PluginError('variable_unresolved', `The variable $${name} has no value.`, {
    status: 400,
    hint: isAlert
      ? 'alert rules have no dashboard variables; write the value itself'
      : 'the dashboard has no variable of this name, or none of its values is chosen; a dollar sign is ${__dollar}',
  });
}

/** In SQL of a panel, `$name` may be a part of a text in quotes. */
function unresolvedName(text: string, target: MacroTarget, isAlert: boolean): string | undefined {
  if (!text.includes('$')) return undefined;
  const braced = /\$\{(?!__(?:dollar|bracket)\})([A-Za-z_]\w*)(?:[:.[][^{}]*)?\}/.exec(text)?.[1];
  if (braced !== undefined) return braced;
  if (isAlert || target !== 'sql') return BARE.exec(text)?.[1];
  const tokens = text.length <= MAX_TEXT_LENGTH ? tokenizeTemplate(text) : [];
  return tokens.flatMap((token) => (token.kind === 'variable' ? (BARE.exec(token.text)?.[1] ?? []) : []))[0];
}

const BARE = /\$([A-Za-z_]\w*)/;

function formatInterval(name: string, { intervalSeconds }: TimeContext): string {
  return name === 'interval' ? formatSeconds(intervalSeconds) : String(intervalSeconds * 1000);
}

function formatBound(name: 'from' | 'to', format: string | undefined, { fromMs, toMs }: TimeContext): string {
  const ms = name === 'from' ? fromMs : toMs;
  switch (format) {
    case undefined:
    case '':
      return String(ms);
    case 'date':
    case 'date:iso':
      return new Date(ms).toISOString();
    case 'date:seconds':
      return String(Math.floor(ms / 1000));
    default:
      throw invalid(
        `\${__${name}:${format}} is not a format of this data source; there are date, date:iso and date:seconds.`
      );
  }
}

function resolveCalls(text: string, target: MacroTarget, time: TimeContext): string {
  let end = 0;
  const parts = macroCalls(text).map((call) => {
    const before = text.slice(end, call.start);
    end = call.end;
    return before + resolveCall(call, target, time);
  });
  return parts.join('') + text.slice(end);
}

function resolveCall({ name, given }: MacroCall, target: MacroTarget, time: TimeContext): string {
  if (target === 'value') throw invalid(`$__${name} belongs into SQL or LQL, not into a parameter.`);
  if (name === 'timeFilter') {
    if (target === 'lql') return lqlFilter(time);
    if (given === '') throw invalid('$__timeFilter needs a column: $__timeFilter(timestamp).');
    return sqlFilter(given, time);
  }
  const { column, period } = groupArguments(given, target);
  if (target === 'lql') return `t::${periodOf(period, time).text}`;
  if (column === '') throw invalid('$__timeGroup needs a column: $__timeGroup(timestamp).');
  return sqlGroup(column, periodOf(period, time).seconds);
}

/** Whether a `$__timeGroup` has the argument 0. */
export function asksForZeros(text: string, target: 'sql' | 'lql'): boolean {
  return macroCalls(text).some(({ name, given }) => name === 'timeGroup' && groupArguments(given, target).fill === '0');
}

interface GroupArguments {
  /** Time column; empty in LQL, which has only one. */
  readonly column: string;
  readonly period: string | undefined;
  readonly fill: '0' | undefined;
}

function groupArguments(given: string, target: 'sql' | 'lql'): GroupArguments {
  const all = splitArguments(given);
  const [column = '', period, fill, ...more] = target === 'lql' ? ['', ...all] : all;
  if (more.length > 0 || (fill !== undefined && fill !== '0')) {
    throw invalid('$__timeGroup takes a column, a period and a 0, which fills empty buckets.');
  }
  return { column, period, fill };
}

function sqlFilter(column: string, { fromMs, toMs }: TimeContext): string {
  return `(${column} >= TIMESTAMP_MILLIS(${fromMs}) AND ${column} <= TIMESTAMP_MILLIS(${toMs}))`;
}

function lqlFilter({ fromMs, toMs }: TimeContext): string {
  return `t:>=${new Date(fromMs).toISOString()} t:<=${new Date(toMs).toISOString()}`;
}

const TRUNC_UNITS: Readonly<Record<number, string>> = { 1: 'SECOND', 60: 'MINUTE', 3600: 'HOUR', 86_400: 'DAY' };

function sqlGroup(column: string, seconds: number): string {
  const unit = TRUNC_UNITS[seconds];
  if (unit) return `TIMESTAMP_TRUNC(${column}, ${unit})`;
  return `TIMESTAMP_SECONDS(DIV(UNIX_SECONDS(${column}), ${seconds}) * ${seconds})`;
}

const PERIOD_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** Parses `5m`, with or without quotes; defaults to the interval of the panel. */
function periodOf(text: string | undefined, { intervalSeconds }: TimeContext): { seconds: number; text: string } {
  const given = (text ?? '').replace(/^['"]|['"]$/g, '');
  if (given === '' || given === '$__interval' || given === '${__interval}')
    return { seconds: intervalSeconds, text: formatSeconds(intervalSeconds) };
  const match = /^(\d{1,5})([smhd])$/.exec(given);
  const seconds = Number(match?.[1] ?? 0) * (PERIOD_SECONDS[match?.[2] ?? ''] ?? 0);
  if (seconds < 1) throw invalid(`"${given}" is not a period; write 30s, 5m, 1h or 1d.`);
  return { seconds, text: formatSeconds(seconds) };
}

function invalid(sentence: string): PluginError {
  return new PluginError('macro_invalid', sentence, { status: 400 });
}
