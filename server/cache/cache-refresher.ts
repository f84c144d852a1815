/** Refreshes one cached result in the background, unless a client or another server is running it. */
import { ServiceError } from '#contract/errors';
import type { EntryTarget } from './cached-result';
import type { WarmOutcome } from './refresh-schedule';
import type { Run, RunQuery } from './run';
import type { CompletedRun, RunFlights, RunFlightsSettings } from './run-flights';
import type { SharedSlot } from './shared-results';

export interface CacheRefresherSettings extends RunFlightsSettings {
  readonly run: RunQuery;
  readonly flights: RunFlights;
  /** Called after a run, and when the result of another server was taken; must not throw. */
  readonly onOutcome: (target: EntryTarget, outcome: WarmOutcome) => void;
}

/** Owner of background runs. No token has this id. */
const REFRESHER = 'warmer';

export class CacheRefresher {
  constructor(private readonly settings: CacheRefresherSettings) {}

  /**
   * Never rejects.
   * @param stopped aborts when refreshing stops
   * @param isKept false when the result was purged or evicted meanwhile, or refreshing has stopped
   */
  async refresh(target: EntryTarget, stopped: AbortSignal, isKept: () => boolean): Promise<WarmOutcome> {
    const { flights, shared, onOutcome } = this.settings;
    if (flights.isRunning(target.key)) return 'skipped';
    const renewal = await shared?.renew(target);
    if (renewal?.kind === 'elsewhere') return 'skipped';
    if (!isKept()) {
      if (renewal?.kind === 'here') renewal.done();
      return 'skipped';
    }
    if (renewal?.kind === 'found') return this.takeOver(target, renewal.run);
    const outcome = await this.runHere(target, renewal?.slot ?? null, stopped);
    renewal?.done();
    onOutcome(target, outcome);
    return outcome;
  }

  /** Stores the newer result of another server. */
  private takeOver(target: EntryTarget, { result, executedAt }: Run): WarmOutcome {
    const { flights, store, onOutcome } = this.settings;
    if (!flights.isRunning(target.key)) store({ ...target, result, executedAt });
    onOutcome(target, 'shared');
    return 'shared';
  }

  /** Clients may join the run once it has its permit; before that they would wait behind every other run. */
  private async runHere(target: EntryTarget, slot: SharedSlot | null, stopped: AbortSignal): Promise<WarmOutcome> {
    const { run, flights } = this.settings;
    const canceled = new AbortController();
    const onStopped = (): void => canceled.abort(stopped.reason);
    stopped.addEventListener('abort', onStopped, { once: true });
    let isOvertaken = false;
    const onStart = (): void => {
      isOvertaken = flights.isRunning(target.key);
      if (isOvertaken) {
        canceled.abort(new Error('an equal run of a client was faster'));
        return;
      }
      stopped.removeEventListener('abort', onStopped);
      this.announce(target, completing, { stopped, canceled });
    };
    const running = run(target.queryRequest, {
      owner: REFRESHER,
      isBackground: true,
      signal: canceled.signal,
      onStart,
    });
    const completing = running.then((made) => ({ run: made, isShared: false, slot }));
    completing.catch(() => undefined);
    const outcome = await running.then(
      () => 'ok' as const,
      (error: unknown) => (isOvertaken || stopped.aborted || isRefusal(error) ? 'skipped' : 'failed')
    );
    stopped.removeEventListener('abort', onStopped);
    return outcome;
  }

  /**
   * Registers the run as a flight, so that clients join it. The refresher is the first subscriber and leaves only when
   * refreshing stops; clients that have joined by then still get the result.
   */
  private announce(
    target: EntryTarget,
    completing: Promise<CompletedRun>,
    { stopped, canceled }: { readonly stopped: AbortSignal; readonly canceled: AbortController }
  ): void {
    const { flights } = this.settings;
    const start = (signal: AbortSignal, begin: () => void): Promise<CompletedRun> => {
      begin();
      onAbort(signal, () => canceled.abort(signal.reason));
      return completing;
    };
    flights.join(target, { owner: REFRESHER, start }, stopped).outcome.catch(() => undefined);
  }
}

/** Calls the listener at once for a signal that has aborted. */
function onAbort(signal: AbortSignal, listener: () => void): void {
  if (signal.aborted) listener();
  else signal.addEventListener('abort', listener, { once: true });
}

/** The run got no permit. */
function isRefusal(error: unknown): boolean {
  return error instanceof ServiceError && (error.code === 'overloaded' || error.code === 'concurrency_limited');
}
