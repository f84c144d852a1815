/** Resolves a dotted path to the columns and nested fields that can follow it. Pure. */
import { readSources, type TemplateToken } from '#compiler/browser';
import type { DescribedColumn, DescribedTable } from '#contract/queries/description';

/** Aliases of tables and records in a text: `from edge_logs as e`, `cross join unnest(e.metadata) as m`. */
export function aliasesOf(
  tokens: readonly TemplateToken[],
  tables: readonly DescribedTable[]
): ReadonlyMap<string, readonly DescribedColumn[]> {
  const aliases = new Map<string, readonly DescribedColumn[]>();
  for (const { kind, path, alias } of readSources(tokens)) {
    const isTable = kind === 'table' && path.length === 1;
    const columns = isTable ? columnsOf(path[0], tables) : path.length > 0 ? fieldsAt(path, aliases, tables) : [];
    // The alias of UNNEST is not its last name.
    const name = alias ?? (kind === 'table' ? path[path.length - 1] : undefined);
    if (columns.length > 0 && name) aliases.set(name.toLowerCase(), columns);
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
