/**
 * Tenants share the fields of a source: none can use up those of others, on both stores.
 *
 * @slow 25
 */
import path from 'node:path';
import type { Source } from '#contract/events/source';
import type { FieldUse } from '#contract/queries/description';
import type { CatalogField, CatalogRecord } from '#compiler/catalog/catalog';
import { openClickHouseStore } from '#server/stores/clickhouse/clickhouse-store';
import { openDuckDbStore } from '#server/stores/duckdb/duckdb-store';
import { isFieldColumn } from '#server/stores/duckdb/tables/field-name';
import { toEntry } from '#server/stores/duckdb/write/journal-entry';
import { Journal } from '#server/stores/journal/journal';
import { MAX_COLUMNS, MAX_FIELDS, MAX_NEW_COLUMNS_PER_BATCH } from '#server/stores/ingest/limits';
import type { IngestBatch, LogStore, RefusedFields } from '#server/stores/store';
import { ingestBatch } from '../../support/stores/ingest-batch';
import { type ClickHouseEngine, startClickHouseEngine } from '../../support/processes/clickhouse';
import { openClickHouse } from './clickhouse/clickhouse-fixture';
import { findField, makeSource, NOW_MICROS, openFixture } from './store-fixture';

const FEW_FIELDS = MAX_FIELDS / 20;
const FEW_COLUMNS = MAX_COLUMNS / 20;
const MEMORY_LIMIT_MB = 512;
const source = makeSource({ tenant: 'project' });

let engine: ClickHouseEngine;
beforeAll(async () => {
  engine = await startClickHouseEngine();
}, 60_000);
afterAll(() => engine.stop());

interface Opened {
  store(): LogStore;
  /** Opens the store again. */
  reopen(declared?: Source): Promise<void>;
  close(): Promise<void>;
}

const refused: RefusedFields[] = [];
const onRefusedFields = (each: RefusedFields): void => void refused.push(each);
beforeEach(() => void (refused.length = 0));

async function openDuckDb(): Promise<Opened> {
  const fixture = await openFixture([source], MEMORY_LIMIT_MB);
  const reopen = async (declared = source): Promise<void> => {
    await fixture.store.close();
    fixture.store = await openDuckDbStore({
      dataDir: fixture.dataDir,
      sources: [declared],
      memoryLimitMb: MEMORY_LIMIT_MB,
      threads: 1,
      onRefusedFields,
    });
  };
  await reopen();
  return { store: () => fixture.store, reopen, close: () => fixture.remove() };
}

async function openOnClickHouse(): Promise<Opened> {
  const fixture = await openClickHouse(engine, source, { onRefusedFields });
  return {
    store: () => fixture.store,
    reopen: async (declared = source) => {
      await fixture.store.close();
      fixture.store = await openClickHouseStore({ ...fixture.options, sources: [declared] });
    },
    close: () => fixture.close(),
  };
}

let sent = 0;

/** A batch of one event with this metadata. @param tenant of the sender's token; null: none */
function batchOf(tenant: string | null, metadata: unknown): IngestBatch {
  const event = { id: `e${sent++}`, timestamp: 1795172400, project: tenant ?? 'any', metadata };
  const batch = ingestBatch({ source: 'events', body: Buffer.from(JSON.stringify(event)), nowMicros: NOW_MICROS });
  return { ...batch, tenant: { confinedTo: tenant, given: null } };
}

async function send(store: LogStore, tenant: string | null, metadata: unknown): Promise<void> {
  expect(await store.ingest(batchOf(tenant, metadata))).toMatchObject({ accepted: 1, duplicates: 0, rejected: 0 });
  await store.catchUp();
}

const keys = (prefix: string, from: number, count: number, value: unknown = 1): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`${prefix}${from + i}`, value]));

/** As many columns as a tenant can get. */
async function takeColumns(store: LogStore, tenant: string, columns = MAX_COLUMNS): Promise<void> {
  for (let from = 0; from < columns; from += MAX_NEW_COLUMNS_PER_BATCH)
    await send(store, tenant, keys(`${tenant}_`, from, Math.min(MAX_NEW_COLUMNS_PER_BATCH, columns - from)));
}

/** As many fields as a tenant can get, in a list of records, where they have no columns. */
async function takeFields(store: LogStore, tenant: string, fields = MAX_FIELDS): Promise<void> {
  for (let from = 0; from < fields; from += 1000)
    await send(store, tenant, { [tenant]: [keys('f', from, Math.min(1000, fields - from)), {}] });
}

const use = (store: LogStore): FieldUse => store.fieldUse()['events']!;
const ofTenant = (store: LogStore, tenant: string) => use(store).tenants.find((each) => each.tenant === tenant);
const metadata = (store: LogStore): CatalogRecord => store.catalog().sources[0]!.metadata;
const field = (store: LogStore, path: string): CatalogField | undefined => findField(metadata(store), path.split('.'));

