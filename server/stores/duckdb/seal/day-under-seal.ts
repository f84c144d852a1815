/** What is sealed: the parts of a day as they were when its seal began, and the table that gets their rows. */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { PhysicalType } from '#compiler/store';
import { type Part, SEALED_DATABASE, sealedTable } from '../tables/part';
import { pathsInColumns } from '../sealed-layout/paths-in-columns';
import type { SealedLayout } from '../sealed-layout/sealed-layout';
import { fieldsWithColumns } from '../sources/fields-with-columns';
import type { SourceState } from '../sources/source-state';
import { columnTypeOf } from '../tables/column-types';
import { partsOf } from '../tables/stored-parts';
import { chooseLayout } from './choose-layout';
import { tenantColumn } from '../sources/tenant-column';
import type { Pause } from '../file/work-pauses';
import { readSample } from './read-sample';

export interface DayUnderSeal {
  readonly state: SourceState;
  readonly day: number;
  /** The former sealed part first. */
  readonly from: readonly Part[];
  /** The new sealed part, with the columns of all of them. */
  readonly target: Part;
  readonly layout: SealedLayout;
  /** Columns that the rows are ordered by. */
  readonly order: readonly string[];
  /** Bytes of the texts of a row, about. */
  readonly rowBytes: number;
}

/**
 * A column that the parts have with different types gets that of its field, as queries read it. One that no field has
 * any more is left out: queries read its values from the text.
 * @returns null when it is no column of a field: the parts stay as they are
 */
export async function dayUnderSeal(
  connection: DuckDBConnection,
  state: SourceState,
  day: number,
  nowMs: number,
  pause: Pause
): Promise<DayUnderSeal | null> {
  const from = partsOf(state, day);
  const columns = commonColumns(from, state);
  if (columns === null) return null;
  const { sample, rowBytes } = await readSample(connection, from, columns, pause);
  const layout = await chooseLayout(connection, { state, parts: from, columns, sample }, pause);
  return { state, day, from, ...newSealedPart({ state, day, from, layout, nowMs }), layout, rowBytes };
}

/** Names the sealed part that is to have the rows of parts, and the order of its rows. */
export function newSealedPart({
  state,
  day,
  from,
  layout,
  nowMs,
}: Pick<DayUnderSeal, 'state' | 'day' | 'from' | 'layout'> & { readonly nowMs: number }): Pick<
  DayUnderSeal,
  'target' | 'order'
> {
  const { columns, message } = layout;
  // The time makes it differ from that of a day that was dropped and filled again.
  const version = Math.max(Math.floor(nowMs / 1000), ...from.map((part) => part.version + 1));
  const target: Part = {
    table: sealedTable(state.source.name, day, version),
    database: SEALED_DATABASE,
    day,
    version,
    columns,
    inColumns: pathsInColumns(layout.templates),
    message,
    newestMicros: null,
  };
  const tenant = tenantColumn(state);
  const order = tenant !== null && columns.has(tenant) ? [tenant, 'timestamp'] : ['timestamp'];
  return { target, order };
}

/** True while the parts of the day are still those that are being sealed. */
export function isCurrent({ state, day, from }: DayUnderSeal): boolean {
  const present = partsOf(state, day);
  return present.length === from.length && present.every((part, i) => hasSameShape(part, from[i]!));
}

function hasSameShape(a: Part, b: Part): boolean {
  const columns = [...a.columns];
  return (
    a.table === b.table &&
    columns.length === b.columns.size &&
    columns.every(([name, type]) => b.columns.get(name) === type)
  );
}

/** @returns null when the type of a column is not known */
export function commonColumns(parts: readonly Part[], { tree }: SourceState): ReadonlyMap<string, PhysicalType> | null {
  const columns = new Map<string, PhysicalType>();
  const different = new Set<string>();
  for (const part of parts) {
    for (const [name, type] of part.columns) {
      if ((columns.get(name) ?? type) !== type) different.add(name);
      columns.set(name, type);
    }
  }
  for (const field of different.size === 0 ? [] : fieldsWithColumns(tree.root)) {
    if (different.delete(field.column)) columns.set(field.column, columnTypeOf(field));
  }
  for (const name of different) {
    if (!name.startsWith('metadata.')) return null;
    columns.delete(name);
  }
  return columns;
}
