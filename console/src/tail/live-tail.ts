/**
 * A live tail: asks again and again for the rows since the answer before, less an overlap for events that arrive late.
 * Times are those of the server, by the `Date` of its answers.
 */
import type { ResultField } from '#contract/queries/result';
import type { Row, RunResult } from '../api/run-query';
import { microsOf, SeenRows } from './seen-rows';
import type { TailWindow } from './tail-request';

/** An event that arrives later than this after its time is not shown. */
const OVERLAP_MS = 10_000;
/** Events of clocks that are ahead. Later ones are shown when their time comes. */
const AHEAD_MS = 60_000;
/** How much of the past a tail begins with. */
const BEGIN_MS = 60_000;
/** Lines that are kept; older ones are dropped. */
export const KEPT_LINES = 2_000;
/** Characters of the lines that are kept, as JSON: lines of a megabyte would fill the memory of the tab. */
export const KEPT_CHARACTERS = 32_000_000;
const PAGE_ROWS = 1_000;

export interface TailState {
  /** Newest first. */
  readonly rows: readonly Row[];
  readonly columns: readonly ResultField[];
  /** All lines that came, also those that are no longer kept. */
  readonly count: number;
  /** Whether older lines were dropped, since the tail began or was cleared. */
  readonly hasDropped: boolean;
  /** Whether lines came that could not be shown: more than are kept arrived between two answers. */
  readonly hasGap: boolean;
}

export interface TailAnswer extends Pick<RunResult, 'rows' | 'columns' | 'isCut'> {
  readonly serverMs: number;
}

export const NO_LINES: TailState = { rows: [], columns: [], count: 0, hasDropped: false, hasGap: false };

export class LiveTail {
  private readonly seen = new SeenRows();
  private readonly sizes = new WeakMap<Row, number>();
  private sinceMs: number | null = null;
  private state = NO_LINES;

  /**
   * @param ask runs a call for a window
   * @param pageRows rows that an answer may have at most
   * @param canPage whether a window can be read in pages; else an answer has its newest rows only
   */
  constructor(
    private readonly ask: (window: TailWindow) => Promise<TailAnswer>,
    private readonly pageRows: number,
    private readonly canPage: boolean
  ) {}

  /** Asks once. After a failure, the next answer begins where this one would have begun. */
  async poll(serverNowMs: number): Promise<TailState> {
    const isFirst = this.sinceMs === null;
    const sinceMs = this.sinceMs ?? serverNowMs - BEGIN_MS;
    const limit = Math.min(PAGE_ROWS, this.pageRows);
    const window = {
      fromMicros: Math.floor(sinceMs) * 1000,
      toMicros: Math.ceil(serverNowMs + AHEAD_MS) * 1000,
      limit,
      hasId: this.state.columns.some(({ name }) => name === 'id'),
    };
    const rows: Row[] = [];
    let answer: TailAnswer;
    let startedAtMs = serverNowMs;
    let isFull: boolean;
    let characters = 0;
    do {
      answer = await this.ask({ ...window, offset: rows.length });
      // The clock of the server may be behind what was assumed.
      startedAtMs = Math.min(startedAtMs, answer.serverMs);
      rows.push(...answer.rows);
      characters += answer.rows.reduce((sum, row) => sum + this.sizeOf(row), 0);
      isFull = answer.rows.length >= limit || answer.isCut;
    } while (
      isFull &&
      this.canPage &&
      answer.rows.length > 0 &&
      rows.length < KEPT_LINES &&
      characters < KEPT_CHARACTERS
    );

    const wasEmpty = this.seen.isEmpty;
    const fresh = this.seen.takeNew(rows);
    // Answers begin with the newest row: where one has a row that was there before, nothing is missing in between.
    const isApart = rows.length > 0 && fresh.length === rows.length;
    const mayLack = isFull || (!this.canPage && !wasEmpty);
    this.sinceMs = startedAtMs - OVERLAP_MS;
    this.seen.forgetBefore(this.sinceMs * 1000);
    const all = fresh.length === 0 ? this.state.rows : newestFirst([...fresh, ...this.state.rows]);
    const kept = this.keptOf(all);
    this.state = {
      rows: kept,
      columns: answer.columns,
      hasDropped: this.state.hasDropped || kept.length < all.length,
      count: this.state.count + fresh.length,
      hasGap: this.state.hasGap || (!isFirst && isApart && mayLack),
    };
    return this.state;
  }

  clear(): TailState {
    this.state = { ...this.state, rows: [], hasDropped: false, hasGap: false };
    return this.state;
  }

  /** @param rows newest first. @returns the newest of them, at least one */
  private keptOf(rows: readonly Row[]): readonly Row[] {
    let characters = 0;
    const end = rows.findIndex((row, at) => {
      characters += this.sizeOf(row);
      return at >= KEPT_LINES || (at > 0 && characters > KEPT_CHARACTERS);
    });
    return end === -1 ? rows : rows.slice(0, end);
  }

  private sizeOf(row: Row): number {
    const size = this.sizes.get(row) ?? JSON.stringify(row).length;
    this.sizes.set(row, size);
    return size;
  }
}

/** Rows of one time stay in the order in which they came. */
function newestFirst(rows: readonly Row[]): readonly Row[] {
  return [...rows].sort((a, b) => microsOf(b) - microsOf(a));
}
