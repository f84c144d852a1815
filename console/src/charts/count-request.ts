/** Calls that count the lines of a result over its whole time range, not only those of the page. */
import type { ResultField } from '#contract/queries/result';
import { countLql, countSql, isEventTime, levelOfRows, withoutOrder } from '../../../src/language/count-lines';
import { levelField, levelOfValue } from '../../../src/language/level-field';
import { hasChart } from '../../../src/language/lql-clauses';
import type { TimeClauses } from '../../../src/language/time-clauses';
import type { RunRequest, RunResult } from '../api/run-query';
import type { DescribedQuery } from '../api/shapes';
import { sqlOf, tableOf } from '../texts/sandbox-text';
import { COUNTED_LEVELS, type CountedBucket, type CountedLevel } from './count-over-time';
import { plainText } from '../results/values/say-value';

/** The time range is in the parameters of the call. */
function clausesOf(bucketSeconds: number): TimeClauses {
  return {
    sqlFilter: null,
    sqlBucket: `timestamp_seconds(div(unix_seconds(timestamp), ${bucketSeconds}) * ${bucketSeconds})`,
    lqlFilter: null,
    lqlBucket: `t::${bucketSeconds % 86_400 === 0 ? `${bucketSeconds / 86_400}d` : `${bucketSeconds}s`}`,
  };
}

/** @returns calls of which the first that the service accepts is right; none for a text that cannot be counted */
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
    return [{ ...request, adhoc: { language: 'lql', text: countLql(text, clauses, table && levelField(table)) } }];
  }
  const lines = withoutOrder(sqlOf(request.adhoc, query?.query ?? null) ?? '');
  if (!lines || !columns.some(isEventTime)) return [];
  const level = levelOfRows(columns, table, undefined);
  const texts = [...(level === undefined ? [] : [countSql(lines, clauses, level)]), countSql(lines, clauses)];
  return texts.map((text) => ({ ...request, adhoc: { language: 'sql', text } }));
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
