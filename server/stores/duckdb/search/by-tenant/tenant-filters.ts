/**
 * Filters of columns of sealed parts by tenant, for columns that queries search. A sealed part is ordered by tenant, so
 * a condition on the tenant leaves out most of a part when only some tenants have a text. Where all texts of these
 * tenants begin with something that contains the searched text, the column need not be read.
 *
 * A column gets its filters in the background when it is searched for the first time. They are files beside those of
 * messages.
 */
import { createHash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { CatalogPart } from '#compiler/store';
import { type Part, parsePartTable } from '../../tables/part';
import type { SourceState } from '../../sources/source-state';
import { countRows } from '../../read/stored-rows';
import type { BuildOptions } from '../build-filter';
import { FilterFile, type Pages, readDescription } from '../filter-file';
import { buildTenantFilter, type TenantFilterPlace } from './build-tenant-filter';
import { SearchedColumns } from './searched-columns';
import { rowsOf, type TenantSearch } from './tenant-search';

const SUFFIX = '.values';

export interface TenantFiltersOptions {
  readonly folder: string;
  readonly pages: Pages;
  /** Column with the tenant of events; null: none that a part can be filtered by. */
  readonly tenantColumnOf: (part: CatalogPart | Part) => string | null;
  /** Columns that have no filters. */
  readonly isOther: (column: string) => boolean;
  /** Called when a filter is to be built. */
  readonly onWanted: () => void;
  /** Called when a part was read for a filter. */
  readonly onBuilt: (connection: DuckDBConnection) => Promise<void>;
}

export class TenantFilters {
  private readonly ready = new Map<string, FilterFile>();
  /** Searched columns by source. */
  private readonly columns = new Map<string, SearchedColumns>();
  private isDiscovered = false;

  constructor(private readonly options: TenantFiltersOptions) {}

  /** The part with what is known of the rows that a scan needs. */
  async narrow(part: CatalogPart, search: TenantSearch): Promise<CatalogPart> {
    const { tenant: own } = search.scan;
    const tenantColumn = part.database === undefined ? null : this.options.tenantColumnOf(part);
    if (tenantColumn === null || (own !== null && own.column !== tenantColumn)) return part;
    const filters = this.filtersOf(part, tenantColumn, search);
    const all = filters[0]?.description.ofTenants;
    if (all === undefined) return part;
    // A scan of one tenant has its condition already.
    const wanted = own === null ? await search.wanted(filters, all) : new Set([own.value]);
    const isChosen = own === null && search.chooses(wanted, all);
    const read = isChosen || own !== null ? wanted : new Set(all.map(({ tenant }) => tenant));
    const commonTexts = filters.flatMap((filter) => search.commonTextsOf(filter, read));
    if (!isChosen && commonTexts.length === 0) return part;
    const ofTenants = { column: tenantColumn, values: [...read], rows: rowsOf(read, all) };
    return { ...part, ...(isChosen && { ofTenants }), ...(commonTexts.length > 0 && { commonTexts }) };
  }

  /** Opens the filters of sealed parts, and builds those that are missing. */
  async prepare(
    connection: DuckDBConnection,
    parts: readonly { readonly state: SourceState; readonly part: Part }[],
    options: BuildOptions
  ): Promise<void> {
    await this.discover();
    for (const { state, part } of parts) {
      for (const column of this.columns.get(state.source.name)?.names ?? []) {
        const tenantColumn = this.options.tenantColumnOf(part);
        const key = keyOf(part.table, column);
        if (tenantColumn === null || part.columns.get(column) !== 'STRING' || this.ready.has(key)) continue;
        options.signal.throwIfAborted();
        const place = { part, column, tenantColumn, path: join(this.options.folder, fileName(part.table, column)) };
        const rows = await countRows(connection, part);
        let filter = await this.open(place, rows);
        if (filter === null) {
          await buildTenantFilter(connection, place, options);
          await this.options.onBuilt(connection);
          filter = await this.open(place, rows);
        }
        if (filter !== null) this.ready.set(key, filter);
      }
    }
  }

  /** Names of files that are in use. Forgets filters of other parts and columns. */
  async filesOf(tables: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    await this.discover();
    const names = new Set<string>();
    const keys = new Set<string>();
    for (const table of tables) {
      for (const column of this.columns.get(parsePartTable(table)?.source ?? '')?.names ?? []) {
        names.add(fileName(table, column));
        keys.add(keyOf(table, column));
      }
    }
    for (const key of this.ready.keys()) if (!keys.has(key)) this.ready.delete(key);
    return names;
  }

  /** Columns that were searched before the start, by their files. */
  private async discover(): Promise<void> {
    if (this.isDiscovered) return;
    this.isDiscovered = true;
    for (const name of await readdir(this.options.folder)) {
      if (!name.endsWith(SUFFIX)) continue;
      const description = await readDescription(join(this.options.folder, name));
      const source = description === null ? undefined : parsePartTable(description.table)?.source;
      if (description !== null && source !== undefined) this.columnsOf(source).note(description.column);
    }
  }

  private columnsOf(source: string): SearchedColumns {
    let columns = this.columns.get(source);
    if (columns === undefined) {
      columns = new SearchedColumns();
      this.columns.set(source, columns);
    }
    return columns;
  }

  /** Filters of the columns that a scan searches. Missing ones are built for later queries. */
  private filtersOf(part: CatalogPart, tenantColumn: string, { columns }: TenantSearch): readonly FilterFile[] {
    const source = parsePartTable(part.table)?.source;
    if (source === undefined) return [];
    const searched = columns.filter(
      (column) => column !== tenantColumn && !this.options.isOther(column) && part.columns.get(column) === 'STRING'
    );
    const known = this.columnsOf(source);
    return searched.flatMap((column) => {
      if (known.note(column) === 'new') this.options.onWanted();
      const filter = this.ready.get(keyOf(part.table, column));
      return filter === undefined || filter.description.stripes.length === 0 ? [] : [filter];
    });
  }

  /** @returns null for a file that is missing, damaged, or of other rows */
  private async open(
    { part, column, tenantColumn, path }: TenantFilterPlace,
    rows: number
  ): Promise<FilterFile | null> {
    const description = await readDescription(path);
    if (
      description?.table !== part.table ||
      description.rows !== rows ||
      description.column !== column ||
      description.tenantColumn !== tenantColumn ||
      description.ofTenants === undefined
    )
      return null;
    return new FilterFile(path, description, this.options.pages, () => this.damaged(part.table, column, path));
  }

  private damaged(table: string, column: string, path: string): void {
    if (!this.ready.delete(keyOf(table, column))) return;
    const { pages, onWanted } = this.options;
    for (const key of pages.keys()) if (key.startsWith(`${path} `)) pages.delete(key);
    void rm(path, { force: true }).then(onWanted, () => undefined);
  }
}

function keyOf(table: string, column: string): string {
  return `${table} ${column}`;
}

function fileName(table: string, column: string): string {
  const digest = createHash('sha256').update(column).digest('hex').slice(0, 16);
  return `${table.replaceAll('/', '.')}.${digest}${SUFFIX}`;
}
