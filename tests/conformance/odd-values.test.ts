/**
 * Values that types of fields cannot hold are read alike by both stores, and take nothing else of their event away:
 * events of tests/corpus/sql/odd-values.yaml.
 *
 * @slow 5
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { sourceSchema } from '#contract/events/source';
import { savedQuerySchema } from '#contract/queries/saved-query';
import { ingestBatch } from '../support/stores/ingest-batch';
import { NOW_MICROS, runCase } from '../support/cases/sql/queries';
import { openStoreUnderTest, type OpenStore } from '../support/stores/current';

interface OddCase {
  readonly name: string;
  /** JSON texts of metadata, each of which is an event. */
  readonly events: readonly string[];
  /** Select list over the metadata `m`. */
  readonly select: string;
  /** Values of the rows as JSON texts, in the order of the events. */
  readonly rows: readonly string[];
}

const { declared, cases } = parse(readFileSync(join(__dirname, '../corpus/sql/odd-values.yaml'), 'utf8')) as {
  declared: Record<string, string>;
  cases: OddCase[];
};

const source = sourceSchema.parse({ name: 'edge', columns: { kase: 'STRING' }, fields: declared });
const definition = savedQuerySchema.parse({
  id: '00000000-0000-4000-8000-000000000001',
  name: 'odd',
  sandbox: true,
  query: 'with logs as (select id, kase, metadata from edge) select id from logs',
});

let opened: OpenStore;

beforeAll(async () => {
  opened = await openStoreUnderTest([source]);
  for (const { name, events } of cases) {
    const lines = events.map(
      (text, index) => `{"id":"${name} ${index}","kase":${JSON.stringify(name)},"metadata":${text}}`
    );
    await opened.store.ingest(
      ingestBatch({ source: 'edge', body: Buffer.from(lines.join('\n')), nowMicros: NOW_MICROS })
    );
  }
  await opened.store.catchUp();
}, 60_000);

afterAll(() => opened.close());

it.each(cases)('$name', async ({ name, select, rows }) => {
  const sql = `select ${select} from logs as t cross join unnest(t.metadata) as m where t.kase = '${name}' order by t.id`;
  const { bytes } = await runCase(opened.store, definition, { name, sql, parameters: {} });
  const { result } = JSON.parse(Buffer.from(bytes).toString('utf8')) as { result: object[] };
  expect(
    result.map((row) =>
      Object.values(row)
        .map((value) => JSON.stringify(value))
        .join(' ')
    )
  ).toEqual(rows);
});
