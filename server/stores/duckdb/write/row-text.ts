/** Converts rows to the few texts of an insert statement, one entry per row and column; the long ones stay bytes. */
import type { EventRow } from '../../ingest/event/event-row';
import { SEPARATOR } from './insert-statement';

const NEWLINE = 0x0a;

export interface RowTexts {
  /** For event_message and each own column: whether some row has no value. */
  readonly hasAbsent: readonly boolean[];
  readonly hasColumnsText: boolean;
  /** In the order of the statement's parameters. */
  readonly parameters: readonly (string | Uint8Array)[];
}

export function rowTexts(rows: readonly EventRow[], ownColumnCount: number): RowTexts {
  const parameters: (string | Uint8Array)[] = [
    rows.map((row) => row.id).join(SEPARATOR),
    rows.map((row) => row.micros).join(SEPARATOR),
    metadataLines(rows),
  ];
  const hasAbsent: boolean[] = [];
  for (let i = 0; i <= ownColumnCount; i++) {
    const values = rows.map((row) => (i === 0 ? row.message : row.own[i - 1]!));
    const isAbsent = values.includes(null);
    hasAbsent.push(isAbsent);
    parameters.push(values.join(SEPARATOR));
    if (isAbsent) parameters.push(values.map((value) => (value === null ? '0' : '1')).join(''));
  }
  const hasColumnsText = rows.some((row) => row.columnsText !== null);
  if (hasColumnsText) parameters.push(rows.map((row) => row.columnsText ?? '').join('\n'));
  return { hasAbsent, hasColumnsText, parameters };
}

/** Copies bytes: converting each row to a string first takes three times as long. */
function metadataLines(rows: readonly EventRow[]): Uint8Array {
  const size = rows.reduce((sum, row) => sum + row.metadataEnd - row.metadataStart + 1, 0);
  const lines = Buffer.allocUnsafe(size);
  let length = 0;
  for (const row of rows) {
    length += row.buffer.copy(lines, length, row.metadataStart, row.metadataEnd);
    lines[length++] = NEWLINE;
  }
  return lines.subarray(0, length - 1);
}
