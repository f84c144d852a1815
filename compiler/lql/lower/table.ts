/** Chooses the table that a query reads. */
import type { LogicalColumn } from '../../ir/plan';
import { knownHint, meantHint } from '#contract/nearest-name';
import { printTable } from '../encode/print-text';
import { lqlError } from '../errors';
import type { LqlQuery } from '../rules';

/** A named table of the saved query. */
export interface LqlTable {
  readonly name: string;
  readonly columns: readonly LogicalColumn[];
}

/** The table that a query reads. */
export interface AliasedTable extends LqlTable {
  readonly alias: string;
}

/** Tables that a query can read. */
export interface LqlTables<Table extends Pick<LqlTable, 'name'> = LqlTable> {
  readonly tables: readonly Table[];
  /** Table for queries without `f:` if there are several. */
  readonly defaultTable: string | null;
}

/**
 * The named table, else the default, else the only one. Names are case-insensitive, but an exact match is preferred.
 * @throws table_required, unknown_table
 */
export function chooseTable<Table extends Pick<LqlTable, 'name'>>(
  { from, filters, position }: Pick<LqlQuery, 'from' | 'filters' | 'position'>,
  { tables, defaultTable }: LqlTables<Table>
): Table {
  const names = tables.map(({ name }) => name);
  if (from === null) {
    const start = { ...position, end: position.offset };
    const [first] = tables;
    const unnamed = defaultTable === null ? (tables.length === 1 ? first : undefined) : named(defaultTable, tables);
    if (unnamed !== undefined) return unnamed;
    throw lqlError('table_required', 'this query has several tables; say which one to read with "f:"', start, {
      hint: startsAsSql(filters) ? 'send SQL in the parameter sql' : `begin with f:${printTable(names[0] ?? '')}`,
      tables: names,
    });
  }
  const wanted = from.name.name;
  const found = named(wanted, tables);
  if (found !== undefined) return found;
  const shown = wanted.slice(0, 64);
  throw lqlError('unknown_table', `table "${shown}" is not part of this query's sandbox`, from.name.position, {
    name: shown,
    ...knownHint('tables', names),
    ...meantHint(wanted, names),
    tables: names,
  });
}

/** The alias is `t`, unless a column of the result may have this name: ORDER BY would read that column. */
export function withAlias(table: LqlTable, selects: LqlQuery['selects']): AliasedTable {
  const names = [...table.columns.map(({ name }) => name), ...selects.map(({ alias }) => alias?.name ?? '')];
  const used = new Set(names.map((name) => name.toLowerCase()));
  let alias = 't';
  for (let number = 1; used.has(alias); number++) alias = `t${number}`;
  return { ...table, alias };
}

function startsAsSql([first]: LqlQuery['filters']): boolean {
  return first?.kind === 'message' && /^(select|with)$/i.test(first.text.text);
}

function named<Table extends Pick<LqlTable, 'name'>>(name: string, tables: readonly Table[]): Table | undefined {
  const lower = name.toLowerCase();
  return tables.find((table) => table.name === name) ?? tables.find((table) => table.name.toLowerCase() === lower);
}
