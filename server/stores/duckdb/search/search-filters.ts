/**
 * Search filters of the parts. Those of sealed parts are files in a folder of their own: a missing one is built in the
 * background, one part at a time, and files of dropped parts are deleted. Those of open parts are in memory. A part
 * without a filter is read as a whole.
 */
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { CatalogPart, CompiledQuery, QuerySearch } from '#compiler/store';
import { type Part, parsePartTable } from '../tables/part';
import { hidesRowNumbers } from '../tables/row-range';
import type { SourceState } from '../sources/source-state';
import { isMissingTable } from '../statements/store-errors';
import { countRows } from '../read/stored-rows';
import { tenantColumn } from '../sources/tenant-column';
import { MESSAGE_COLUMN } from '../tables/stored-columns';
import { pauser } from '../file/work-pauses';
import type { Searched } from './block-texts';
import { buildFilter, type FilterPlace } from './build-filter';
import { candidateBlocks, type GramNeeds, gramNeeds } from './candidate-blocks';
import { FilterFile, type Pages, readDescription } from './filter-file';
import { BLOCK_ROWS, PAGE_BYTES } from './filter-layout';
import { OpenFilter } from './open-filter';
import { OpenFilters } from './open-filters';
import { TenantFilters } from './by-tenant/tenant-filters';
import { TenantSearch } from './by-tenant/tenant-search';
import { rowRanges } from './row-ranges';

export interface SearchFiltersOptions {
  readonly folder: string;
  /** Memory for pages that were read, and the same again for filters of open parts; 0: there are no filters. */
  readonly maxBytes: number;
  readonly states: ReadonlyMap<string, SourceState>;
  readonly connect: () => Promise<DuckDBConnection>;
  /** Estimated rows of a table. */
  readonly rowsOf: (table: string) => number;
  /** Called when a part was read for a filter. */
  readonly onBuilt: (connection: DuckDBConnection) => Promise<void>;
  readonly onProblem: (message: string, cause: unknown) => void;
}

/** Numbers of blocks that a query read and skipped, of parts with a filter. */
export interface SearchedBlocks {
  readonly read: number;
  readonly skipped: number;
}

export interface NarrowedQuery {
  readonly query: CompiledQuery;
  /** Null: the query searches for no text that is known. */
  readonly blocks: SearchedBlocks | null;
}

/** Not filtered by tenant: ids of all tenants have the same pieces. */
const ID_COLUMN = 'id';
/** Maximum ranges of rows in one statement: DuckDB plans and tests each of them. */
const MAX_RANGES = 192;
const RETRY_MS = 600_000;

export class SearchFilters {
  private readonly openFilters: OpenFilters;
  private readonly byTenant: TenantFilters;
  private readonly ready = new Map<string, FilterFile>();
  /** Tables of parts whose filters are damaged. */
  private readonly toRebuild = new Set<string>();
  private readonly pages: Pages;
  private readonly closed = new AbortController();
  private working: Promise<void> = Promise.resolve();
  private isScheduled = false;
  private retry: NodeJS.Timeout | null = null;

  constructor(private readonly options: SearchFiltersOptions) {
    const maxSize = Math.max(1, options.maxBytes);
    this.pages = new LRUCache<string, Buffer>({ maxSize, sizeCalculation: () => PAGE_BYTES });
    this.byTenant = new TenantFilters({
      folder: options.folder,
      pages: this.pages,
      tenantColumnOf: (part) => this.tenantColumnOf(part),
      isOther: (column) => column === MESSAGE_COLUMN || column === ID_COLUMN,
      onWanted: () => this.refresh(),
      onBuilt: options.onBuilt,
    });
    this.openFilters = new OpenFilters({
      ...options,
      searched: searchedPart,
      onProblem: (error) => options.onProblem('open days have no search filter now: searches read all of them', error),
    });
  }

  /** Called after a commit. @param rows that it added to an open part */
  added(table: string, rows: number): void {
    this.openFilters.added(table, rows);
  }

  /** Called when the table of an open part was dropped. */
  forget(table: string): void {
    this.openFilters.forget(table);
  }

  /** Called when the parts have changed. */
  refresh(): void {
    this.openFilters.refresh();
    if (this.isScheduled || this.closed.signal.aborted) return;
    this.isScheduled = true;
    this.working = this.working
      .then(() => {
        this.isScheduled = false;
        return this.options.maxBytes === 0 ? this.removeAll() : this.work();
      })
      .catch((error: unknown) => {
        if (!this.closed.signal.aborted) this.options.onProblem('search filters cannot be kept now', error);
      });
  }

