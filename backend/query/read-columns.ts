/**
 * Reads the columns of a response. The groups of an LQL chart become labels: a status code that groups events
 * identifies a series and is not one of its values.
 */
import { columnAsText } from '../frames/column-data';
import { isNumeric } from '../frames/frame';
import { readResult, type ResultColumns } from '../frames/read-result';
import { rememberLast } from '../frames/remember-last';
import type { ReadyQuery } from './read-query';

const GROUP = /(?:^|\s)(?:c|chart):group_by\((?!(?:t|timestamp)::)/g;

/** Columns of a response; equal calls with the same bytes have the same columns. */
export function readColumns(arrow: Uint8Array, { call, format, maxRows }: ReadyQuery): ResultColumns {
  const isChart = call.adhoc?.language === 'lql' && format !== 'table' && format !== 'logs';
  const groups = isChart ? (call.adhoc.text.match(GROUP)?.length ?? 0) : 0;
  const detail = `${maxRows} ${groups}`;
  return made.get(arrow, detail) ?? made.set(arrow, detail, withGroupLabels(readResult(arrow, maxRows), groups));
}

const made = rememberLast<Uint8Array, ResultColumns>();

/** A chart has the columns time, groups and aggregates, in this order. */
function withGroupLabels(result: ResultColumns, groups: number): ResultColumns {
  if (groups === 0) return result;
  return {
    ...result,
    columns: result.columns.map((column, at) =>
      at >= 1 && at <= groups && isNumeric(column) ? columnAsText(column) : column
    ),
  };
}
