/** Seals past days in the background, one at a time, with a pause after each piece of work as long as the work was. */
import { setTimeout as delay } from 'node:timers/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { SealedDay, SealFault, SealState } from '#contract/control';
import { ServiceError } from '#contract/errors';
import type { ReadThreads } from '../file/read-threads';
import {
  diskFull,
  isDiskFull,
  isInvalidated,
  isOutOfMemory,
  isDiskFullError,
  translateError,
} from '../statements/store-errors';
import { storedDays } from '../tables/stored-parts';
import type { TableRows } from '../file/table-rows';
import type { WriteActivity } from '../file/write-activity';
import { pauser } from '../file/work-pauses';
import { dayUnderSeal } from './day-under-seal';
import { ensureSpace } from './ensure-space';
import { allOpenDays, type OpenDay, openDays, QuietDays } from './quiet-days';
import { SpaceReclaimer, type SpaceReclaimerParts } from './space-reclaimer';
import { sealDay, type SealOptions } from './seal-day';

/** Between two days: a query that was compiled before a seal is compiled once more after it. */
const PAUSE_BETWEEN_DAYS_MS = 250;
const LONGEST_POLL_MS = 60_000;
const RETRY_MS = 3_600_000;

export interface SealerParts
  extends
    Pick<SealOptions, 'alone' | 'replaceParts' | 'onReplaced' | 'memoryLimitMb'>,
    Pick<SpaceReclaimerParts, 'states' | 'checkpoint' | 'leastFreeBytes'> {
  readonly connect: () => Promise<DuckDBConnection>;
  /** Resolves when every batch acknowledged before is in the tables. */
  readonly catchUp: () => Promise<void>;
  readonly threads: Pick<ReadThreads, 'withAll'>;
  readonly writes: WriteActivity;
  readonly rows: Pick<TableRows, 'of' | 'refresh'>;
  /** True while exports read rows by their numbers. */
  readonly isExporting: () => boolean;
  readonly onProblem: (message: string, cause: unknown) => void;
  /** DuckDB refuses to read sealed days until a new process opens them. */
  readonly onBroken: () => void;
  readonly freeBytes: () => Promise<number>;
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
  /** Returns the space of sealed days to the file system. */
  private readonly reclaimer: SpaceReclaimer;

  constructor(private readonly parts: SealerParts) {
    this.reclaimer = new SpaceReclaimer({
      ...parts,
      openDays: () => this.withoutSkipped(allOpenDays(parts.states.values())),
      seal: (connection, open, signal) => this.seal(connection, open, signal),
      onFailure: (error) => this.failed(error),
    });
  }

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
   * Seals the oldest past day with an open part; after many, also today's events so far, if this returns their space.
   * The signal stops it, without effect.
   * @returns null if no day is left. @throws ServiceError `backend_unavailable` with `reason: exports_running`
   */
  async sealNext(signal: AbortSignal): Promise<SealedDay | null> {
    if (this.parts.isExporting()) throw exportsRunning();
    // A day whose events are in the journal only has no part yet.
    await this.parts.catchUp();
    const sealFirst = async (connection: DuckDBConnection): Promise<SealedDay | null> => {
      // An operator may have freed disk space.
      this.reclaimer.retryNow();
      for (const day of this.openDays()) {
        const sealed = await this.seal(connection, day, signal);
        if (sealed !== null) return sealed;
      }
      return this.reclaimer.next(connection, signal);
    };
    // An operator waits for it; days that are sealed by themselves take one thread.
    return this.parts.threads.withAll(() => this.run(sealFirst));
  }

  /** Interrupts a seal, and waits for its end. */
  async close(): Promise<void> {
    if (this.timer !== null) clearTimeout(this.timer);
    this.closed.abort(new ServiceError('backend_unavailable', 'The store is closed.'));
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
      while (!this.parts.isExporting() && (await this.reclaimer.next(connection, this.closed.signal)) !== null)
        await delay(PAUSE_BETWEEN_DAYS_MS, undefined, { signal: this.closed.signal });
    });
  }

  private openDays(): readonly OpenDay[] {
    return this.withoutSkipped(openDays(this.parts.states.values(), Date.now()));
  }

  private withoutSkipped(days: readonly OpenDay[]): readonly OpenDay[] {
    return days.filter(({ part }) => !this.skipped.has(part.table));
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
      await ensureSpace(connection, state, part.day, this.parts.freeBytes);
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
      this.reclaimer.countSealedDay();
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
    const cause = isDiskFull(error) || isDiskFullError(error) ? 'the disk is full: ' : '';
    this.parts.onProblem(`${cause}a day cannot be sealed now; its events stay where they are`, error);
  }

  private becameUnreadable(source: string, error: unknown): void {
    this.failed(error);
    this.faults.set(source, faultOf(error));
    this.parts.onBroken();
  }
}

function faultOf(error: unknown): SealFault {
  if (isDiskFull(error) || isDiskFullError(error)) return 'disk_full';
  return isOutOfMemory(error) ? 'memory' : 'other';
}

function exportsRunning(): ServiceError {
  return new ServiceError('backend_unavailable', 'A backup is being made: seal the days after it.', {
    reason: 'exports_running',
  });
}
