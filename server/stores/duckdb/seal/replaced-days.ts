/** Days whose parts are replaced by a sealed one, or dropped at the end of their retention. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { MICROS_PER_DAY } from '../../ingest/event/timestamp';
import { dropSealed, replaceParts } from '../file/sealed-tables';
import type { PublishedCatalog } from '../sources/published-catalog';
import type { SourceState } from '../sources/source-state';
import { translateError } from '../statements/store-errors';
import type { Part } from '../tables/part';
import type { PartVersions } from '../tables/part-versions';
import { partsOf, storedDays, withoutDay } from '../tables/stored-parts';
import type { DayUnderSeal } from './day-under-seal';

export interface ReplacedDaysOptions {
  readonly versions: PartVersions;
  readonly catalog: PublishedCatalog;
  readonly filters: { forget(table: string): void; refresh(): void };
}

export class ReplacedDays {
  constructor(private readonly options: ReplacedDaysOptions) {}

  /** Replaces parts in the file, in one transaction. @param by null: their events are dropped */
  async replaceParts(connection: DuckDBConnection, parts: readonly Part[], by: Part | null): Promise<void> {
    const { versions, filters } = this.options;
    const tables = parts.map(({ table }) => table);
    await versions.changing(tables, () => replaceParts(connection, parts, by));
    for (const table of tables) {
      versions.forget(table);
      filters.forget(table);
    }
  }

  /** Called after `replaceParts` for a sealed day: queries read the new part from now on. */
  onSealed({ state, day, target }: DayUnderSeal): void {
    const newest = partsOf(state, day).map(({ newestMicros }) => newestMicros ?? Infinity);
    const newestMicros = newest.includes(Infinity) ? null : Math.max(...newest);
    const others = withoutDay(state, day);
    state.setParts({ ...others, sealed: new Map([...others.sealed, [day, { ...target, newestMicros }]]) });
    this.options.catalog.publish([state]);
    this.options.filters.refresh();
  }

  /**
   * Drops the days that are older than the retention of their source.
   * @param connection of the writer
   * @returns their number
   */
  async dropExpired(connection: DuckDBConnection, states: Iterable<SourceState>, nowMicros: number): Promise<number> {
    let dropped = 0;
    for (const state of states) {
      const oldestMicros = nowMicros - state.source.retention_days * MICROS_PER_DAY;
      const expired = storedDays(state).filter((day) => (day + 1) * MICROS_PER_DAY <= oldestMicros);
      for (const day of expired) await this.dropDay(connection, state, day);
      if (expired.length > 0) this.options.filters.refresh();
      dropped += expired.length;
    }
    return dropped;
  }

  private async dropDay(connection: DuckDBConnection, state: SourceState, day: number): Promise<void> {
    await this.dropParts(connection, partsOf(state, day), () => {
      state.setParts(withoutDay(state, day));
      this.options.catalog.publish([state]);
    });
  }

  /** Drops the parts of a day. @param onDropped called before the tables of sealed parts, which queries may read */
  async dropParts(connection: DuckDBConnection, parts: readonly Part[], onDropped?: () => void): Promise<void> {
    await this.replaceParts(connection, parts, null).catch((error: unknown) => {
      throw translateError(error, false);
    });
    onDropped?.();
    await dropSealed(connection, parts);
  }
}
