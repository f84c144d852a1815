/** What is stored of each source: columns, number and age of its events, bytes. */
import { type SavedQuery, savedQuerySchema } from '#contract/queries/saved-query';
import type { StoredSource } from '#contract/queries/description';
import type { Catalog, CatalogSource } from '#compiler/store';
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
    const catalog = engine.store.catalog();
    for (const source of catalog.sources) {
      const { name } = source;
      found.push({
        name,
        bytes: sizes.get(name) ?? 0,
        days: days?.get(name) ?? null,
        columns: columnsOf(engine, catalog, source),
        ...(source.parts.length === 0 ? NO_EVENTS : await eventsOf(engine, name, signal)),
      });
    }
    return { value: { sources: found } };
  } finally {
    release();
  }
};

const NO_EVENTS = { events: 0, oldestMicros: null, newestMicros: null };

function daysOf({ store: { sealing } }: Engine): ReadonlyMap<string, NonNullable<StoredSource['days']>> | null {
  if (sealing === null) return null;
  return new Map(
    sealing
      .state()
      .sources.map(({ source, days, sealed, fault }) => [source, { stored: days, sealed, sealFault: fault }])
  );
}

/** Columns of one query: those of a source may be more than a query may have. */
const COLUMNS_AT_ONCE = 100;

/** By the source in a catalog, which is another object once its fields or parts have changed. */
const described = new WeakMap<CatalogSource, StoredSource['columns']>();

function columnsOf(engine: Engine, catalog: Catalog, source: CatalogSource): StoredSource['columns'] {
  const known = described.get(source);
  if (known !== undefined) return known;
  const columns = describe(engine, catalog, source);
  described.set(source, columns);
  return columns;
}

function describe({ compiler }: Engine, catalog: Catalog, { name, columns }: CatalogSource): StoredSource['columns'] {
  const names = [...columns.map((column) => column.name), 'metadata'].map(quoted);
  const texts = Array.from({ length: Math.ceil(names.length / COLUMNS_AT_ONCE) }, (_, at) => {
    const some = names.slice(at * COLUMNS_AT_ONCE, (at + 1) * COLUMNS_AT_ONCE);
    return `SELECT ${some.join(', ')} FROM ${quoted(name)}`;
  });
  return texts.flatMap((text) => compiler.describe(definitionOf(text), catalog, null, null).fields);
}

/** The name may be a word of SQL. It has no sign but `_`. */
const quoted = (name: string): string => `\`${name}\``;

async function eventsOf(
  { compiler, store }: Engine,
  name: string,
  signal: AbortSignal
): Promise<Pick<StoredSource, 'events' | 'oldestMicros' | 'newestMicros'>> {
  const query = compiler.compile({
    definition: definitionOf(
      `SELECT COUNT(*) AS n, MIN(timestamp) AS oldest, MAX(timestamp) AS newest FROM ${quoted(name)}`
    ),
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
