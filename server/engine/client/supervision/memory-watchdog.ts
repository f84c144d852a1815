/** Samples the engine's resident memory from the server, and ends the process when it exceeds the budget. */
import { READ_LESS, ServiceError } from '#contract/errors';
import type { EngineSupervisor, EngineLogger } from './engine-supervisor';
import { memoryCulprit } from '../blame/culprits';
import { type CallLink, MAX_ATTEMPTS, type PendingCall } from '../pending-call';
import type { Penalties } from '../blame/penalties';
import { residentBytes } from './resident-memory';

export interface WatchdogSettings {
  /** @default `residentBytes`; null keeps the last value, which the engine may have reported. */
  readonly measure?: (pid: number) => number | null;
  readonly keeper: Pick<EngineSupervisor, 'link' | 'end'>;
  readonly penalties: Penalties;
  readonly budgetBytes: number;
  readonly logger: EngineLogger;
}

const SAMPLE_MS = 50;
/** Minimum lifetime of an idle process that exceeds its budget, so that it is not restarted in a loop. */
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

function judge({ keeper, penalties, logger }: WatchdogSettings, link: CallLink): void {
  const culprit = memoryCulprit(link.inFlight.values(), link.rssBytes, ({ owner }) => owner?.isAdhoc ?? false)?.owner;
  if (!culprit && performance.now() - link.openedAt < MIN_LIFE_MS) return;
  if (culprit) penalties.blame(culprit, link.inFlight.values(), 'memory');
  if (culprit?.fingerprint && !mayTryAgain(culprit)) {
    culprit.verdict = new ServiceError('resource_limit', 'The run passed its memory limit.', {
      reason: 'memory',
      hint: READ_LESS,
    });
    penalties.refuse(culprit, culprit.verdict);
  }
  const facts = {
    rssBytes: link.rssBytes,
    kind: culprit?.kind ?? 'idle',
    endpointId: culprit?.endpointId ?? null,
    token_id: culprit?.owner ?? null,
    trace_id: culprit?.traceId ?? null,
  };
  logger.warn(facts, 'the engine process passed its memory budget and is ended');
  keeper.end(link, 'memory');
}

/**
 * The text of a saved query was reviewed: a batch that was acknowledged and is being stored is the likelier cause, and
 * nothing tells it from the run. Only a run that needs the memory again is refused.
 */
function mayTryAgain({ workKind, attempts }: PendingCall): boolean {
  return workKind === null && attempts < MAX_ATTEMPTS;
}
