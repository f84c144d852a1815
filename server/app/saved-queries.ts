/** Saved queries of the API, served and changed. */
import type { Logger } from 'pino';
import type { Semaphore } from '../admission/semaphore';
import type { QueryCache } from '../cache/query-cache';
import type { Amendment, Definitions } from '../catalog/definitions/definitions';
import type { ServedQueries } from '../catalog/saved-queries/read-saved-queries';
import { SavedQueries } from '../catalog/saved-queries/saved-queries';
import type { TokenStore } from '../catalog/tokens/token-store';
import type { EngineClient } from '../engine/client/engine-client';

interface Parts {
  readonly engine: EngineClient;
  readonly definitions: Definitions;
  readonly queryCache: QueryCache;
  readonly runPermits: Semaphore;
  readonly tokens: TokenStore;
  readonly logger: Logger;
}

/** Longest wait for a permit of the check of a text. */
const MAX_WAIT_MS = 10_000;

export function createSavedQueries(served: ServedQueries, parts: Parts): SavedQueries {
  const { engine, definitions, runPermits, tokens, logger } = parts;
  return new SavedQueries({
    ...served,
    definitions,
    tokens,
    compile: async (definition, owner) => {
      const signal = new AbortController().signal;
      const release = await runPermits.acquire({ owner, lane: 'check', waitMs: MAX_WAIT_MS, signal });
      const request = { kind: 'definition', definition, tenant: null, redact: false } as const;
      await engine.call('validate', request, { owner }).finally(release);
    },
    serve: (amendment) => serveAmendment(amendment, parts),
    onProblem: (error, place) =>
      logger.error({ err: error, place }, 'a changed saved query cannot be stored or served'),
  });
}

/** Calls that are bound for the new definition reach the engine after it, also when the engine has just ended. */
async function serveAmendment(amendment: Amendment, { engine, definitions, queryCache, logger }: Parts): Promise<void> {
  await engine.call('amend', amendment).catch((error: unknown) => {
    logger.warn({ err: error }, 'the engine gets a changed saved query with its next start');
  });
  definitions.amend(amendment);
  for (const id of amendment.removed) queryCache.remove(id);
  for (const { id } of amendment.changed) queryCache.forget(id);
}
