/** Finds the calls to blame when the engine process has to be ended. Pure functions of facts about running calls. */
import type { InFlightCall, RunProgress } from '../supervision/engine-link';

type Runner<T> = InFlightCall<T> & { readonly progress: RunProgress };

/**
 * Growth that makes a run a suspect, as a share of the memory in use. With less, the memory was taken before the run
 * started: by a batch, which needs most of it after its acknowledgment.
 */
const LEAST_GROWTH_SHARE = 1 / 16;

/**
 * Culprit when the process is over its memory budget: among the runs whose time saw at least half of the largest
 * growth, the one that started last. A query that merely runs beside the hungry one for long saw the growth too, and a
 * query that started after it saw little. Ad-hoc text comes before saved queries, and runs before every other call.
 */
export function memoryCulprit<T>(
  calls: Iterable<InFlightCall<T>>,
  rssBytes: number,
  isAdhoc: (call: InFlightCall<T>) => boolean
): InFlightCall<T> | null {
  const all = [...calls];
  const growth = (call: Runner<T>): number => rssBytes - call.progress.rssAtStart;
  const runners = all.filter(isRunning).filter((call) => growth(call) >= rssBytes * LEAST_GROWTH_SHARE);
  const adhoc = runners.filter(isAdhoc);
  const suspects = adhoc.length > 0 ? adhoc : runners;
  if (suspects.length === 0) return all.find(({ kind }) => kind === 'ingest') ?? null;
  const half = Math.max(...suspects.map(growth)) / 2;
  return latest(
    suspects.filter((call) => growth(call) >= half),
    ({ progress }) => progress.startedAt
  );
}

/** Facts about a crash suspect. */
interface SuspectFacts {
  /** Text of a caller, which has not been reviewed. */
  readonly isText: boolean;
  /** It was a suspect of an earlier process end, too. */
  readonly isRepeated: boolean;
}

/**
 * Suspects when the process ended by itself: running texts of callers, and batches; of these, suspects of an earlier
 * end come first. Saved queries are no suspects: their texts are reviewed.
 */
export function crashSuspects<T>(
  calls: Iterable<InFlightCall<T>>,
  factsOf: (call: InFlightCall<T>) => SuspectFacts
): readonly InFlightCall<T>[] {
  const suspects = [...calls].filter(
    (call) => call.kind === 'ingest' || (factsOf(call).isText && (call.kind !== 'run' || isRunning(call)))
  );
  const repeated = suspects.filter((call) => factsOf(call).isRepeated);
  return repeated.length > 0 ? repeated : suspects;
}

/** Culprit when the engine's thread is blocked: the run that took the thread last. Null when no run holds it. */
export function threadHolder<T>(calls: Iterable<InFlightCall<T>>): InFlightCall<T> | null {
  const holders = [...calls].filter(isRunning).filter(({ progress }) => progress.stage !== 'db');
  return latest(holders, ({ progress }) => progress.stageAt);
}

function isRunning<T>(call: InFlightCall<T>): call is Runner<T> {
  return call.progress !== null;
}

function latest<C>(calls: readonly C[], time: (call: C) => number): C | null {
  return calls.reduce<C | null>((best, call) => (best === null || time(call) > time(best) ? call : best), null);
}
