/**
 * Converts the groups of an LQL chart to labels: a status code that groups events identifies a series and is not one of
 * its values.
 */
import { dataOf, valueAt } from '../frames/column-data';
import { type Column, isNumeric } from '../frames/frame';
import type { ResultColumns } from '../frames/read-result';
import type { ReadyQuery } from './read-query';

const GROUP = /(?:^|\s)(?:c|chart):group_by\((?!(?:t|timestamp)::)/g;

/** A chart has the columns time, groups and aggregates, in this order. */
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
    const value = get(row);
    return value === null ? null : String(value);
  });
  return { name: column.name, kind: 'string', data: dataOf('string', texts) };
}
