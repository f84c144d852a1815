/** Detects the width of a query's time buckets, and computes the width at which the result fits the row limit. */
import { tokenizeTemplate } from '#compiler/browser';
import { valueAt } from '../frames/column-data';
import type { ResultColumns } from '../frames/read-result';
import type { QueryCall } from '../service-client/service-client';
import type { TimeContext } from './time-context';

const UNIT_SECONDS: Readonly<Record<string, number>> = {
  s: 1,
  second: 1,
  m: 60,
  minute: 60,
  h: 3_600,
  hour: 3_600,
  d: 86_400,
  day: 86_400,
  w: 604_800,
  week: 604_800,
};

/** Matches arguments with calls in calls. */
const ARGUMENTS = '[^()]*(?:\\(NESTED\\)[^()]*)*';
const NESTED = [...'1234'].reduce((inner) => ARGUMENTS.replace('NESTED', () => inner), '[^()]*');

/**
 * Matches `DIV(UNIX_SECONDS(timestamp), 300) * 300`, `TIMESTAMP_TRUNC(timestamp, MINUTE)`, and in LQL `t::5m` or
 * `timestamp::minute`. Units without a fixed width, such as MONTH, match without a group.
 */
const BUCKETS = {
  sql: new RegExp(
    [
      `\\bDIV\\(UNIX_SECONDS\\(${NESTED}\\),\\s*(\\d+)\\)`,
      `\\b(?:TIMESTAMP|DATETIME)_TRUNC\\(${NESTED},\\s*(?:(SECOND|MINUTE|HOUR|DAY)|[A-Z]+(?:\\([A-Z]+\\))?)\\)`,
    ].join('|'),
    'gi'
  ),
  lql: /\b(?:t|timestamp)::(\d*)([a-z]+)/gi,
} as const;

/** Charts in LQL that name no period have buckets of a minute. */
const LQL_CHART = /(?:^|\s)(?:c|chart):/;

/** Values of the parameter `interval` of `usage.api-counts`. */
const NAMED_SECONDS: Readonly<Record<string, number>> = { minutely: 60, hourly: 3_600, daily: 86_400 };

/** @returns seconds; undefined when the call has no buckets, several widths, or an unknown width */
export function bucketSecondsOf({ adhoc, params }: QueryCall): number | undefined {
  if (adhoc === null) return NAMED_SECONDS[params['interval'] ?? ''];
  const { language, text } = adhoc;
  const found = [...text.matchAll(BUCKETS[language])];
  if (language === 'lql' && found.length === 0) return LQL_CHART.test(text) ? UNIT_SECONDS['minute'] : undefined;
  const conditions = language === 'sql' && found.length > 0 ? conditionsOf(text) : [];
  const widths = new Set(
    found
      .filter(({ index }) => !conditions.some(({ offset, end }) => index > offset && index < end))
      .map(([, first = '', second = '']) =>
        language === 'lql'
          ? Number(first || 1) * (UNIT_SECONDS[second.toLowerCase()] ?? NaN)
          : Number(first || UNIT_SECONDS[second.toLowerCase()])
      )
  );
  const [width] = widths;
  return widths.size === 1 && Number.isFinite(width) ? width : undefined;
}

/** Times are rounded in conditions, but do not make buckets there. */
const CONDITIONS = new Set(['WHERE', 'ON']);
/** What ends a condition, beside the parenthesis around it. */
const AFTER_CONDITION = new Set([
  ...['JOIN', ','],
  ...['GROUP', 'HAVING', 'QUALIFY', 'WINDOW', 'ORDER', 'LIMIT', 'UNION', 'INTERSECT', 'EXCEPT', 'SELECT', '|>', ';'],
]);
/** The service refuses longer texts, and their tokens would take much memory. */
export const MAX_TEXT_LENGTH = 65_536;

/** Ranges of the text from each WHERE and ON to its end. */
function conditionsOf(text: string): ReadonlyArray<{ readonly offset: number; readonly end: number }> {
  if (text.length > MAX_TEXT_LENGTH || !/\b(?:where|on)\b/i.test(text)) return [];
  const ranges: Array<{ readonly offset: number; readonly end: number }> = [];
  /** Offsets of the conditions that are open, from the outermost parentheses to the innermost; undefined: none. */
  const open: Array<number | undefined> = [undefined];
  const close = (end: number): void => {
    const offset = open.pop();
    if (offset !== undefined) ranges.push({ offset, end });
  };
  for (const { symbol, offset } of tokenizeTemplate(text)) {
    if (symbol === '(') open.push(undefined);
    else if (symbol === ')' && open.length > 1) close(offset);
    else if (CONDITIONS.has(symbol) || AFTER_CONDITION.has(symbol)) {
      close(offset);
      open.push(CONDITIONS.has(symbol) ? offset : undefined);
    }
  }
  while (open.length > 0) close(text.length);
  return ranges;
}

const ROUND_SECONDS = [
  1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1_200, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400,
] as const;
/** A chart needs this many points; a result with fewer is cut because of too many series. */
const FEWEST_BUCKETS = 10;

/**
 * The next interval to try after the row limit has truncated a result, assuming that each series has a point in every
 * bucket.
 * @param cut the received rows, as many as the limit allows
 * @returns seconds; undefined when wider buckets do not help
 */
export function wideEnough(cut: ResultColumns, { fromMs, toMs, intervalSeconds }: TimeContext): number | undefined {
  // Minus one, because the range may start and end within buckets.
  const buckets = Math.floor(cut.length / countSeries(cut)) - 1;
  if (buckets < FEWEST_BUCKETS) return undefined;
  const wanted = Math.max((toMs - fromMs) / 1000 / buckets, intervalSeconds + 1);
  return ROUND_SECONDS.find((round) => round >= wanted) ?? Math.ceil(wanted / 86_400) * 86_400;
}

function countSeries({ columns, length }: ResultColumns): number {
  const dimensions = columns.filter(({ kind }) => kind === 'string' || kind === 'boolean').map(valueAt);
  if (dimensions.length === 0) return 1;
  const series = new Set<string>();
  for (let row = 0; row < length; row++) series.add(JSON.stringify(dimensions.map((get) => get(row))));
  return Math.max(series.size, 1);
}