  /** Resolves when every part has its filter, or cannot have one now. */
  async settled(): Promise<void> {
    await this.openFilters.settled();
    for (let last: Promise<void> | null = null; last !== this.working;) await (last = this.working);
  }

  async close(): Promise<void> {
    this.closed.abort();
    if (this.retry !== null) clearTimeout(this.retry);
    await this.openFilters.close();
    await this.settled();
  }

  /** The query without rows that cannot be in its result, if this is less work. */
  async narrow(query: CompiledQuery, signal: AbortSignal): Promise<NarrowedQuery> {
    const search = this.options.maxBytes === 0 ? null : query.search();
    if (search === null) return { query, blocks: null };
    try {
      return await this.narrowed(query, search, signal);
    } catch {
      // Aborted, or the statement would be too long.
      return { query, blocks: null };
    }
  }

  private async narrowed(query: CompiledQuery, search: QuerySearch, signal: AbortSignal): Promise<NarrowedQuery> {
    const blocks = { read: 0, skipped: 0 };
    const narrowed: (readonly CatalogPart[])[] = [];
    const needed = search.scans.map((scan) => gramNeeds(scan, MESSAGE_COLUMN));
    const isSearched = needed.some(({ all }) => all.size > 0);
    const filtered = search.scans.flatMap(({ parts }) => parts).filter((part) => this.filterOf(part) !== null).length;
    const most = Math.max(1, Math.floor(MAX_RANGES / Math.max(1, filtered)));
    let isNarrower = false;
    for (const needs of needed) {
      const { scan } = needs;
      const byTenant = new TenantSearch(scan);
      const parts: CatalogPart[] = [];
      for (const part of scan.parts) {
        signal.throwIfAborted();
        const rest = await this.narrowPart(part, needs, most, blocks);
        if (rest === null) continue;
        const known = await this.byTenant.narrow(rest, byTenant);
        isNarrower ||= known !== rest;
        parts.push(known);
      }
      narrowed.push(parts);
    }
    const isSame = blocks.skipped === 0 && !isNarrower;
    return { query: isSame ? query : search.narrowed(narrowed), blocks: isSearched ? blocks : null };
  }

  /** @returns null for a part of which nothing is read */
  private async narrowPart(
    part: CatalogPart,
    needs: GramNeeds,
    most: number,
    counts: { read: number; skipped: number }
  ): Promise<CatalogPart | null> {
    const filter = needs.all.size === 0 ? null : this.filterOf(part);
    if (filter === null) return part;
    const candidates = await candidateBlocks(filter, needs);
    // A filter of an open part may have grown since then.
    const blocks = candidates.needed?.length ?? filter.blocks;
    const covered = filter instanceof OpenFilter ? blocks * BLOCK_ROWS : filter.description.rows;
    const rows = rowRanges(candidates, covered, most);
    if (rows === null) {
      counts.read += blocks;
      return part;
    }
    const read = rows.reduce((sum, { from, to }) => sum + Math.ceil((to - from) / BLOCK_ROWS), 0);
    counts.read += read;
    counts.skipped += blocks - read;
    if (filter instanceof OpenFilter) return { ...part, rows: [...rows, this.openFilters.rest(part, covered)] };
    return rows.length === 0 ? null : { ...part, rows };
  }

  private filterOf(part: CatalogPart): FilterFile | OpenFilter | null {
    const { table, database } = part;
    if (hidesRowNumbers(part)) return null;
    if (database === undefined) return this.openFilters.of(part);
    const filter = this.ready.get(table);
    return filter !== undefined && filter.description.stripes.length > 0 ? filter : null;
  }

  private async work(): Promise<void> {
    const { folder } = this.options;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const connection = await this.options.connect();
    const interrupt = (): void => connection.interrupt();
    this.closed.signal.addEventListener('abort', interrupt, { once: true });
    try {
      await this.removeOthers();
      const pause = pauser(this.closed.signal);
      for (const { state, part } of this.sealedParts()) {
        if (this.closed.signal.aborted) return;
        if (this.ready.has(part.table)) continue;
        await this.prepare(connection, state, part, pause);
      }
      await this.prepareByTenant(connection, pause);
    } finally {
      this.closed.signal.removeEventListener('abort', interrupt);
      connection.closeSync();
    }
  }

