/**
 * Runs in flight: equal requests join one run. A completed run is stored in memory and shared with other servers,
 * unless its saved query was purged while it ran.
 */
import type { CachedResult, CachedRun, EntryTarget } from './cached-result';
import type { Run } from './run';
import type { SharedResults, SharedSlot } from './shared-results';
import { type FlightHandle, SingleFlight, type Subscription } from './single-flight';

/** Result of a run before it is stored. */
export interface CompletedRun {
  readonly run: Run;
  /** True when another server ran it. */
  readonly isShared: boolean;
  /** Slot of the shared entry; null: not shared. */
  readonly slot: SharedSlot | null;
}

/** Outcome of one run for all its subscribers. */
export interface RunOutcome extends Pick<CompletedRun, 'isShared'>, Pick<Run, 'result'> {
  /** Cache entry of the result; null when it is not cached. */
  readonly entry: CachedResult | null;
}

export interface FlightStart {
  readonly owner: string;
  /** Starts a new run even when an equal one is in flight. */
  readonly forceNew?: boolean;
  /** Whether to join a run of this owner that has no permit yet. @default true */
  readonly mayWaitFor?: (owner: string) => boolean;
  /** @param signal aborts when the last subscriber has left @param begin called when the run has its permit */
  readonly start: (signal: AbortSignal, begin: () => void) => Promise<CompletedRun>;
}

export interface RunFlightsSettings {
  /** Stores a run in memory. @returns the entry; null when it is not cached */
  readonly store: (run: CachedRun) => CachedResult | null;
  /** Null: results are not shared with other servers. */
  readonly shared: SharedResults | null;
}

export class RunFlights {
  private readonly flights = new SingleFlight<RunOutcome>();

  constructor(private readonly settings: RunFlightsSettings) {}

  isRunning(key: string): boolean {
    return this.flights.isRunning(key);
  }

  /** Joins the run in flight of this target, or starts one. @param signal aborts when the subscriber leaves */
  join(target: EntryTarget, flight: FlightStart, signal: AbortSignal): Subscription<RunOutcome> {
    const { owner, forceNew, mayWaitFor, start } = flight;
    const request = {
      key: target.key,
      group: target.queryRequest.endpointId,
      owner,
      forceNew,
      mayWaitFor,
      start: (handle: FlightHandle) =>
        this.settle(
          target,
          start(handle.signal, () => handle.begin()),
          handle
        ),
    };
    return this.flights.join(request, signal);
  }

  /** Results of the saved query's runs in flight are not stored, and later requests do not join them. */
  forget(endpointId: string): void {
    this.flights.forget(endpointId);
  }

  private async settle(
    target: EntryTarget,
    completing: Promise<CompletedRun>,
    handle: FlightHandle
  ): Promise<RunOutcome> {
    const { run, isShared, slot } = await completing;
    const { result, executedAt } = run;
    // Results purged while the run was in flight are not cached.
    if (!handle.isCurrent()) return { result, entry: null, isShared };
    if (slot) void this.settings.shared?.keep(slot, run);
    return { result, entry: this.settings.store({ ...target, result, executedAt }), isShared };
  }
}
