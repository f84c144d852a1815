/** Resolves a dotted path to the columns and nested fields that can follow it. Pure. */
import type { DescribedColumn, DescribedTable } from '#contract/description';

/** Aliases of tables and records in a text: `from edge_logs as e`, `cross join unnest(e.metadata) as m`. */
export function aliasesOf(
  text: string,
  tables: readonly DescribedTable[]
): ReadonlyMap<string, readonly DescribedColumn[]> {
  const aliases = new Map<string, readonly DescribedColumn[]>();
  const source =
    /\b(?:from|join)\s+(?:unnest\s*\(\s*([\w.]+)\s*\)|(\w+))(?:\s+(?:as\s+)?(\w+))?|,\s*unnest\s*\(\s*([\w.]+)\s*\)(?:\s+(?:as\s+)?(\w+))?/gi;
  for (const [, joined, table, alias, listed, listedAlias] of text.matchAll(source)) {
    const path = joined ?? listed;
    const columns = path ? fieldsAt(path.split('.'), aliases, tables) : columnsOf(table, tables);
    const name = (path ? (alias ?? listedAlias) : isKeyword(alias) ? table : (alias ?? table)) ?? '';
    if (columns.length > 0 && name && !isKeyword(name)) aliases.set(name.toLowerCase(), columns);
  }
  return aliases;
}

/** Columns below a path; for an empty path, those of all tables and records that the text reads. */
export function fieldsAt(
  path: readonly string[],
  aliases: ReadonlyMap<string, readonly DescribedColumn[]>,
  tables: readonly DescribedTable[]
): readonly DescribedColumn[] {
  const [first, ...rest] = path;
  const everything = unique(aliases.size > 0 ? [...aliases.values()].flat() : tables.flatMap(({ columns }) => columns));
  if (first === undefined) return everything;
  const start = aliases.get(first.toLowerCase()) ?? columnsOf(first, tables);
  return start.length > 0 ? below(start, rest) : below(everything, path);
}

export function below(columns: readonly DescribedColumn[], path: readonly string[]): readonly DescribedColumn[] {
  return path.reduce<readonly DescribedColumn[]>(
    (level, name) => level.find((each) => each.name.toLowerCase() === name.toLowerCase())?.fields ?? [],
    columns
  );
}

export function columnsOf(table: string | undefined, tables: readonly DescribedTable[]): readonly DescribedColumn[] {
  return tables.find(({ name }) => name.toLowerCase() === table?.toLowerCase())?.columns ?? [];
}

function unique(columns: readonly DescribedColumn[]): readonly DescribedColumn[] {
  return [...new Map(columns.map((column) => [column.name, column])).values()];
}

const AFTER_SOURCE = new Set([
  'where',
  'group',
  'order',
  'limit',
  'cross',
  'inner',
  'left',
  'right',
  'full',
  'join',
  'on',
  'using',
  'union',
  'having',
  'unnest',
  'select',
]);

function isKeyword(word: string | undefined): boolean {
  return word !== undefined && AFTER_SOURCE.has(word.toLowerCase());
}
