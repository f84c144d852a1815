/** What is stored of each source: columns, number and age of its events, bytes. */
import { type SavedQuery, savedQuerySchema } from '#contract/queries/saved-query';
import type { StoredSource } from '#contract/queries/description';
import { caughtUp } from '../../caught-up';
import type { CallHandler, Engine } from '../../engine';

/** Id of the queries that are made here; no saved query has it. */
const ID = '00000000-0000-4000-8000-000000000000';

export const sources: CallHandler<'sources'> = async (engine, { signal }) => {
  const release = await engine.runPermits.acquire(false, signal);
  try {
    await caughtUp(engine.store, signal);
    const sizes = await engine.store.sizes();
    const found: StoredSource[] = [];
    const days = daysOf(engine);
    for (const { name } of engine.store.catalog().sources)
      found.push({
        name,
        bytes: sizes.get(name) ?? 0,
        days: days?.get(name) ?? null,
        ...columnsOf(engine, name),
        ...(await eventsOf(engine, name, signal)),
      });
    return { value: { sources: found } };
  } finally {
    release();
  }
};

function daysOf({ store: { sealing } }: Engine): ReadonlyMap<string, NonNullable<StoredSource['days']>> | null {
  if (sealing === null) return null;
  return new Map(
    sealing
      .state()
      .sources.map(({ source, days, sealed, fault }) => [source, { stored: days, sealed, sealFault: fault }])
  );
}

function columnsOf({ compiler, store }: Engine, name: string): Pick<StoredSource, 'columns'> {
  const definition = definitionOf(`SELECT * FROM ${name}`);
  return { columns: compiler.describe(definition, store.catalog(), null, null).fields };
}

async function eventsOf(
  { compiler, store }: Engine,
  name: string,
  signal: AbortSignal
): Promise<Pick<StoredSource, 'events' | 'oldestMicros' | 'newestMicros'>> {
  const query = compiler.compile({
    definition: definitionOf(`SELECT COUNT(*) AS n, MIN(timestamp) AS oldest, MAX(timestamp) AS newest FROM ${name}`),
    adhoc: null,
    parameters: {},
    catalog: store.catalog(),
    nowMicros: Date.now() * 1000,
    maxRows: 1,
    redaction: null,
    tenant: null,
  });
  const { columns } = await store.execute(query, signal);
  const [events, oldest, newest] = columns.map((column) => column[0] ?? null);
  const number = (value: unknown): number | null => (typeof value === 'bigint' ? Number(value) : null);
  return { events: number(events) ?? 0, oldestMicros: number(oldest), newestMicros: number(newest) };
}

function definitionOf(query: string): SavedQuery {
  return savedQuerySchema.parse({ id: ID, name: 'sources', query });
}
