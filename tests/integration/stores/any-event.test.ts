/**
 * Any JSON in an event is stored: the text is read back equal, and typed columns have the values of the text.
 *
 * @slow 15
 */
import fc from 'fast-check';
import { numberAsStored, record, textLeaves, unwrapped, valueAt } from '../../support/arbitrary/event';
import { openFixture, type StoreFixture, TODAY } from './store-fixture';

let fixture: StoreFixture;

beforeEach(async () => {
  fixture = await openFixture();
});

afterEach(() => fixture.remove());

it.each(['in one batch', 'in batches that come at once'])(
  'any metadata is stored and read back, %s',
  async (how) => {
    let serial = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 6 }), async (records) => {
        const from = serial;
        const events = records.map((value) => {
          const text = JSON.stringify(value).replaceAll('\\u0000', '');
          return `{"id":"${serial}","timestamp":${1795132800 + serial++},"metadata":${text}}`;
        });
        const batches = how === 'in one batch' ? [events.join('\n')] : events;
        const results = await Promise.all(batches.map((batch) => fixture.ingest(batch)));
        expect(results.reduce((sum, { accepted, duplicates }) => sum + accepted - duplicates, 0)).toBe(events.length);
        const leaves = textLeaves(fixture.source().metadata);
        const names = leaves.map(({ column }) => `, "${column}"`).join('');
        const rows = await fixture.read(
          `SELECT metadata_json${names} FROM "${TODAY}" WHERE "timestamp" >= make_timestamp($1) ORDER BY "timestamp"`,
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
      { numRuns: how === 'in one batch' ? 150 : 50 }
    );
  },
  120_000
);
