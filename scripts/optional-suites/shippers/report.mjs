/** Results of tests/shippers as a table and as JSON. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const COLUMNS = [
  'shipper',
  'identity',
  'store',
  'lines',
  'crash',
  'sent',
  'stored',
  'in flight',
  'requests',
  'retries',
];

/**
 * @typedef {Record<string, unknown> & {
 *   shipper: string,
 *   lines: string,
 *   sent: number,
 *   stored: number,
 *   distinct: number,
 *   inFlightAtCrash: number,
 * }} ShipperCase
 */

/**
 * @param {string} casesFile one case per line
 * @param {string} target where the JSON goes
 */
export function reportResults(casesFile, target) {
  if (!existsSync(casesFile)) return;
  const cases = readFileSync(casesFile, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => /** @type {ShipperCase} */ (JSON.parse(line)))
    .sort((a, b) => a.shipper.localeCompare(b.shipper));
  writeFileSync(target, `${JSON.stringify(cases, null, 2)}\n`);
  const rows = cases.map((each) => COLUMNS.map((name) => cellOf(each, name)));
  const widths = COLUMNS.map((name, index) => Math.max(name.length, ...rows.map((row) => row[index]?.length ?? 0)));
  /** @param {readonly string[]} cells */
  const formatRow = (cells) => `| ${cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(' | ')} |`;
  console.log(formatRow(COLUMNS));
  console.log(formatRow(widths.map((width) => '-'.repeat(width))));
  for (const row of rows) console.log(formatRow(row));
  console.log(`\n${target}`);
}

/**
 * @param {ShipperCase} each
 * @param {string} column
 */
function cellOf(each, column) {
  if (column === 'in flight') return String(each.inFlightAtCrash);
  const lost = each.lines === 'distinct' ? each.sent - each.distinct : each.sent - each.stored;
  if (column === 'stored' && lost > 0) return `${each.stored} (${lost} lost)`;
  if (column === 'stored' && each.stored > each.sent) return `${each.stored} (${each.stored - each.sent} twice)`;
  return String(each[column]);
}
