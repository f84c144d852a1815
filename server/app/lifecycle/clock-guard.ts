/**
 * Pauses deletions by age while the clock is far ahead of the last time that was known: with a wrong clock, stored
 * events and the audit trail would be deleted too early.
 */
import type { StoredSource } from '#contract/queries/description';
import type { Logger } from 'pino';
import type { Sources } from '../../catalog/definitions/sources';
import type { Clock } from '../../common/clock';
import { readKnownTime, writeKnownTime } from '../../common/data-folder/known-time';
import type { EngineClient } from '../../engine/client/engine-client';

const DAY_MS = 86_400_000;
/** A server may be stopped for this long. */
const MAX_AHEAD_MS = 7 * DAY_MS;
/** Before this service was written: a machine whose clock stands still while it is off begins years earlier. */
const EARLIEST = new Date('2026-01-01');
const SOURCES_TIMEOUT_MS = 60_000;

export interface PausedDeletions {
  readonly knownTime: Date;
  readonly aheadDays: number;
}

export interface ClockGuardParts {
  readonly dataDir: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly engine: Pick<EngineClient, 'call'>;
  readonly sources: Pick<Sources, 'all'>;
  readonly logger: Pick<Logger, 'error'>;
}

export class ClockGuard {
  private current: PausedDeletions | null = null;

  constructor(private readonly parts: ClockGuardParts) {}

  /** Days that would be deleted are kept; null: deletions by age may run, or there are no such days. */
  get paused(): PausedDeletions | null {
    return this.current;
  }

  /** Whether deletions by age may run now. @throws ServiceError when the store does not answer */
  async mayDelete(): Promise<boolean> {
    const now = this.parts.clock.now();
    const noted = await readKnownTime(this.parts.dataDir);
    const known = noted ?? newestEvent(await this.storedSources());
    const aheadMs = known === null ? 0 : now.getTime() - known.getTime();
    if (known !== null && aheadMs > MAX_AHEAD_MS) {
      const isAnyOld = this.isAnyOld(await this.storedSources(), now);
      this.current = isAnyOld ? { knownTime: known, aheadDays: Math.floor(aheadMs / DAY_MS) } : null;
      return false;
    }
    this.current = null;
    const latest = known !== null && known > now ? known : now;
    // Also for an empty store: events that are imported into it may be old. A clock that was set back is right again
    // after a jump ahead.
    if (latest > EARLIEST && (noted === null || aheadMs > 0)) await this.note(latest);
    return true;
  }

  private async storedSources(): Promise<readonly StoredSource[]> {
    const { sources } = await this.parts.engine.call('sources', {}, { timeoutMs: SOURCES_TIMEOUT_MS });
    return sources;
  }

  /** Whether days of any source are beyond its retention at this time. */
  private isAnyOld(stored: readonly StoredSource[], now: Date): boolean {
    const retentions = new Map(this.parts.sources.all.map(({ name, retention_days: days }) => [name, days]));
    return stored.some(({ name, oldestMicros }) => {
      const days = retentions.get(name);
      if (days === undefined || oldestMicros === null) return false;
      const endOfDay = (Math.floor(oldestMicros / 1000 / DAY_MS) + 1) * DAY_MS;
      return endOfDay <= now.getTime() - days * DAY_MS;
    });
  }

  /** A full disk must not stop the deletions that make room. */
  private async note(time: Date): Promise<void> {
    await writeKnownTime(this.parts.dataDir, time).catch((error: unknown) => {
      this.parts.logger.error({ err: error }, 'the time of the last deletions by age could not be written');
    });
  }
}

/** Null: no event is stored. */
function newestEvent(stored: readonly StoredSource[]): Date | null {
  const times = stored.flatMap(({ newestMicros }) => newestMicros ?? []);
  return times.length === 0 ? null : new Date(Math.max(...times) / 1000);
}

/** For operators, in the log and in the readiness. */
export function describePause({ knownTime, aheadDays }: PausedDeletions): string {
  return (
    `The clock is ${aheadDays} days ahead of the last known time, ${knownTime.toISOString()}, so nothing is deleted by age. ` +
    'Correct the clock, or run "lqe store confirm-clock" if it is right.'
  );
}