describe.each([
  ['DuckDB', openDuckDb],
  ['ClickHouse', openOnClickHouse],
])('%s', (_name, open) => {
  let opened: Opened;
  beforeEach(async () => {
    opened = await open();
  });
  afterEach(() => opened.close());
  const store = (): LogStore => opened.store();

  it('one tenant gets half of the columns, and records of others can still be read, after a start, too', async () => {
    await takeColumns(store(), 'greedy');
    expect(use(store())).toMatchObject({ columns: MAX_COLUMNS / 2, max_columns: MAX_COLUMNS });
    await opened.reopen();
    expect(ofTenant(store(), 'greedy')).toEqual({ tenant: 'greedy', fields: MAX_COLUMNS, columns: MAX_COLUMNS / 2 });
    await send(store(), 'greedy', { late: { x: 1 } });
    expect(field(store(), 'late')).toBeUndefined();
    await send(store(), 'victim', { request: { path: '/' } });
    expect(field(store(), 'request.path')).toMatchObject({ kind: 'leaf', type: 'STRING', column: expect.any(String) });
    expect(ofTenant(store(), 'victim')).toEqual({ tenant: 'victim', fields: 2, columns: 2 });
  }, 60_000);

  it('the last half of the columns is for tenants with few, and for senders without a tenant', async () => {
    await takeColumns(store(), 'greedy');
    await takeColumns(store(), 'second', FEW_COLUMNS + 5);
    expect(ofTenant(store(), 'second')).toMatchObject({ columns: FEW_COLUMNS });
    await opened.reopen();
    await send(store(), null, { own: { x: 1 } });
    expect(field(store(), 'own.x')).toMatchObject({ column: expect.any(String) });
    expect(use(store()).columns).toBe(MAX_COLUMNS / 2 + FEW_COLUMNS + 2);
  }, 60_000);

  it('one tenant gets half of the fields, and each further one a few', async () => {
    await takeFields(store(), 'greedy');
    expect(use(store())).toMatchObject({ fields: MAX_FIELDS / 2, max_fields: MAX_FIELDS });
    expect(refused.at(-1)).toMatchObject({ source: 'events', tenant: 'greedy', fields_of_tenant: MAX_FIELDS / 2 });
    expect(metadata(store()).isFull).toBe(true);
    await opened.reopen();
    refused.length = 0;
    await takeFields(store(), 'victim', FEW_FIELDS - 1);
    expect(refused).toEqual([]);
    await send(store(), 'victim', { one_more: 1 });
    expect(refused).toEqual([
      {
        source: 'events',
        tenant: 'victim',
        values: 1,
        fields: MAX_FIELDS / 2 + FEW_FIELDS,
        columns: 0,
        fields_of_tenant: FEW_FIELDS,
        columns_of_tenant: 0,
      },
    ]);
    expect(field(store(), 'one_more')).toBeUndefined();
    await send(store(), 'third', { of_third: 1 });
    expect(field(store(), 'of_third')).toMatchObject({ type: 'INT64' });
    await send(store(), null, { of_none: 1 });
    expect(field(store(), 'of_none')).toMatchObject({ type: 'INT64' });
    expect(ofTenant(store(), 'third')).toMatchObject({ fields: 1 });
  }, 60_000);

  it('fields without a value count for their sender until another sends one', async () => {
    for (let from = 0; from < MAX_FIELDS; from += 1000) await send(store(), 'greedy', keys('n', from, 1000, null));
    expect(ofTenant(store(), 'greedy')).toMatchObject({ fields: MAX_FIELDS / 2 });
    await send(store(), 'victim', { n0: 1, mine: { x: 1 } });
    expect(field(store(), 'n0')).toMatchObject({ type: 'INT64', column: expect.any(String) });
    expect(ofTenant(store(), 'victim')).toEqual({ tenant: 'victim', fields: 3, columns: 3 });
  }, 60_000);

  it('a field can be declared where events have used up all, and counts for no tenant then', async () => {
    await takeFields(store(), 'greedy');
    for (let from = 0; from < MAX_FIELDS / 2; from += 1000)
      await send(store(), null, { all: [keys('f', from, 1000), {}] });
    expect(use(store()).fields).toBe(MAX_FIELDS);
    await opened.reopen(makeSource({ tenant: 'project', fields: { 'wanted.path': 'STRING', 'greedy.f0': 'INT64' } }));
    await send(store(), 'victim', { wanted: { path: '/' } });
    expect(field(store(), 'wanted.path')).toMatchObject({ kind: 'leaf', type: 'STRING' });
    expect(ofTenant(store(), 'greedy')).toMatchObject({ fields: MAX_FIELDS / 2 - 2 });
  }, 60_000);
});

