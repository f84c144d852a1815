/** ClickHouse stores any JSON of an event: the text is read back equal, and columns and paths have its values. */
import fc from 'fast-check';
import { numberAsStored, record, textLeaves, unwrapped, valueAt } from '../../../support/arbitrary/event';
import { type ClickHouseEngine, startClickHouseEngine } from '../../../support/processes/clickhouse';
import { type ClickHouseFixture, openClickHouse } from './clickhouse-fixture';
import { makeSource } from '../store-fixture';

let engine: ClickHouseEngine;
let fixture: ClickHouseFixture;

beforeAll(async () => {
  engine = await startClickHouseEngine();
  fixture = await openClickHouse(engine, makeSource({ fields: { b: 'STRING', '1.a': 'INT64' } }));
}, 30_000);
afterAll(async () => {
  await fixture.close();
  await engine.stop();
});

it('any metadata is stored and read back', async () => {
  let serial = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(record, { minLength: 20, maxLength: 60 }), async (records) => {
      const from = serial;
      const events = records.map((value) => {
        const text = JSON.stringify(value).replaceAll('\\u0000', '');
        return `{"id":"${serial}","timestamp":${1795132800 + serial++},"metadata":${text}}`;
      });
      expect(await fixture.ingest(events.join('\n'))).toMatchObject({
        accepted: events.length,
        duplicates: 0,
        rejected: 0,
      });
      const { json } = fixture.part();
      const leaves = textLeaves(fixture.store.catalog().sources[0]!.metadata);
      const names = leaves.map(({ column }) => {
        const types = json!.storedAs.get(column);
        if (types === undefined) return `\`${column}\``;
        const texts = types.map((type) =>
          type === 'STRING' ? `_fields.\`${column}\`.:String` : `toString(_fields.\`${column}\`.:${TYPES[type]})`
        );
        return `coalesce(${texts.reverse().join(', ')})`;
      });
      const rows = await fixture.read(
        `SELECT metadata_json${names.map((name) => `, ${name}`).join('')} FROM events
         WHERE timestamp >= fromUnixTimestamp64Micro({p1:Int64}) ORDER BY timestamp`,
        ['RECORD_TEXT', ...leaves.map(() => 'STRING' as const)],
        [{ type: 'INT64', value: BigInt(1795132800 + from) * 1_000_000n }]
      );
      events.forEach((event, row) => {
        const sent = (JSON.parse(event, numberAsStored) as { metadata: unknown }).metadata;
        expect(unwrapped(JSON.parse(String(rows.columns[0]![row])))).toEqual(unwrapped(sent));
        leaves.forEach(({ path }, i) => {
          const value = valueAt(sent, path);
          if (typeof value === 'string') expect(rows.columns[i + 1]![row]).toBe(value);
        });
      });
    }),
    { numRuns: 15 }
  );
}, 120_000);

const TYPES = { STRING: 'String', INT64: 'Int64', FLOAT64: 'Float64', BOOL: 'Bool' } as const;
