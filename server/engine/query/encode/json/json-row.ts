/** Encodes one row of a columnar result as a JSON object, without pivoting the result. */
import type { TimestampStyle } from '#contract/queries/query';
import type { RedactedResult } from '../../redact';
import { jsonCell, jsonKeys } from './json-cell';

export function jsonRow(result: RedactedResult, style: TimestampStyle): (row: number) => string {
  const keys = jsonKeys(result.fields);
  const columns = result.fields.map((field, index) => ({
    key: keys[index]!,
    cell: jsonCell(field.type, style),
    values: result.columns[index]!,
  }));
  return (row) => {
    let text = '{';
    for (const { key, cell, values } of columns) text += key + cell(values[row] ?? null);
    return `${text}}`;
  };
}
