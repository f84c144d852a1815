/** Permits of the server, by kind of work. */
import { Semaphore } from '../admission/semaphore';
import type { Config, PermitLimits } from '../config';

export interface ServerPermits {
  readonly runPermits: Semaphore;
  readonly ingestPermits: Semaphore;
  /** Permits of changes of saved queries and tokens. */
  readonly changePermits: Semaphore;
  /** Permits of descriptions of saved queries. */
  readonly describePermits: Semaphore;
  /** Permits of OpenAPI documents with saved queries. */
  readonly documentPermits: Semaphore;
}

export function createPermits({ runPermits, ingest, store }: Config): ServerPermits {
  return {
    runPermits: new Semaphore(runPermits),
    ingestPermits: new Semaphore(ingestPermitLimits(ingest.maxRunning[store])),
    changePermits: new Semaphore(CHANGE_PERMITS),
    describePermits: new Semaphore(DESCRIBE_PERMITS),
    documentPermits: new Semaphore(DOCUMENT_PERMITS),
  };
}

/** Changes are stored one after another; a token waits for its own and for one of another token. */
const CHANGE_PERMITS = permitLimits({ maxRunning: 4, maxRunningPerToken: 1, maxWaiting: 128, maxWaitingPerToken: 32 });

/** The engine compiles in one thread, for each description. */
const DESCRIBE_PERMITS = permitLimits({
  maxRunning: 2,
  maxRunningPerToken: 1,
  maxWaiting: 256,
  maxWaitingPerToken: 64,
});

/** A document may have hundreds of descriptions, and megabytes. */
const DOCUMENT_PERMITS = permitLimits({
  maxRunning: 4,
  maxRunningPerToken: 1,
  maxWaiting: 128,
  maxWaitingPerToken: 32,
});

/** Limits of work that has a single lane. */
function permitLimits(
  limits: Pick<PermitLimits, 'maxRunning' | 'maxRunningPerToken' | 'maxWaiting' | 'maxWaitingPerToken'>
): PermitLimits {
  const { maxRunning } = limits;
  return {
    ...limits,
    maxRunningAdhoc: maxRunning,
    maxRunningChecks: maxRunning,
    maxRunningBackground: maxRunning,
  };
}

const WAITING_PER_PERMIT = 32;

/**
 * One token may take at most half of the permits and half of the queue. `BodyBudget` bounds waiting requests in bytes,
 * too.
 */
function ingestPermitLimits(maxRunning: number): PermitLimits {
  const maxWaiting = maxRunning * WAITING_PER_PERMIT;
  return permitLimits({
    maxRunning,
    maxRunningPerToken: Math.max(1, Math.floor(maxRunning / 2)),
    maxWaiting,
    maxWaitingPerToken: maxWaiting / 2,
  });
}
