/**
 * After many days were sealed: seals what is left in the file of the open parts, one day each time, and then shortens
 * the file. A part that cannot be sealed now, such as one that gets many events, stays where it is, and so do events
 * that come after the seal of their day.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { SealedDay } from '#contract/control';
import type { SourceState } from '../sources/source-state';
import { isBusy, isDiskFull, isDiskFullError } from '../statements/store-errors';
import { areManyLatelySealed, isMostlyFree, LEAST_FREE_BYTES, moveOtherTables } from './free-space';
import type { OpenDay } from './quiet-days';
import type { SealOptions } from './seal-day';

/** After the disk was too full. */
const RETRY_MS = 3_600_000;
/** A checkpoint after seals waits for the end of every query that began before; most are short. */
const CHECKPOINT_RETRY_MS = 50;
const CHECKPOINT_TRIES = 200;
/**
 * Behind a reader that began before the last seal and has just ended, a checkpoint may free its blocks and leave the
 * file as long as it was; the next one with a write shortens it (observed with DuckDB 1.5.6, in one of four attempts).
 */
const SHORTEN_TRIES = 5;

export interface SpaceReclaimerParts extends Pick<SealOptions, 'alone'> {
  readonly states: ReadonlyMap<string, SourceState>;
  /** Days that can be sealed, also today. */
  readonly openDays: () => readonly OpenDay[];
  /** @returns null if the day cannot be sealed now */
  readonly seal: (connection: DuckDBConnection, open: OpenDay, signal: AbortSignal) => Promise<SealedDay | null>;
  /** Makes a checkpoint of the file of the open parts. */
  readonly checkpoint: () => Promise<void>;
  /** Free space of that file from which it is returned. @default 64 MiB */
  readonly leastFreeBytes?: number;
  readonly onFailure: (error: unknown) => void;
}

export class SpaceReclaimer {
  /** Time at which the file was last made as small as possible. */
  private doneMs = 0;
  /** When that is tried again, after the disk was too full for it; null: it was not. */
  private retryMs: number | null = null;
  /** Days that this process has sealed, and their number when the file had too little free space. */
  private sealedDays = 0;
  private sealedWithoutSpace: number | null = null;
  /** Days that were sealed, or not, to return space, as source and day; null: no space is being returned. */
  private tried: Set<string> | null = null;

  constructor(private readonly parts: SpaceReclaimerParts) {}

  countSealedDay(): void {
    this.sealedDays++;
  }

  /** Ends the wait after a full disk. */
  retryNow(): void {
    if (this.retryMs !== null) this.retryMs = 0;
  }

  /** @returns the day that was sealed; null if nothing is left to do */
  async next(connection: DuckDBConnection, signal: AbortSignal): Promise<SealedDay | null> {
    if (!this.isDue() || this.sealedDays === this.sealedWithoutSpace) return null;
    try {
      if (this.tried === null && !(await this.hasFreeSpace(connection, signal))) {
        // Not the end of it: an operator may be sealing the other days.
        this.sealedWithoutSpace = this.sealedDays;
        this.retryMs = null;
        return null;
      }
      const sealed = await this.sealNext(connection, signal);
      if (sealed !== null) return sealed;
      await this.shorten(connection, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      // A query that began before a seal: it is tried again.
      if (isBusy(error)) return null;
      this.parts.onFailure(error);
      if (isDiskFullError(error) || isDiskFull(error)) {
        this.retryMs = Date.now() + RETRY_MS;
        this.tried = null;
        return null;
      }
    }
    this.doneMs = Date.now();
    this.retryMs = null;
    this.tried = null;
    return null;
  }

  private isDue(): boolean {
    if (this.retryMs !== null) return Date.now() >= this.retryMs;
    return areManyLatelySealed(this.parts.states.values(), this.doneMs, Date.now());
  }

  private async hasFreeSpace(connection: DuckDBConnection, signal: AbortSignal): Promise<boolean> {
    await this.checkpoint(signal);
    return isMostlyFree(connection, this.leastFreeBytes);
  }

  /** Seals the first day that was not tried yet. */
  private async sealNext(connection: DuckDBConnection, signal: AbortSignal): Promise<SealedDay | null> {
    this.tried ??= new Set();
    for (const open of this.parts.openDays()) {
      const day = `${open.state.source.name} ${open.part.day}`;
      if (this.tried.has(day)) continue;
      this.tried.add(day);
      const sealed = await this.parts.seal(connection, open, signal);
      if (sealed !== null) return sealed;
    }
    return null;
  }

  private async shorten(connection: DuckDBConnection, signal: AbortSignal): Promise<void> {
    for (let left = SHORTEN_TRIES; left > 0 && (await this.parts.alone(moveOtherTables)); left--) {
      await this.checkpoint(signal);
      if (!(await isMostlyFree(connection, this.leastFreeBytes))) return;
      await delay(CHECKPOINT_RETRY_MS, undefined, { signal });
    }
  }

  /** Retries while queries and search filters in the making still read what was there before the last seal. */
  private async checkpoint(signal: AbortSignal): Promise<void> {
    for (let left = CHECKPOINT_TRIES; ; left--) {
      try {
        return await this.parts.checkpoint();
      } catch (error) {
        if (!isBusy(error) || left === 0) throw error;
      }
      await delay(CHECKPOINT_RETRY_MS, undefined, { signal });
    }
  }

  private get leastFreeBytes(): number {
    return this.parts.leastFreeBytes ?? LEAST_FREE_BYTES;
  }
}
