/** Seals past days in the background, one at a time, with a pause after each piece of work as long as the work was. */
import { setTimeout as delay } from 'node:timers/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { SealedDay, SealFault, SealState } from '#contract/control';
import { ServiceError } from '#contract/errors';
import type { ReadThreads } from '../file/read-threads';
import type { SourceState } from '../sources/source-state';
import {
  diskFull,
  isBusy,
  isDiskFull,
  isInvalidated,
  isOutOfMemory,
  isWithoutRoom,
  translateError,
} from '../statements/store-errors';
import { storedDays } from '../tables/stored-parts';
import type { TableRows } from '../file/table-rows';
import type { WriteActivity } from '../file/write-activity';
import { pauser } from '../file/work-pauses';
import { dayUnderSeal } from './day-under-seal';
import { ensureRoom } from './ensure-room';
import { areManyLatelySealed, isMostlyFree, LEAST_FREE_BYTES, moveOtherTables } from './free-room';
import { allOpenDays, type OpenDay, openDays, QuietDays } from './quiet-days';
import { sealDay, type SealOptions } from './seal-day';

/** Between two days: a query that was compiled before a seal is compiled once more after it. */
const PAUSE_BETWEEN_DAYS_MS = 250;
const LONGEST_POLL_MS = 60_000;
const RETRY_MS = 3_600_000;
/** A checkpoint after seals waits for the end of every query that began before; most are short. */
const CHECKPOINT_RETRY_MS = 50;
const CHECKPOINT_TRIES = 200;
/**
 * Behind a reader that began before the last seal and has just ended, a checkpoint may free its blocks and leave the
 * file as long as it was; the next one with a write shortens it (observed with DuckDB 1.5.6, in one of four attempts).
 */
const SHORTEN_TRIES = 5;

export interface SealerParts extends Pick<SealOptions, 'alone' | 'replaceParts' | 'onReplaced' | 'memoryLimitMb'> {
  readonly connect: () => Promise<DuckDBConnection>;
  readonly threads: Pick<ReadThreads, 'withAll'>;
  readonly writes: WriteActivity;
  readonly rows: Pick<TableRows, 'of' | 'refresh'>;
  readonly states: ReadonlyMap<string, SourceState>;
  /** True while exports read rows by their numbers. */
  readonly isExporting: () => boolean;
  readonly onProblem: (message: string, cause: unknown) => void;
  /** DuckDB refuses to read sealed days until a new process opens them. */
  readonly onBroken: () => void;
  readonly freeBytes: () => Promise<number>;
  /** Makes a checkpoint of the file of the open parts. */
  readonly checkpoint: () => Promise<void>;
  /** Free room of that file from which it is given back. @default 64 MiB */
  readonly leastFreeBytes?: number;
}

export class Sealer {
  private readonly quiet = new QuietDays();
  private readonly closed = new AbortController();
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<unknown> = Promise.resolve();
  private progress: SealState['running'] = null;
  private failures = 0;
  /** Times of the next attempts for parts whose seal has failed, by table. */
  private readonly retryAtMs = new Map<string, number>();
  /** Causes of the last failures, by source. */
  private readonly faults = new Map<string, SealFault>();
  /** Parts that cannot be sealed, by table. */
  private readonly skipped = new Set<string>();
  /** Time at which the file was last made as small as possible. */
  private roomGivenMs = 0;
  /** When that is tried again, after the disk was too full for it; null: it was not. */
  private roomRetryMs: number | null = null;
  /** Days that this process has sealed, and how many these were when the file had too little free room. */
  private sealedDays = 0;
  private sealedWithoutRoom: number | null = null;
  /** Days that were sealed, or not, to give room back, as source and day; null: no room is being given back. */
  private tried: Set<string> | null = null;

  constructor(private readonly parts: SealerParts) {}

  /** @param quietMs time without new events after which a past day is sealed */
  start(quietMs: number): void {
    const pollMs = Math.min(LONGEST_POLL_MS, Math.max(1000, quietMs / 4));
    const poll = async (): Promise<void> => {
      await this.sealQuietDays(quietMs).catch((error: unknown) => this.failed(error));
      if (!this.closed.signal.aborted) this.timer = setTimeout(() => void poll(), pollMs).unref();
    };
    void poll();
  }

