/** Finds the days that get no events any more, by the row counts of their open parts. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { MAX_ENTRY_BYTES } from '#contract/events/source';
import { MICROS_PER_DAY } from '../../ingest/event/timestamp';
import type { Part } from '../tables/part';
import type { SourceState } from '../sources/source-state';
import { openPartsOf } from '../tables/stored-parts';
import { averageRowBytes, longestText } from '../read/row-bytes';
import { countRows } from '../read/stored-rows';

const DAY_MS = 86_400_000;
/** A second part below this share of the first is not worth a rewrite, until it is a day old. */
const WORTHWHILE_SHARE = 0.02;
/**
 * A day with fewer rows takes no space and no time worth a seal, unless its rows are large. A source can have thousands
 * of such days.
 */
export const FEWEST_ROWS = 8192;
/** Texts of a day with fewer rows from which it is worth a seal. */
const LEAST_BYTES = 64 * 1024 * 1024;
/** Metadata and message. */
const TEXTS_OF_A_ROW = 2;

export interface OpenDay {
  readonly state: SourceState;
  readonly part: Part;
}

interface Seen {
  readonly rows: number;
  readonly sinceMs: number;
}

/** The last open parts of past days, oldest day first. */
export function openDays(states: Iterable<SourceState>, nowMs: number): readonly OpenDay[] {
  const today = Math.floor((nowMs * 1000) / MICROS_PER_DAY);
  return allOpenDays(states).filter(({ part }) => part.day < today);
}

/** The last open part of each day, oldest day first. */
export function allOpenDays(states: Iterable<SourceState>): readonly OpenDay[] {
  const found: OpenDay[] = [];
  for (const state of states) for (const part of state.parts.values()) found.push({ state, part });
  return found.sort((a, b) => a.part.day - b.part.day);
}

export class QuietDays {
  private seen = new Map<string, Seen>();
  /** Rows of the days that are not worth a seal, by their last table. */
  private small = new Map<string, number>();

  /**
   * @param days oldest first
   * @param rowsOf number of rows of a table when it was last counted
   * @param quietMs time without new events
   * @returns the days that can be sealed now
   */
  async find(
    connection: DuckDBConnection,
    days: readonly OpenDay[],
    rowsOf: (table: string) => number,
    nowMs: number,
    quietMs: number
  ): Promise<readonly OpenDay[]> {
    const seen = new Map<string, Seen>();
    const small = new Map<string, number>();
    const quiet: OpenDay[] = [];
    for (const day of days) {
      const { state, part } = day;
      const open = openPartsOf(state, part.day);
      const estimated = open.reduce((sum, { table }) => sum + rowsOf(table), 0);
      if (!state.sealed.has(part.day) && !(await this.isWorthwhile(connection, day, estimated))) {
        small.set(part.table, estimated);
        continue;
      }
      let rows = 0;
      for (const each of open) rows += await countRows(connection, each);
      const before = this.seen.get(part.table);
      const since = before?.rows === rows ? before : { rows, sinceMs: nowMs };
      seen.set(part.table, since);
      const sealed = state.sealed.get(part.day);
      const sealedRows = sealed === undefined ? 0 : await countRows(connection, sealed);
      const waitMs = rows >= sealedRows * WORTHWHILE_SHARE ? quietMs : Math.max(quietMs, DAY_MS);
      if (nowMs - Math.max(since.sinceMs, (part.day + 1) * DAY_MS) >= waitMs) quiet.push(day);
    }
    this.seen = seen;
    this.small = small;
    return quiet;
  }

  private async isWorthwhile(connection: DuckDBConnection, { state, part }: OpenDay, rows: number): Promise<boolean> {
    if (rows >= FEWEST_ROWS) return true;
    // The size of the rows is read once, and again when there are others.
    if (rows * MAX_ENTRY_BYTES < LEAST_BYTES || this.small.get(part.table) === rows) return false;
    const open = openPartsOf(state, part.day);
    let longest = 0;
    for (const each of open) longest = Math.max(longest, await longestText(connection, each));
    if (longest * rows * TEXTS_OF_A_ROW < LEAST_BYTES) return false;
    return rows * (await averageRowBytes(connection, state.source, open, { from: 0, to: rows })) >= LEAST_BYTES;
  }
}