it('a batch that only the journal has at the start counts for the tenant of its sender', async () => {
  const fixture = await openFixture([source], MEMORY_LIMIT_MB);
  try {
    await fixture.store.close();
    const journal = await Journal.open(path.join(fixture.dataDir, 'journal'), 0);
    for (const from of [0, MAX_NEW_COLUMNS_PER_BATCH, 2 * MAX_NEW_COLUMNS_PER_BATCH])
      await (
        await journal.append(toEntry(batchOf('greedy', keys('g', from, MAX_NEW_COLUMNS_PER_BATCH))))
      ).synced;
    await (
      await journal.append(toEntry(batchOf('victim', { request: { path: '/' } })))
    ).synced;
    await journal.close(0);
    await fixture.reopen();
    expect(use(fixture.store).tenants).toEqual([
      { tenant: 'greedy', fields: 3 * MAX_NEW_COLUMNS_PER_BATCH, columns: MAX_COLUMNS / 2 },
      { tenant: 'victim', fields: 2, columns: 2 },
    ]);
    await fixture.reopen();
    expect(use(fixture.store).tenants).toHaveLength(2);
  } finally {
    await fixture.remove();
  }
});

describe('columns of a record that became a list of records', () => {
  const tableColumns = (store: LogStore): number[] =>
    store.catalog().sources[0]!.parts.map(({ columns }) => [...columns.keys()].filter(isFieldColumn).length);

  /** Takes columns, and gives them up: no field has them any more, and the table of the day still does. */
  async function loseColumns(store: LogStore, tenant: string | null, name: string): Promise<void> {
    await send(store, tenant, { [name]: keys('f', 0, MAX_NEW_COLUMNS_PER_BATCH - 1) });
    await send(store, tenant, { [name]: [{ f0: 1 }, { f1: 1 }] });
  }

  it.each([['a tenant', 'greedy', MAX_COLUMNS / 2] as const, ['no tenant', null, MAX_COLUMNS] as const])(
    'count for a sender of %s until their day is sealed, after a start, too',
    async (_name, tenant, most) => {
      const opened = await openDuckDb();
      try {
        for (let n = 0; n < 4; n++) {
          await loseColumns(opened.store(), tenant, `r${n}`);
          await opened.reopen();
        }
        expect(tableColumns(opened.store())).toEqual([most]);
        expect(use(opened.store()).columns).toBe(most);
        if (tenant !== null) {
          await send(opened.store(), 'victim', { request: { path: '/' } });
          expect(field(opened.store(), 'request.path')).toMatchObject({ column: expect.any(String) });
        }
        await opened.store().sealing!.sealNext(new AbortController().signal);
        await opened.reopen();
        expect(ofTenant(opened.store(), 'greedy')?.columns ?? 0).toBe(0);
        await send(opened.store(), tenant, { later: { x: 1 } });
        expect(field(opened.store(), 'later.x')).toMatchObject({ column: expect.any(String) });
      } finally {
        await opened.close();
      }
    },
    60_000
  );
});

describe('two servers on ClickHouse', () => {
  let servers: readonly [LogStore, LogStore];
  let close: () => Promise<void>;

  beforeEach(async () => {
    const fixture = await openClickHouse(engine, source, { onRefusedFields });
    servers = [fixture.store, await fixture.openAnother()];
    close = () => fixture.close();
  });
  afterEach(() => close());

  it('look up what a tenant has added at the other before they give it more', async () => {
    const [one, other] = servers;
    await takeColumns(one, 'greedy');
    await send(other, 'greedy', { late: { x: 1 } });
    expect(findField(metadata(other), ['late'])).toBeUndefined();
    expect(use(other).columns).toBe(MAX_COLUMNS / 2);
    await send(other, 'victim', { request: { path: '/' } });
    expect(findField(metadata(other), ['request', 'path'])).toMatchObject({ column: expect.any(String) });
  }, 60_000);

  it('leave room for other tenants when one adds fields at both in the same moment', async () => {
    await engine.setRules([{ match: 'INSERT INTO `lqe_fields`', times: 2, then: { delayMs: 500 } }]);
    const columns = MAX_NEW_COLUMNS_PER_BATCH;
    await Promise.all(servers.map((server, n) => send(server, 'greedy', keys(`at_${n}_`, 0, columns))));
    await engine.setRules([]);
    await send(servers[0], 'greedy', { more: { x: 1 } });
    expect(use(servers[0]).columns).toBe(2 * columns);
    await send(servers[0], 'victim', { request: { path: '/' } });
    expect(findField(metadata(servers[0]), ['request', 'path'])).toMatchObject({ column: expect.any(String) });
    expect(findField(metadata(servers[0]), ['more'])).toBeUndefined();
  }, 60_000);
});