  /** Opens the filter of a part, or builds it. */
  private async prepare(
    connection: DuckDBConnection,
    state: SourceState,
    part: Part,
    pause: () => Promise<void>
  ): Promise<void> {
    const searched = searchedPart(state, part);
    if (searched === null) return;
    const { signal } = this.closed;
    const place = { ...searched, path: this.pathOf(part.table) };
    try {
      const rows = await countRows(connection, part);
      let filter = this.toRebuild.has(part.table) ? null : await this.open(place, rows);
      if (filter === null) {
        await buildFilter(connection, place, { signal, pause });
        this.toRebuild.delete(part.table);
        await this.options.onBuilt(connection);
        filter = await this.open(place, rows);
      }
      if (filter !== null && this.isSealed(part)) this.ready.set(part.table, filter);
    } catch (error) {
      // Interrupted, or dropped during the build.
      if (signal.aborted || !this.isSealed(part)) return;
      this.retryLater();
      this.options.onProblem('a sealed day has no search filter now: searches read all of it', error);
    }
  }

  private async prepareByTenant(connection: DuckDBConnection, pause: () => Promise<void>): Promise<void> {
    const { signal } = this.closed;
    try {
      await this.byTenant.prepare(connection, this.sealedParts(), { signal, pause });
    } catch (error) {
      // Where a part was dropped, this begins again: the change of the parts has called `refresh`.
      if (signal.aborted || isMissingTable(error)) return;
      this.retryLater();
      this.options.onProblem('a searched column has no filters by tenant now: its searches read all tenants', error);
    }
  }

  private retryLater(): void {
    this.retry ??= setTimeout(() => {
      this.retry = null;
      this.refresh();
    }, RETRY_MS).unref();
  }

  private async open(
    { part, column, tenantColumn: tenant, path }: FilterPlace,
    rows: number
  ): Promise<FilterFile | null> {
    const description = await readDescription(path);
    if (
      description?.table !== part.table ||
      description.rows !== rows ||
      description.column !== column ||
      description.tenantColumn !== tenant
    )
      return null;
    return new FilterFile(path, description, this.pages, () => this.damaged(part.table));
  }

  private damaged(table: string): void {
    if (!this.ready.delete(table)) return;
    this.toRebuild.add(table);
    const path = this.pathOf(table);
    for (const key of this.pages.keys()) if (key.startsWith(`${path} `)) this.pages.delete(key);
    this.refresh();
  }

  private tenantColumnOf(part: Pick<CatalogPart, 'table' | 'columns'>): string | null {
    const { table, columns } = part;
    const name = hidesRowNumbers(part) ? null : parsePartTable(table);
    const state = name === null ? undefined : this.options.states.get(name.source);
    const column = state === undefined ? null : tenantColumn(state);
    return column !== null && columns.get(column) === 'STRING' ? column : null;
  }

  private sealedParts(): readonly { readonly state: SourceState; readonly part: Part }[] {
    return [...this.options.states.values()]
      .flatMap((state) => [...state.sealed.values()].map((part) => ({ state, part })))
      .sort((a, b) => b.part.day - a.part.day);
  }

  private isSealed({ table }: Part): boolean {
    return this.sealedParts().some(({ part }) => part.table === table);
  }

  /** Deletes files of other parts, and unfinished ones. */
  private async removeOthers(): Promise<void> {
    const tables = new Set(this.sealedParts().map(({ part }) => part.table));
    for (const table of this.ready.keys()) if (!tables.has(table)) this.ready.delete(table);
    const names = new Set([...[...tables].map(fileName), ...(await this.byTenant.filesOf(tables))]);
    for (const name of await readdir(this.options.folder)) {
      if (!names.has(name)) await rm(join(this.options.folder, name), { recursive: true, force: true });
    }
  }

  private removeAll(): Promise<void> {
    return rm(this.options.folder, { recursive: true, force: true });
  }

  private pathOf(table: string): string {
    return join(this.options.folder, fileName(table));
  }
}

/** @returns null for a part without the searched column, or without numbers of rows */
function searchedPart(state: SourceState, part: Part): Searched | null {
  if (part.columns.get(MESSAGE_COLUMN) !== 'STRING' || hidesRowNumbers(part)) return null;
  const tenant = tenantColumn(state);
  const hasTenant = tenant !== null && part.columns.get(tenant) === 'STRING';
  return { part, column: MESSAGE_COLUMN, tenantColumn: hasTenant ? tenant : null };
}

/** Names of parts have no other character that a file name cannot have. */
function fileName(table: string): string {
  return `${table.replaceAll('/', '.')}.grams`;
}
