/**
 * Two stores: one holds the events of one tenant, the other those and the events of another tenant. For any query of
 * the first tenant, both must answer alike.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { QueryRequest } from '#contract/queries/query';
import { type SavedQuery, savedQuerySchema } from '#contract/queries/saved-query';
import { sourceSchema, tenantPlaceOf, type Source } from '#contract/events/source';
import { createPlanCache } from '#server/engine/query/plan-cache';
import { loadSources } from '#server/catalog/definitions/load-sources';
import type { LogStore } from '#server/stores/store';
import { ingestBatch } from './ingest-batch';
import { NOW_MICROS, readDefinition } from '../cases/sql/queries';
import { runSavedQuery } from '../cases/run-saved-query';
import { openStoreUnderTest } from './current';

export const TENANT = 'abcd';
/** In every event of the other tenant, and nowhere else. */
export const VICTIM_MARK = 'VICTIM';

export interface TenantStores {
  readonly own: LogStore;
  readonly shared: LogStore;
  close(): Promise<void>;
}

interface Event {
  readonly id: string;
  readonly timestamp: string;
  readonly [key: string]: unknown;
}

const ROOT = join(__dirname, '..', '..', '..');
const FIXTURE = join(ROOT, 'tests', 'corpus', 'sql', 'fixture');

export const SOURCES: readonly Source[] = [
  ...loadSources(join(ROOT, 'sources.yaml')),
  sourceSchema.parse({ name: 'without_tenant' }),
];

/** `logs.all` without any condition of its own: what keeps tenants apart is the compiler alone. */
export const OPEN_LOGS: SavedQuery = savedQuerySchema.parse({
  ...readDefinition('logs.all'),
  query: readDefinition('logs.all').query.replace(
    /(t\.project|md\.project|md\.project_ref) = @project/g,
    "'' <> @project"
  ),
});

const EDGE = `SELECT t.id, t.timestamp, t.event_message, t.metadata, rs.status_code AS status
  FROM rest_gateway AS t CROSS JOIN UNNEST(t.metadata) AS md CROSS JOIN UNNEST(md.response) AS rs`;
const RELAY = 'SELECT t.id, t.timestamp, t.event_message, t.metadata FROM function_events AS t';

/** The tables of tests/corpus/tenants/oracles.yaml. */
export const ORACLES: SavedQuery = savedQuerySchema.parse({
  id: '11111111-2222-4333-8444-555555555556',
  name: 'oracles',
  sandbox: true,
  query: `WITH edge AS (${EDGE}), relay AS (${RELAY}),
    both AS (SELECT e.id, r.id AS other, e.event_message FROM (${EDGE}) AS e JOIN (${RELAY}) AS r ON e.event_message = r.event_message)
    SELECT id FROM edge`,
});

export async function openTenantStores(): Promise<TenantStores> {
  const [own, shared] = [await openStoreUnderTest(SOURCES), await openStoreUnderTest(SOURCES)];
  for (const source of SOURCES) {
    const events = [...fixtureEvents(source), ...oracleEvents(source)];
    if (events.length === 0) continue;
    await ingest(own.store, source, events);
    await ingest(shared.store, source, [...events, ...events.map((event) => victimOf(source, event))]);
  }
  return {
    own: own.store,
    shared: shared.store,
    close: async () => {
      await own.close();
      await shared.close();
    },
  };
}

/**
 * The same two stores, each with very many events that have few values, as in days that are over: DuckDB reads
 * dictionaries of such values.
 */
export async function openRepetitiveStores(): Promise<TenantStores> {
  const [own, shared] = [await openStoreUnderTest(SOURCES), await openStoreUnderTest(SOURCES)];
  for (const source of SOURCES) {
    const events = oracleEvents(source).flatMap((event) => copiesOf(event));
    if (events.length === 0) continue;
    await ingest(own.store, source, events);
    await ingest(shared.store, source, [...events, ...events.map((event) => victimOf(source, event))]);
  }
  const [reopenedOwn, reopenedShared] = [await own.restart(), await shared.restart()];
  return {
    own: reopenedOwn.store,
    shared: reopenedShared.store,
    close: async () => {
      await reopenedOwn.close();
      await reopenedShared.close();
    },
  };
}

