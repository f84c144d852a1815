/**
 * Values that a field cannot hold are counted, and a declaration that contradicts what is stored is refused, on both
 * stores.
 *
 * @slow 15
 */
import { sourceSchema, type Source } from '#contract/events/source';
import type { IngestResult } from '#contract/queries/result';
import { openClickHouseStore } from '#server/stores/clickhouse/clickhouse-store';
import type { LogStore } from '#server/stores/store';
import { type ClickHouseEngine, startClickHouseEngine } from '../../support/processes/clickhouse';
import { makeTables, openClickHouse } from './clickhouse/clickhouse-fixture';
import { makeSource, openFixture } from './store-fixture';

interface Opened {
  readonly store: () => LogStore;
  ingest(entries: readonly unknown[]): Promise<IngestResult>;
  /** Opens the store again with other fields. */
  declare(fields: Source['fields']): Promise<void>;
  close(): Promise<void>;
}

const FIELDS: Source['fields'] = { 'request.port': 'INT64', 'request.path': 'STRING', tags: 'ARRAY<STRING>' };
const withFields = (fields: Source['fields']): Source => sourceSchema.parse({ ...makeSource(), fields });

async function openDuckDb(): Promise<Opened> {
  const fixture = await openFixture([withFields(FIELDS)]);
  return {
    store: () => fixture.store,
    ingest: (entries) => fixture.ingest(entries),
    declare: async (fields) => {
      await fixture.reopen([withFields(fields)]);
    },
    close: () => fixture.remove(),
  };
}

let engine: ClickHouseEngine;
beforeAll(async () => {
  engine = await startClickHouseEngine();
}, 60_000);
afterAll(() => engine.stop());

async function openOnClickHouse(): Promise<Opened> {
  const fixture = await openClickHouse(engine, withFields(FIELDS));
  return {
    store: () => fixture.store,
    ingest: (entries) => fixture.ingest(entries),
    declare: async (fields) => {
      const options = { ...fixture.options, sources: [withFields(fields)] };
      await fixture.store.close();
      try {
        await makeTables(options);
      } finally {
        fixture.store = await openClickHouseStore(options);
      }
    },
    close: () => fixture.close(),
  };
}

const event = (metadata: unknown) => ({ metadata });

describe.each([
  ['DuckDB', openDuckDb],
  ['ClickHouse', openOnClickHouse],
])('%s', (_name, open) => {
  let opened: Opened;
  beforeEach(async () => {
    opened = await open();
  });
  afterEach(() => opened.close().catch(() => undefined));
  const misfits = () => opened.store().misfits()['events'];

  it('counts values that their field cannot hold, and stores the events', async () => {
    const stored = await opened.ingest([
      event({ request: { port: 80, path: '/' } }),
      event({ request: { port: 'eighty', path: 7 } }),
      event({ request: { port: '81' }, tags: { a: 1 }, late: 1 }),
      event({ request: { port: { a: 1 } }, late: { b: 1 } }),
      event({ request: { port: 1.5 }, tags: ['a'] }),
    ]);
    expect(stored).toMatchObject({ accepted: 5, rejected: 0 });
    expect(misfits()).toEqual({
      values: 5,
      fields: [
        { field: 'request.port', type: 'INT64', values: 3 },
        { field: 'late', type: 'INT64', values: 1 },
        { field: 'tags', type: 'ARRAY<STRING>', values: 1 },
      ],
    });
  });

  it('counts nothing where everything fits', async () => {
    await opened.ingest([event({ request: { port: '80', path: true } }), event({ request: { port: null } })]);
    expect(misfits()).toEqual({ values: 0, fields: [] });
  });

  it('goes on counting when new fields come', async () => {
    for (let i = 0; i < 3; i++) await opened.ingest([event({ request: { port: 'no' }, [`new_${i}`]: i })]);
    expect(misfits()!.fields).toEqual([{ field: 'request.port', type: 'INT64', values: expect.any(Number) }]);
    expect(misfits()!.values).toBeGreaterThanOrEqual(3);
  });

  it.each([
    [
      'another type',
      { ...FIELDS, 'request.port': 'STRING' },
      '"request.port" is declared as STRING and stored as INT64',
    ],
    ['a value below a value', { 'request.port.low': 'INT64' }, '"request.port.low" is declared as INT64 and stored as INT64 "request.port"'], // prettier-ignore
    ['a list', { ...FIELDS, 'request.port': 'ARRAY<INT64>' }, '"request.port" is declared as ARRAY<INT64> and stored as INT64'], // prettier-ignore
    ['other elements', { ...FIELDS, tags: 'ARRAY<INT64>' }, '"tags" is declared as ARRAY<INT64> and stored as ARRAY<STRING>'], // prettier-ignore
    ['a field that events brought', { ...FIELDS, late: 'BOOL' }, '"late" is declared as BOOL and stored as FLOAT64'],
  ] as const)('refuses to open with %s', async (_case, fields, message) => {
    await opened.ingest([event({ request: { port: 80 }, tags: ['a'], late: 1.5 })]);
    await expect(opened.declare(fields)).rejects.toMatchObject({
      code: 'definition_invalid',
      message: expect.stringContaining(message),
    });
    await opened.declare(FIELDS);
  });

  it('opens with declarations of fields that no event has brought, and with none', async () => {
    await opened.ingest([event({ late: 1 })]);
    await opened.declare({ 'request.port': 'STRING', late: 'INT64' });
    await opened.declare({});
  });
});
