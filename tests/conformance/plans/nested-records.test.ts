/**
 * Opening records without joins gives the rows that joins would give.
 *
 * @slow 20
 */
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import fc from 'fast-check';
import { sourceSchema } from '#contract/events/source';
import { savedQuerySchema } from '#contract/queries/saved-query';
import { ingestBatch } from '../../support/stores/ingest-batch';
import {
  arbitraryQueryPair,
  arbitraryRecord,
  asLists,
  listType,
  SHAPE,
} from '../../support/arbitrary/queries/nested-query';
import { NOW_MICROS, runCase } from '../../support/cases/sql/queries';
import { openStoreUnderTest, type OpenStore } from '../../support/stores/current';

const EVENTS = 40;
const source = sourceSchema.parse({
  name: 'edge',
  fields: {
    host: 'STRING',
    'request.method': 'STRING',
    'request.path': 'STRING',
    'request.headers.agent': 'STRING',
    'response.status': 'INT64',
  },
});
const definition = savedQuerySchema.parse({
  id: '00000000-0000-4000-8000-000000000001',
  name: 'nested',
  sandbox: true,
  query: 'with edge_logs as (select id, timestamp, event_message, metadata from edge) select id from edge_logs',
});

let opened: OpenStore;
let oracle: DuckDBConnection;

beforeAll(async () => {
  const records = fc.sample(arbitraryRecord(SHAPE), { numRuns: EVENTS, seed: 7 });
  const events = records.map((metadata, index) => ({
    id: `e${String(index).padStart(2, '0')}`,
    timestamp: new Date(NOW_MICROS / 1000 - index * 3_600_000).toISOString(),
    metadata,
  }));
  opened = await openStoreUnderTest([source]);
  const { store } = opened;
  const body = Buffer.from(events.map((event) => JSON.stringify(event)).join('\n'));
  await store.ingest(ingestBatch({ source: 'edge', body, nowMicros: NOW_MICROS }));
  await store.catchUp();

  oracle = await (await DuckDBInstance.create(':memory:')).connect();
  await oracle.run(`CREATE TABLE edge_logs (id VARCHAR, metadata ${listType(SHAPE)})`);
  for (const { id, metadata } of events) {
    const lists = JSON.stringify([asLists(metadata, SHAPE)]).replaceAll("'", "''");
    await oracle.run(`INSERT INTO edge_logs SELECT '${id}', CAST('${lists}'::JSON AS ${listType(SHAPE)})`);
  }
}, 60_000);

afterAll(() => opened.close());

it('opened records give the same rows as real joins on arrays of structs', async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryQueryPair, async ({ ours, theirs }) => {
      const result = await runCase(opened.store, definition, { name: 'pair', sql: ours, parameters: {} });
      const { result: rows } = JSON.parse(Buffer.from(result.bytes).toString('utf8')) as { result: unknown[] };
      const expected = (await oracle.runAndReadAll(theirs)).getRowObjectsJS();
      expect(rows).toEqual(
        expected.map((row) =>
          Object.fromEntries(
            Object.entries(row).map(([key, value]) => [key, typeof value === 'bigint' ? Number(value) : value])
          )
        )
      );
    }),
    { numRuns: 300 }
  );
}, 120_000);
