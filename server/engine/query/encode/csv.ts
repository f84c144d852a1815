/**
 * Encodes `text/csv; header=present` (RFC 4180): CRLF after every line, a header line, doubled quotes. Null is an empty
 * field and an empty text is `""`; in a result of one column null is `""` too, because readers skip blank lines. Nested
 * values are JSON text.
 * Text that a spreadsheet would read as a formula (`=`, `+`, `-`, `@`) is not escaped: logs are evidence, and changing
 * them is up to the reader.
 */
import type { TimestampStyle } from '#contract/queries/query';
import type { OutputType } from '#compiler';
import { ofKind } from '../../../stores/store-value';
import type { Encoder } from './encoder';
import { type CellText, jsonCell } from './json/json-cell';
import { TextSink, writeRows } from './text-sink';
import { dateText, dateTimeText, isInfiniteTime, rfc3339Text } from './time-text';

export const encodeCsv: Encoder = (result, options) => {
  const sink = new TextSink();
  sink.write(`${result.fields.map(({ name }) => csvText(name)).join(',')}\r\n`);
  const absent = result.fields.length === 1 ? '""' : '';
  const columns = result.fields.map((field, index) => ({
    cell: csvCell(field.type, options.timestamps),
    values: result.columns[index]!,
  }));
  const line = (row: number): string => {
    const cells = columns.map(({ cell, values }) => cell(values[row] ?? null) || absent);
    return `${cells.join(',')}\r\n`;
  };
  const rows = writeRows(sink, result.rowCount, line, options.maxBytes);
  return { bytes: sink.toBytes(), rows, truncated: result.truncated || rows < result.rowCount };
};

function csvCell(type: OutputType, style: TimestampStyle): CellText {
  const text = presentCell(type, style);
  if (type.kind === 'RECORD_TEXT') return text;
  return (value) => (value === null ? '' : text(value));
}

function presentCell(type: OutputType, style: TimestampStyle): CellText {
  switch (type.kind) {
    case 'STRING':
    case 'TIME':
    case 'INTERVAL':
    case 'BYTES':
    case 'JSON':
      return ofKind(type.kind, csvText);
    case 'INT64':
      return ofKind(type.kind, String);
    case 'FLOAT64':
      return ofKind(type.kind, (number) => (Number.isFinite(number) ? String(number) : ''));
    case 'BOOL':
      return ofKind(type.kind, String);
    case 'DATE':
      return ofKind(type.kind, dateText);
    case 'TIMESTAMP':
      return ofKind(type.kind, finiteTime(style === 'native' ? String : rfc3339Text));
    case 'DATETIME':
      return ofKind(type.kind, finiteTime(style === 'native' ? dateTimeText : rfc3339Text));
    case 'RECORD_TEXT':
    case 'ARRAY':
    case 'STRUCT': {
      const json = jsonCell(type, style);
      return (value) => {
        const text = json(value);
        return text === 'null' ? '' : csvText(text);
      };
    }
  }
}

function finiteTime(text: (micros: bigint) => string): (micros: bigint) => string {
  return (micros) => (isInfiniteTime(micros) ? '' : text(micros));
}

function csvText(text: string): string {
  if (text === '') return '""';
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
