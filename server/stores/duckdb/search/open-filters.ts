/**
 * Filters of the open parts. Blocks that became full are read in the background, a few at a time, with a pause after
 * each few milliseconds, and for a small share of the time while events arrive. A filter may lag behind its part, but
 * is never ahead of it.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { CatalogPart, RowRange } from '#compiler/store';
import type { Part } from '../tables/part';
import type { SourceState } from '../sources/source-state';
import { isMissingTable } from '../statements/store-errors';
import { allOpenParts, openPartsOf } from '../tables/stored-parts';
import { blockGroups, gramsOfGroup, readBlocks, type Searched } from './block-texts';
import { FEWEST_BLOCKS } from './build-filter';
import { BLOCK_ROWS } from './filter-layout';
import { OpenFilter } from './open-filter';

export interface OpenFiltersOptions {
  /** Memory for all of them. */
  readonly maxBytes: number;
  readonly states: ReadonlyMap<string, SourceState>;
  /** How a part is searched; null: it cannot be. */
  readonly searched: (state: SourceState, part: Part) => Searched | null;
  readonly connect: () => Promise<DuckDBConnection>;
  /** Estimated rows of a table. */
  readonly rowsOf: (table: string) => number;
  readonly onProblem: (error: unknown) => void;
}

/** From a commit until the blocks that it filled are read. */
const DELAY_MS = 1000;
/** Time without a commit after which no events arrive. */
const QUIET_MS = 1000;
/** What a pause takes, of the work before it: 3 % of the time is work. */
const BUSY_PAUSE = 32;
const QUIET_PAUSE = 1;
const LONGEST_PAUSE_MS = 5000;
/** Shorter work needs no pause after it. */
const SHORTEST_WORK_MS = 1;
/** Blocks whose sizes are read by one statement, in three milliseconds. */
const MOST_BLOCKS = 8;
/** Texts that are read by one statement. */
const MOST_TEXT_BYTES = 1_000_000;
const RETRY_MS = 60_000;

