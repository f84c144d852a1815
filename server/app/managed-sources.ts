/** Sources of the API, served and changed. */
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import { ServiceError } from '#contract/errors';
import type { Source } from '#contract/events/source';
import { createRateLimiter } from '../admission/rate-limiter';
import type { QueryCache } from '../cache/query-cache';
import type { Definitions } from '../catalog/definitions/definitions';
import type { ApiSource, Sources } from '../catalog/definitions/sources';
import type { SavedQueries } from '../catalog/saved-queries/saved-queries';
import { ManagedSources, MAX_LISTED, sourceInUse } from '../catalog/sources/managed-sources';
import type { ServedSources } from '../catalog/sources/read-sources';
import type { Clock } from '../common/clock';
import { type EngineClient, TABLES_MS } from '../engine/client/engine-client';
import type { ActiveListeners } from '../ingest/syslog/settings/active-listeners';

interface Parts {
  readonly engine: EngineClient;
  readonly definitions: Definitions;
  readonly sources: Sources;
  readonly savedQueries: SavedQueries;
  readonly queryCache: QueryCache;
  readonly listeners: ActiveListeners;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Calls wait while the store is opened with changed sources. */
const MAX_REOPENED_PER_MINUTE = 10;

export function createManagedSources({ repository, heads, cursor }: ServedSources, parts: Parts): ManagedSources {
  const { engine, sources, savedQueries, clock, logger } = parts;
  const reopened = createRateLimiter(1, () => clock.monotonicMs());
  return new ManagedSources({
    repository,
    heads,
    cursor,
    sources,
    open: (next) => openWith(next, parts),
    ensureListenersStore: (next) => ensureListenersStore(next, parts),
    admitReopening: () => {
      const { isAllowed, resetSeconds } = reopened.take('store', MAX_REOPENED_PER_MINUTE);
      if (isAllowed) return;
      throw new ServiceError(
        'rate_limited',
        `Sources may be changed or deleted ${MAX_REOPENED_PER_MINUTE} times a minute, because calls wait meanwhile.`,
        { reason: 'changes', max_requests: MAX_REOPENED_PER_MINUTE, retry_after_seconds: resetSeconds }
      );
    },
    settle: async (source) => {
      await engine.call('prepareSource', { source, isStored: true }, { timeoutMs: TABLES_MS });
    },
    dropEvents: (source) => engine.dropEvents(source),
    readersOf: async (source) => (await readersOf(source, parts)).map(({ name }) => name),
    exclusively: (work) => savedQueries.exclusively(work),
    onProblem: (error, place) => logger.error({ err: error, place }, 'a changed source cannot be stored or served'),
    monotonicMs: () => clock.monotonicMs(),
  });
}

/** A sender of syslog messages does not learn that they are refused, and the next start would fail. */
function ensureListenersStore(next: readonly ApiSource[], { listeners, sources }: Parts): void {
  const failing = new Set(listeners.failingWith(sources.all));
  const [first, ...others] = listeners.failingWith([...sources.ofFiles, ...next]).filter((name) => !failing.has(name));
  if (first === undefined) return;
  throw new ServiceError('source_in_use', `The syslog listener "${first}" could not store its messages.`, {
    listeners: [first, ...others].slice(0, MAX_LISTED),
    hint: 'change or remove the listener in the file of LQE_SYSLOG_FILE, and restart the server first',
  });
}

/** A further source is added while calls go on; for other changes the store is opened again, and calls wait. */
async function openWith(next: readonly ApiSource[], parts: Parts): Promise<void> {
  const { engine, sources } = parts;
  const { ofApi: former } = sources;
  const kept = former.every((source) => next.some((other) => isDeepStrictEqual(other, source)));
  const changed = next.filter((source) => !former.some((other) => isDeepStrictEqual(other, source)));
  if (kept) {
    for (const source of changed) await engine.addSource(source);
  } else {
    for (const source of changed)
      await engine.call('prepareSource', { source, isStored: false }, { timeoutMs: TABLES_MS });
    await reopen(next, changed, parts);
  }
  sources.replace({ ofApi: next });
}

async function reopen(next: readonly ApiSource[], changed: readonly ApiSource[], parts: Parts): Promise<void> {
  const { engine, sources, definitions, queryCache } = parts;
  const ofApi = definitions.ofOrigin('api');
  const readers = new Set<string>();
  for (const source of changed) for (const { id } of await readersOf(source, parts)) readers.add(id);
  const { failures } = await engine.reopen([...sources.ofFiles, ...next], {
    definitions: [...definitions.ofOrigin('file'), ...ofApi.filter(({ id }) => readers.has(id))],
    stored: ofApi.filter(({ id }) => !readers.has(id)),
    former: definitions.all,
  });
  if (failures.length > 0) {
    const failed = failures.map(({ endpointId }) => definitions.find(endpointId)?.name ?? endpointId);
    const { message, details } = failures[0]!.error;
    const { hint, ...inUse } = sourceInUse(changed[0] ?? { name: '' }, failed).details;
    throw new ServiceError('source_in_use', `The saved query "${failed[0]}" would fail: ${message}`, {
      ...inUse,
      hint: details.hint ?? hint,
    });
  }
  for (const { id } of definitions.all) queryCache.forget(id);
}

async function readersOf({ name }: Source, { engine, definitions }: Parts) {
  const { endpointIds } = await engine.call('readers', { source: name });
  return definitions.all.filter(({ id }) => endpointIds.includes(id));
}