/** Three times as many are more than two vectors of DuckDB. */
const COPIES = 2000;

function copiesOf(event: Event): Event[] {
  return Array.from({ length: COPIES }, (_, index) => ({ ...event, id: `${event.id}-${index}` }));
}

/** Events of the tenant, of the corpus of queries. */
function fixtureEvents(source: Source): Event[] {
  if (!readdirSync(FIXTURE).includes(`${source.name}.ndjson`)) return [];
  const lines = readFileSync(join(FIXTURE, `${source.name}.ndjson`), 'utf8')
    .split('\n')
    .filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Event).filter((event) => tenantIn(source, event) === TENANT);
}

/** Events on which no expression of the oracles fails. */
function oracleEvents({ name }: Source): Event[] {
  const timestamp = '2026-03-01T11:00:00Z';
  const numbers = ['1', '2', '3'];
  if (name === 'rest_gateway')
    return numbers.map((id) => ({
      ...{ id, timestamp, project: TENANT, event_message: id },
      metadata: { note: id, response: { status_code: Number(id) } },
    }));
  if (name === 'function_events')
    return numbers.map((id) => ({
      ...{ id, timestamp, event_message: id },
      metadata: { project_ref: TENANT, function_id: id },
    }));
  return [];
}

/** The same event of another tenant, at the same time, with values that expressions fail on. */
function victimOf(source: Source, event: Event): Event {
  const spoiled = spoil(event) as Event;
  const { id, timestamp } = event;
  return withTenant(source, { ...spoiled, id: `${VICTIM_MARK}-${id}`, timestamp }, `${VICTIM_MARK}-tenant`);
}

function spoil(value: unknown): unknown {
  if (typeof value === 'string') return `[(*${VICTIM_MARK}\\`;
  if (typeof value === 'number') return 0;
  if (Array.isArray(value)) return value.map(spoil);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, spoil(inner)]));
}

function tenantIn(source: Source, event: Event): unknown {
  const place = tenantPlaceOf(source);
  if (place === null) return undefined;
  if ('column' in place) return event[place.column];
  return place.path.reduce<unknown>(
    (value, key) => (value as Record<string, unknown> | undefined)?.[key],
    event['metadata']
  );
}

function withTenant(source: Source, event: Event, tenant: string): Event {
  const place = tenantPlaceOf(source);
  if (place === null) return event;
  if ('column' in place) return { ...event, [place.column]: tenant };
  return { ...event, metadata: { ...(event['metadata'] as object), [place.path[0]!]: tenant } };
}

export async function ingest(
  store: LogStore,
  { name }: Pick<Source, 'name'>,
  events: readonly object[]
): Promise<void> {
  const body = Buffer.from(events.map((event) => JSON.stringify(event)).join('\n'));
  const { rejected, errors } = await store.ingest(ingestBatch({ source: name, body, nowMicros: NOW_MICROS }));
  await store.catchUp();
  if (rejected > 0) throw new Error(`${name}: ${JSON.stringify(errors)}`);
}

const plan = createPlanCache();

/** What a caller sees: the body, or the failure. */
export async function answer(
  store: LogStore,
  definition: SavedQuery,
  asked: Partial<QueryRequest>
): Promise<{ readonly body: string } | { readonly error: unknown }> {
  const parameters = { project: TENANT, interval: 'daily' };
  const request = { parameters, tenant: TENANT, nowMicros: NOW_MICROS, ...asked };
  try {
    const { bytes, fields, truncated } = await runSavedQuery(store, definition, request, plan);
    return { body: `${Buffer.from(bytes).toString()} ${JSON.stringify(fields)} ${String(truncated)}` };
  } catch (error) {
    const { code, message, details } = error as { code?: string; message: string; details?: object };
    return { error: { code, message, details } };
  }
}