export class OpenFilters {
  private readonly filters = new Map<string, OpenFilter>();
  /** Estimated rows of tables, which may be fewer or more. */
  private readonly rows = new Map<string, number>();
  private readonly closed = new AbortController();
  private working: Promise<void> = Promise.resolve();
  private timer: NodeJS.Timeout | null = null;
  private committedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: OpenFiltersOptions) {}

  /** Bytes in memory. */
  get bytes(): number {
    let bytes = 0;
    for (const filter of this.filters.values()) bytes += filter.bytes;
    return bytes;
  }

  /** Null for a part without a filter that is worth its look-up. */
  of({ table }: CatalogPart): OpenFilter | null {
    const filter = this.filters.get(table);
    return filter !== undefined && filter.blocks >= FEWEST_BLOCKS ? filter : null;
  }

  /** All rows of a part from a number on. */
  rest({ table }: CatalogPart, from: number): RowRange {
    return { from, to: Math.max(this.rowsOf(table), from), isOpen: true };
  }

  /** Called after a commit. @param rows that it added */
  added(table: string, rows: number): void {
    if (this.options.maxBytes === 0) return;
    this.committedAt = performance.now();
    this.rows.set(table, this.rowsOf(table) + rows);
    this.later(DELAY_MS);
  }

  /** Called when a table was dropped. */
  forget(table: string): void {
    this.filters.delete(table);
    this.rows.delete(table);
  }

  /** Called when the parts may have changed. */
  refresh(): void {
    if (this.options.maxBytes > 0) this.later(0);
  }

  /** Resolves when every full block is in its filter, or cannot be now. */
  async settled(): Promise<void> {
    if (this.options.maxBytes > 0 && !this.closed.signal.aborted) this.start();
    for (let last: Promise<void> | null = null; last !== this.working;) await (last = this.working);
  }

  async close(): Promise<void> {
    this.closed.abort();
    if (this.timer !== null) clearTimeout(this.timer);
    await this.working;
  }

  private later(delayMs: number): void {
    if (this.timer !== null || this.closed.signal.aborted) return;
    this.timer = setTimeout(() => this.start(), delayMs).unref();
  }

  private start(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.working = this.working
      .then(() => (this.closed.signal.aborted ? undefined : this.work()))
      .catch((error: unknown) => {
        if (this.closed.signal.aborted) return;
        this.options.onProblem(error);
        this.later(RETRY_MS);
      });
  }

  private async work(): Promise<void> {
    const waiting = this.waitingParts();
    if (waiting.length === 0) return;
    const connection = await this.options.connect();
    const interrupt = (): void => connection.interrupt();
    this.closed.signal.addEventListener('abort', interrupt, { once: true });
    const pause = this.pauser();
    try {
      for (const one of waiting) {
        while (this.hasFullBlocks(one) && (await this.addBlocks(connection, one, pause)));
      }
    } finally {
      this.closed.signal.removeEventListener('abort', interrupt);
      connection.closeSync();
    }
  }

  /** Open parts with blocks to be added, newest day first. */
  private waitingParts(): readonly Waiting[] {
    const tables = new Set<string>();
    const waiting: Waiting[] = [];
    for (const state of this.options.states.values()) {
      for (const part of allOpenParts(state)) {
        const searched = this.options.searched(state, part);
        if (searched === null) continue;
        tables.add(part.table);
        const one = { state, searched, filter: this.filterOf(searched) };
        if (this.hasFullBlocks(one)) waiting.push(one);
      }
    }
    for (const table of this.rows.keys()) if (!tables.has(table)) this.forget(table);
    return waiting.sort((a, b) => b.searched.part.day - a.searched.part.day);
  }

  private filterOf({ part, column, tenantColumn }: Searched): OpenFilter {
    const { table } = part;
    const known = this.filters.get(table);
    // A part may get its column of tenants later.
    if (known?.tenantColumn === tenantColumn) return known;
    const filter = new OpenFilter(column, tenantColumn);
    this.filters.set(table, filter);
    if (!this.rows.has(table)) this.rows.set(table, this.rowsOf(table));
    return filter;
  }

  private rowsOf(table: string): number {
    return this.rows.get(table) ?? this.options.rowsOf(table);
  }

  private hasFullBlocks({ state, searched: { part }, filter }: Waiting): boolean {
    if (this.filters.get(part.table) !== filter || !isOpen(state, part)) return false;
    const rows = this.rowsOf(part.table);
    return rows >= FEWEST_BLOCKS * BLOCK_ROWS && rows - filter.coveredRows >= BLOCK_ROWS;
  }

  /** @returns false when there is nothing more to add, or no memory */
  private async addBlocks(connection: DuckDBConnection, waiting: Waiting, pause: Pause): Promise<boolean> {
    const { searched, filter } = waiting;
    const first = filter.blocks;
    if (!this.hasRoom(waiting)) return false;
    try {
      const blocks = await readBlocks(connection, searched, { first, most: MOST_BLOCKS });
      const full = blocks.filter(({ rows }) => rows === BLOCK_ROWS);
      // What the part has, unless there is more behind.
      if (full.length < MOST_BLOCKS) {
        const found = blocks.reduce((sum, { rows }) => sum + rows, 0);
        this.rows.set(searched.part.table, filter.coveredRows + found);
      }
      await pause();
      for (const group of blockGroups(full, MOST_TEXT_BYTES)) {
        const bitmaps = await gramsOfGroup(connection, searched, group, pause);
        if (!this.hasRoom(waiting)) return false;
        for (const [i, bitmap] of bitmaps.entries()) filter.add(bitmap, group[i]!.tenant);
        await pause();
      }
      return full.length > 0;
    } catch (error) {
      // Interrupted, or sealed or dropped since. The state may say so only after the table is missing.
      if (this.closed.signal.aborted || isMissingTable(error) || !this.hasFullBlocks(waiting)) return false;
      throw error;
    }
  }

  /** Drops filters of older days until there is room. */
  private hasRoom({ searched }: Waiting): boolean {
    const days = new Map<string, number>();
    for (const state of this.options.states.values())
      for (const { table, day } of allOpenParts(state)) days.set(table, day);
    const dayOf = (table: string): number => days.get(table) ?? Number.NEGATIVE_INFINITY;
    const older = [...this.filters].filter(([table, { bytes }]) => bytes > 0 && dayOf(table) < searched.part.day);
    older.sort(([a], [b]) => dayOf(a) - dayOf(b));
    for (const [table, { column, tenantColumn }] of older) {
      if (this.bytes < this.options.maxBytes) break;
      this.filters.set(table, new OpenFilter(column, tenantColumn));
    }
    return this.bytes < this.options.maxBytes;
  }

  private pauser(): Pause {
    let since = performance.now();
    return async () => {
      const now = performance.now();
      const workMs = now - since;
      if (workMs < SHORTEST_WORK_MS) return;
      const factor = now - this.committedAt < QUIET_MS ? BUSY_PAUSE : QUIET_PAUSE;
      const pauseMs = Math.min(workMs * factor, LONGEST_PAUSE_MS);
      await delay(pauseMs, undefined, { signal: this.closed.signal });
      since = performance.now();
    };
  }
}

/** False once the part is sealed or dropped. */
function isOpen(state: SourceState, { day, table }: Pick<Part, 'day' | 'table'>): boolean {
  return openPartsOf(state, day).some((part) => part.table === table);
}

interface Waiting {
  readonly state: SourceState;
  readonly searched: Searched;
  readonly filter: OpenFilter;
}

/** Pauses if the work since the last pause was long enough. */
type Pause = () => Promise<void>;
