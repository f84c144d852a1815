/** Counts of tests/reference as a table. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const COLUMNS = [
  'set',
  'store',
  'same',
  'wrong rows',
  'other order',
  'other types',
  'other names',
  'internal error',
  'accepted here',
  'refused here',
  'both refuse',
  'documented',
  'not comparable',
];

/** @param {string} folder with `counts.ndjson`, one set and store per line */
export function reportCounts(folder) {
  const file = join(folder, 'counts.ndjson');
  if (!existsSync(file)) return;
  const rows = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => /** @type {Record<string, string | number>} */ (JSON.parse(line)))
    .map((counts) => COLUMNS.map((name) => String(counts[name] ?? 0)));
  const widths = COLUMNS.map((name, index) => Math.max(name.length, ...rows.map((row) => row[index]?.length ?? 0)));
  /** @param {readonly string[]} cells */
  const formatRow = (cells) => `| ${cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(' | ')} |`;
  console.log(formatRow(COLUMNS));
  console.log(formatRow(widths.map((width) => '-'.repeat(width))));
  for (const row of rows) console.log(formatRow(row));
  console.log(`\nWhat differs: ${folder}`);
}