  state(): SealState {
    const { states } = this.parts;
    const sources = [...states.values()].map((state) => ({
      source: state.source.name,
      days: storedDays(state).length,
      sealed: storedDays(state).filter((day) => state.sealed.has(day) && !state.parts.has(day)).length,
      fault: this.faults.get(state.source.name) ?? null,
    }));
    return { sources, running: this.progress, failures: this.failures };
  }

  /** True while the events of a day are written. */
  get isSealing(): boolean {
    return this.progress !== null;
  }

  /**
   * Seals the oldest past day with an open part; after many, also today's events so far, if this gives their room back.
   * The signal stops it, without effect.
   * @returns null if no day is left. @throws ServiceError `backend_unavailable` with `reason: exports_running`
   */
  async sealNext(signal: AbortSignal): Promise<SealedDay | null> {
    if (this.parts.isExporting()) throw exportsRunning();
    const sealFirst = async (connection: DuckDBConnection): Promise<SealedDay | null> => {
      // An operator may have made room.
      if (this.roomRetryMs !== null) this.roomRetryMs = 0;
      for (const day of this.openDays()) {
        const sealed = await this.seal(connection, day, signal);
        if (sealed !== null) return sealed;
      }
      return this.giveRoomBack(connection, signal);
    };
    // An operator waits for it; days that are sealed by themselves take one thread.
    return this.parts.threads.withAll(() => this.run(sealFirst));
  }

  /** Interrupts a seal, and waits for its end. */
  async close(): Promise<void> {
    if (this.timer !== null) clearTimeout(this.timer);
    this.closed.abort(new ServiceError('backend_unavailable', 'the store is closed'));
    await this.running;
  }

  private async sealQuietDays(quietMs: number): Promise<void> {
    const { rows } = this.parts;
    await rows.refresh();
    await this.run(async (connection) => {
      const rowsOf = (table: string): number => rows.of(table);
      const days = await this.quiet.find(connection, this.openDays(), rowsOf, Date.now(), quietMs);
      for (const day of days) {
        if (this.parts.isExporting()) return;
        if (Date.now() < (this.retryAtMs.get(day.part.table) ?? 0)) continue;
        await this.seal(connection, day, this.closed.signal).catch((error: unknown) => {
          // The other days do not wait for this one.
          this.retryAtMs.set(day.part.table, Date.now() + RETRY_MS);
          this.failed(error);
        });
        await delay(PAUSE_BETWEEN_DAYS_MS, undefined, { signal: this.closed.signal });
      }
      while (!this.parts.isExporting() && (await this.giveRoomBack(connection, this.closed.signal)) !== null)
        await delay(PAUSE_BETWEEN_DAYS_MS, undefined, { signal: this.closed.signal });
    });
  }

  /**
   * After many days were sealed: seals what is left in the file, one day each time, and then shortens it. A part that
   * cannot be sealed now, such as one that gets many events, stays where it is, and so do events that come after the
   * seal of their day.
   * @returns null if nothing is left to do
   */
  private async giveRoomBack(connection: DuckDBConnection, signal: AbortSignal): Promise<SealedDay | null> {
    const { states, alone } = this.parts;
    const isDue =
      this.roomRetryMs === null
        ? areManyLatelySealed(states.values(), this.roomGivenMs, Date.now())
        : Date.now() >= this.roomRetryMs;
    if (!isDue) return null;
    if (this.sealedDays === this.sealedWithoutRoom) return null;
    try {
      if (this.tried === null && !(await this.hasRoomToGive(connection, signal))) {
        // Not the end of it: an operator may be sealing the other days.
        this.sealedWithoutRoom = this.sealedDays;
        this.roomRetryMs = null;
        return null;
      }
      this.tried ??= new Set();
      for (const open of allOpenDays(states.values())) {
        const day = `${open.state.source.name} ${open.part.day}`;
        if (this.tried.has(day) || this.skipped.has(open.part.table)) continue;
        this.tried.add(day);
        const sealed = await this.seal(connection, open, signal);
        if (sealed !== null) return sealed;
      }
      for (let left = SHORTEN_TRIES; left > 0 && (await alone(moveOtherTables)); left--) {
        await this.checkpoint(signal);
        if (!(await isMostlyFree(connection, this.leastFreeBytes))) break;
        await delay(CHECKPOINT_RETRY_MS, undefined, { signal });
      }
    } catch (error) {
      if (signal.aborted) throw error;
      // A query that began before a seal: it is tried again.
      if (isBusy(error)) return null;
      this.failed(error);
      if (isWithoutRoom(error) || isDiskFull(error)) {
        this.roomRetryMs = Date.now() + RETRY_MS;
        this.tried = null;
        return null;
      }
    }
    this.roomGivenMs = Date.now();
    this.roomRetryMs = null;
    this.tried = null;
    return null;
  }

