/** Watches the engine's resident memory from the server, and ends the process when it passes the budget. */
import { ServiceError } from '#contract/errors';
import type { EngineKeeper, EngineLogger } from './engine-keeper';
import { memoryOffender } from './offenders';
import type { CallLink } from './pending-call';
import type { Refusals } from './refusals';
import { residentBytes } from './resident-memory';

export interface WatchdogSettings {
  /** @default `residentBytes`; null leaves the last value, which the engine may have told itself. */
  readonly measure?: (pid: number) => number | null;
  readonly keeper: Pick<EngineKeeper, 'link' | 'end'>;
  readonly refusals: Refusals;
  readonly budgetBytes: number;
  readonly logger: EngineLogger;
}

const SAMPLE_MS = 50;
/** A process that is over its budget with nothing to do is started again, but not over and over. */
const MIN_LIFE_MS = 10_000;

/** @returns a function that stops it. */
export function startMemoryWatchdog(settings: WatchdogSettings): () => void {
  const { measure = residentBytes } = settings;
  const timer = setInterval(() => {
    const { link } = settings.keeper;
    if (!link) return;
    link.rssBytes = measure(link.pid) ?? link.rssBytes;
    if (link.rssBytes > settings.budgetBytes) judge(settings, link);
  }, SAMPLE_MS);
  timer.unref();
  return () => clearInterval(timer);
}

function judge({ keeper, refusals, logger }: WatchdogSettings, link: CallLink): void {
  const offender = memoryOffender(link.inFlight.values(), link.rssBytes, ({ owner }) => owner?.isAdhoc ?? false)?.owner;
  if (!offender && performance.now() - link.openedAt < MIN_LIFE_MS) return;
  if (offender?.fingerprint) {
    offender.verdict = memoryVerdict('The run passed its memory limit.');
    refusals.add(offender.fingerprint, offender.verdict);
  } else if (offender) {
    // A batch is tried once more: what filled the memory may have been left by others.
    offender.memoryStrikes += 1;
    if (offender.memoryStrikes > 1) offender.verdict = memoryVerdict('The batch passed the memory limit.');
  }
  const facts = {
    rssBytes: link.rssBytes,
    kind: offender?.kind ?? 'idle',
    endpointId: offender?.endpointId ?? null,
    trace_id: offender?.traceId ?? null,
  };
  logger.warn(facts, 'the engine process passed its memory budget and is ended');
  keeper.end(link, 'memory');
}

function memoryVerdict(message: string): ServiceError {
  return new ServiceError('resource_limit', message, { reason: 'memory' });
}
