/** Calls that count the lines of a result over its whole time range, not only those of the page. */
import type { ResultField } from '#contract/queries/result';
import { countLql, countSql, isEventTime, levelOfRows, withoutOrder } from '../../../src/language/count-lines';
import { levelField, levelOfValue } from '../../../src/language/level-field';
import { hasChart } from '../../../src/language/lql-clauses';
import type { TimeClauses } from '../../../src/language/time-clauses';
import { Problem } from '../api/problem';
import type { RunRequest, RunResult } from '../api/run-query';
import type { DescribedQuery } from '../api/shapes';
import { sqlOf, tableOf } from '../texts/sandbox-text';
import { COUNTED_LEVELS, type CountedBucket, type CountedLevel } from './count-over-time';
import { plainText } from '../results/values/format-value';

/** The time range is in the parameters of the call. */
function clausesOf(bucketSeconds: number): TimeClauses {
  return {
    sqlFilter: null,
    sqlBucket: `timestamp_seconds(div(unix_seconds(timestamp), ${bucketSeconds}) * ${bucketSeconds})`,
    lqlFilter: null,
    lqlBucket: `t::${bucketSeconds % 86_400 === 0 ? `${bucketSeconds / 86_400}d` : `${bucketSeconds}s`}`,
  };
}

/** @returns calls of which the first with a whole answer is right; none for a text that cannot be counted */
export function countRequests(
  request: RunRequest,
  query: DescribedQuery | null,
  columns: readonly ResultField[],
  bucketSeconds: number
): readonly RunRequest[] {
  const clauses = clausesOf(bucketSeconds);
  const tableName = tableOf(request.adhoc, query);
  const table = query?.tables.find(({ name }) => name === tableName);
  if (request.adhoc?.language === 'lql') {
    const { text } = request.adhoc;
    if (hasChart(text)) return [];
    const field = table && levelField(table);
    const texts = [...(field === undefined ? [] : [countLql(text, clauses, field)]), countLql(text, clauses)];
    return texts.map((counted) => ({ ...request, adhoc: { language: 'lql', text: counted } }));
  }
  const lines = withoutOrder(sqlOf(request.adhoc, query?.query ?? null) ?? '');
  if (!lines || !columns.some(isEventTime)) return [];
  const level = levelOfRows(columns, table, undefined);
  const texts = [
    ...(level === undefined ? [] : [byHundred(countSql(lines, clauses, level))]),
    countSql(lines, clauses),
  ];
  return texts.map((text) => ({ ...request, adhoc: { language: 'sql', text } }));
}

/**
 * Adds up the counts of HTTP statuses with one first digit, which have one level: each status of each bucket would be
 * more rows than a result may have.
 */
function byHundred(counted: string): string {
  return [
    String.raw`select time, regexp_replace(level, r'^([1-5])[0-9][0-9]$', r'\100') as level, sum(count) as count from (`,
    counted,
    ') as counted group by 1, 2 order by time',
  ].join('\n');
}

/**
 * The answer of the first call that the service accepts and does not cut off: the text may have no such level, or too
 * many of them.
 * @returns null: none. @throws Problem for another failure
 */
export async function firstWhole(
  calls: readonly RunRequest[],
  run: (call: RunRequest) => Promise<RunResult>
): Promise<RunResult | null> {
  for (const call of calls) {
    const answer = await run(call).catch((error: unknown) => {
      if (error instanceof Problem && error.status === 400) return null;
      throw error;
    });
    if (answer?.isCut === false) return answer;
  }
  return null;
}

/** Rows of such a call: a time, a level where the text has one, and a number. */
export function readBuckets({ columns, rows }: RunResult): readonly CountedBucket[] {
  const time = columns.find(({ type }) => type === 'TIMESTAMP')?.name;
  const count = columns.find(({ name }) => name === 'count')?.name;
  const level = columns.find(({ name }) => name !== time && name !== count)?.name;
  if (time === undefined || count === undefined) return [];
  return rows.map((row) => ({
    seconds: Number(row[time]) / 1e6,
    level: level === undefined || row[level] === null ? 'other' : toLevel(plainText(row[level] ?? '')),
    count: Number(row[count]),
  }));
}

function toLevel(value: string): CountedLevel {
  const level = levelOfValue(value);
  return COUNTED_LEVELS.find((each) => each === level) ?? 'other';
}
