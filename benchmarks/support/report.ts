/** One row per measured thing, printed as a table and kept as JSON. */

export interface Row {
  readonly what: string;
  readonly size: string;
  /** What it is compared with: the best hand-written SQL, in words with its time. */
  readonly against: string;
  readonly measured: string;
  readonly p95: string;
  readonly bar: string;
  /** Null: there is no bar. */
  readonly isWithin: boolean | null;
  /** Where the time goes, or what limits it. */
  readonly detail: string;
  /** The figures behind the words. */
  readonly figures: Readonly<Record<string, unknown>>;
}

const COLUMNS = [
  ['what', 'What'],
  ['size', 'Size'],
  ['against', 'Hand-written'],
  ['measured', 'Median'],
  ['p95', 'p95'],
  ['bar', 'Bar'],
] as const;

export function printTable(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    ...COLUMNS.map(([key]) => row[key]),
    row.isWithin === null ? '' : row.isWithin ? 'PASS' : 'over',
    row.detail,
  ]);
  const heads = [...COLUMNS.map(([, head]) => head), '', 'Where the time goes'];
  const widths = heads.map((head, at) => Math.max(head.length, ...cells.map((line) => (line[at] as string).length)));
  const print = (line: readonly string[]): string =>
    `| ${line.map((cell, at) => cell.padEnd(widths[at] as number)).join(' | ')} |`;
  return [print(heads), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...cells.map(print)].join('\n');
}

export function ms(value: number): string {
  return value < 10 ? `${value.toFixed(2)} ms` : `${value.toFixed(1)} ms`;
}

export function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}

export function grouped(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
