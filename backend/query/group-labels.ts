/** Groups of an LQL chart as labels: a status code by which events are counted tells series apart, and is no value of one. */
import { dataOf, valueAt } from '../frames/column-data';
import { type Column, isNumeric } from '../frames/frame';
import type { ResultColumns } from '../frames/read-result';
import type { ReadyQuery } from './read-query';

const GROUP = /(?:^|\s)(?:c|chart):group_by\((?!(?:t|timestamp)::)/g;

/** The columns of a chart are its time, its groups and its aggregates, in this order. */
export function withGroupLabels(result: ResultColumns, { call, format }: ReadyQuery): ResultColumns {
  if (call.adhoc?.language !== 'lql' || format === 'table' || format === 'logs') return result;
  const groups = call.adhoc.text.match(GROUP)?.length ?? 0;
  return {
    ...result,
    columns: result.columns.map((column, at) => (at >= 1 && at <= groups ? asText(column) : column)),
  };
}

function asText(column: Column): Column {
  if (!isNumeric(column)) return column;
  const get = valueAt(column);
  const texts = Array.from({ length: column.data.length }, (_, row) => {
    const value = get(row) as number | bigint | null;
    return value === null ? null : String(value);
  });
  return { name: column.name, kind: 'string', data: dataOf('string', texts) };
}
