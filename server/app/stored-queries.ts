/** Saved queries of the API: read at the start, then served and changed. */
import type { Logger } from 'pino';
import type { Semaphore } from '../admission/semaphore';
import type { QueryCache } from '../cache/query-cache';
import { DefinitionsError } from '../catalog/definitions/definition-problem';
import type { Amendment, Definitions } from '../catalog/definitions/definitions';
import { type OtherDefinition, parseDefinition } from '../catalog/definitions/load-definitions';
import type { RevisionRepository } from '../catalog/revisions/repository';
import type { StoredRevision } from '../catalog/revisions/revision-text';
import { assignedTo } from '../catalog/saved-queries/assigned-fields';
import { SavedQueries } from '../catalog/saved-queries/saved-queries';
import type { TokenStore } from '../catalog/tokens/token-store';
import type { EngineClient } from '../engine/client/engine-client';

/** What a server starts with. */
export interface StoredQueries {
  readonly repository: RevisionRepository;
  readonly heads: readonly StoredRevision[];
  readonly cursor: string;
  readonly definitions: readonly OtherDefinition[];
}

/** @throws DefinitionsError with every revision that cannot be served; CatalogError */
export async function readStoredQueries(repository: RevisionRepository): Promise<StoredQueries> {
  const { heads, unreadable, cursor } = await repository.changesSince(null);
  const problems: DefinitionsError['problems'][number][] = unreadable.flatMap(({ error }) => error.problems);
  const definitions: OtherDefinition[] = [];
  for (const head of heads) {
    if (head.text === null) continue;
    const place = repository.placeOf(head);
    const parsed = parseDefinition({ file: place, text: head.text }, assignedTo(head), true);
    if ('definition' in parsed) definitions.push({ definition: parsed.definition, place });
    else problems.push(...parsed);
  }
  if (problems.length > 0) throw new DefinitionsError(problems);
  return { repository, heads, cursor, definitions };
}

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

export function createSavedQueries(stored: StoredQueries, parts: Parts): SavedQueries {
  const { engine, definitions, runPermits, tokens, logger } = parts;
  return new SavedQueries({
    ...stored,
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