  private async hasRoomToGive(connection: DuckDBConnection, signal: AbortSignal): Promise<boolean> {
    await this.checkpoint(signal);
    return isMostlyFree(connection, this.leastFreeBytes);
  }

  private get leastFreeBytes(): number {
    return this.parts.leastFreeBytes ?? LEAST_FREE_BYTES;
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

  private openDays(): readonly OpenDay[] {
    return openDays(this.parts.states.values(), Date.now()).filter(({ part }) => !this.skipped.has(part.table));
  }

  private async seal(connection: DuckDBConnection, open: OpenDay, signal: AbortSignal): Promise<SealedDay | null> {
    const { state, part } = open;
    // Dropped or sealed since it was found.
    if (state.parts.get(part.day)?.table !== part.table) return null;
    const stop = AbortSignal.any([signal, this.closed.signal]);
    const interrupt = (): void => connection.interrupt();
    stop.addEventListener('abort', interrupt, { once: true });
    const unreadable: unknown[] = [];
    const facts = { source: state.source.name, day: part.day };
    const pause = pauser(stop);
    try {
      this.progress = { ...facts, rows: 0 };
      await ensureRoom(connection, state, part.day, this.parts.freeBytes);
      const day = await dayUnderSeal(connection, state, part.day, Date.now(), pause);
      if (day === null) {
        this.skipped.add(part.table);
        return null;
      }
      const rows = await sealDay(connection, day, {
        ...this.parts,
        signal: stop,
        pause,
        onRows: (done) => (this.progress = { ...facts, rows: done }),
        onUnreadable: (error) => void unreadable.push(error),
      });
      if (unreadable.length > 0) this.becameUnreadable(state.source.name, unreadable[0]);
      else if (rows !== null) this.faults.delete(state.source.name);
      if (rows === null) return null;
      this.sealedDays++;
      return { ...facts, rows };
    } catch (error) {
      if (!stop.aborted) this.faults.set(state.source.name, faultOf(error));
      if (isInvalidated(error)) this.parts.onBroken();
      throw isDiskFull(error) ? diskFull(error) : translateError(error, stop.aborted);
    } finally {
      this.progress = null;
      stop.removeEventListener('abort', interrupt);
    }
  }

  /** One task at a time, on a connection of its own. */
  private run<T>(task: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    const runOnConnection = async (): Promise<T> => {
      this.closed.signal.throwIfAborted();
      const connection = await this.parts.connect();
      try {
        return await task(connection);
      } finally {
        connection.closeSync();
      }
    };
    const done = this.running.then(() => this.parts.writes.during(runOnConnection));
    this.running = done.catch(() => undefined);
    return done;
  }

  private failed(error: unknown): void {
    if (this.closed.signal.aborted) return;
    this.failures++;
    const cause = isDiskFull(error) || isWithoutRoom(error) ? 'the disk is full: ' : '';
    this.parts.onProblem(`${cause}a day cannot be sealed now; its events stay where they are`, error);
  }

  private becameUnreadable(source: string, error: unknown): void {
    this.failed(error);
    this.faults.set(source, faultOf(error));
    this.parts.onBroken();
  }
}

function faultOf(error: unknown): SealFault {
  if (isDiskFull(error) || isWithoutRoom(error)) return 'disk_full';
  return isOutOfMemory(error) ? 'memory' : 'other';
}

function exportsRunning(): ServiceError {
  return new ServiceError('backend_unavailable', 'A backup is being made: seal the days after it.', {
    reason: 'exports_running',
  });
}
