/** The report of an import: a summary for people, and a file in Markdown or JSON. */
import { printable } from '../../output/terminal';
import type { ImportResult, ImportStatus } from './check-import';

const TITLES: Readonly<Record<ImportStatus, string>> = {
  imported: 'imported',
  ready: 'can be imported',
  present: 'imported before',
  'needs-source': 'needs a source mapping',
  refused: 'refused',
};

/** One line for each saved query, with what to do, and a last one with counts. */
export function formatSummary(results: readonly ImportResult[]): string {
  const lines = results.flatMap((result) => {
    const detail = [result.reason, ...result.unknownTables.map(advice)].filter((each) => each !== null);
    const title = result.status === 'imported' && result.replaces ? 'updated' : TITLES[result.status];
    const notes = result.converted?.notes ?? [];
    return [`${titleOf(result)}: ${title}`, ...[...detail, ...notes].map((line) => `  ${line}`)];
  });
  return printable([...lines, formatCounts(results)].join('\n'));
}

function titleOf({ converted, formerName, place }: ImportResult): string {
  return converted?.name ?? (formerName === '' ? place : formerName);
}

function advice(table: string): string {
  return `--source '${table}=<source>'`;
}

function formatCounts(results: readonly ImportResult[]): string {
  const counts = Object.entries(TITLES).flatMap(([status, title]) => {
    const count = results.filter((result) => result.status === status).length;
    return count === 0 ? [] : [`${count} ${count > 1 ? title.replace(/^needs/, 'need') : title}`];
  });
  return `${results.length} saved queries: ${counts.join(', ')}.`;
}

/** @param file ending in `.json` for JSON; else Markdown */
export function formatReport(file: string, results: readonly ImportResult[]): string {
  return /\.json$/i.test(file) ? formatJson(results) : formatMarkdown(results);
}

function formatJson(results: readonly ImportResult[]): string {
  const entries = results.map(({ place, formerName, converted, status, replaces, reason, unknownTables }) => ({
    place,
    former_name: formerName,
    name: converted?.name ?? null,
    id: converted?.id ?? null,
    status,
    replaces: replaces?.name ?? null,
    reason,
    unknown_tables: unknownTables,
    renamed_tables: Object.fromEntries(converted?.renamed ?? []),
    parameters: converted?.parameters ?? [],
    notes: converted?.notes ?? [],
  }));
  return `${JSON.stringify({ saved_queries: entries }, null, 2)}\n`;
}

function formatMarkdown(results: readonly ImportResult[]): string {
  const rows = results.map((result) => {
    const { converted, formerName, place, status, reason, unknownTables } = result;
    const renamed = [...(converted?.renamed ?? [])].map(([from, to]) => `\`${from}\` is now \`${to}\``);
    const details = [reason, ...unknownTables.map(advice), ...renamed, ...(converted?.notes ?? [])];
    return [
      formerName,
      converted?.name ?? '',
      TITLES[status],
      details.filter((each) => each !== null).join('; '),
      place,
    ];
  });
  const table = [['Former name', 'Name', 'Result', 'Details', 'From'], ['---', '---', '---', '---', '---'], ...rows];
  return `# Imported saved queries\n\n${formatCounts(results)}\n\n${table.map(formatRow).join('\n')}\n`;
}

function formatRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => printable(cell.replace(/\s+/gu, ' ')).replace(/[|<]/g, '\\$&')).join(' | ')} |`;
}
