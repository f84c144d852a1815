/**
 * One event with deeply nested records costs later queries of its source little: both stores write the metadata of all
 * events as JSON, with every field that the source has.
 *
 * @slow 5
 */
import { sourceSchema } from '#contract/events/source';
import { savedQuerySchema } from '#contract/queries/saved-query';
import { NOW_MICROS, runCase } from '../support/cases/sql/queries';
import { runSavedQuery } from '../support/cases/run-saved-query';
import { openStoreUnderTest, type OpenStore } from '../support/stores/current';
import { ingestBatch } from '../support/stores/ingest-batch';

/** As many records as an event may have within each other are 20, the metadata itself included. */
const LEVELS = 18;
const SOURCES = ['records', 'lists'].map((name) => sourceSchema.parse({ name }));
const definition = savedQuerySchema.parse({
  id: '00000000-0000-4000-8000-000000000001',
  name: 'deep',
  sandbox: true,
  query:
    'with records as (select id, metadata from records), lists as (select id, metadata from lists) select id from records',
});

function nested(levels: number, wrap: (inner: string) => string, core: string): string {
  return levels === 0 ? core : wrap(nested(levels - 1, wrap, core));
}

const RECORDS = nested(LEVELS, (inner) => `{"d":${inner}}`, '{"x":1}');
/** Records in lists, each with a record of its own. */
const LISTS = nested(LEVELS - 1, (inner) => `{"d":[${inner},{}],"s":{"y":1}}`, '{"s":{"y":1}}');
/** Of which records in at most eight lists have fields, so that their records are written as arrays of one. */
const WRITTEN_LISTS = [...Array(9).keys()].reduceRight<string>(
  (inner) => `{"d":[${inner},{}],"s":[{"y":1}]}`,
  nested(LEVELS - 1 - 9, (inner) => `{"d":[${inner},{}],"s":{"y":1}}`, '{"s":{"y":1}}')
);

let opened: OpenStore;

beforeAll(async () => {
  opened = await openStoreUnderTest(SOURCES);
  for (const [source, metadata] of [
    ['records', RECORDS],
    ['lists', LISTS],
  ] as const) {
    const lines = [`{"id":"deep","metadata":${metadata}}`, '{"id":"plain","metadata":{"d":{"d":{"y":2}}}}'];
    const body = Buffer.from(lines.join('\n'));
    const result = await opened.store.ingest(ingestBatch({ source, body, nowMicros: NOW_MICROS }));
    expect(result).toMatchObject({ accepted: 2 });
  }
  await opened.store.catchUp();
}, 60_000);

afterAll(() => opened.close());

async function read(source: string): Promise<readonly { readonly id: string; readonly text: string }[]> {
  const sql = `select id, to_json_string(metadata) as text from ${source} order by id`;
  const { bytes } = await runCase(opened.store, definition, { name: source, sql, parameters: {} });
  return (JSON.parse(Buffer.from(bytes).toString('utf8')) as { result: { id: string; text: string }[] }).result;
}

it('records within records are written as JSON in little time', async () => {
  const startMs = performance.now();
  const rows = await read('records');
  expect(performance.now() - startMs).toBeLessThan(5_000);
  const expected = `[${nested(LEVELS, (inner) => `{"d":[${inner}]}`, '{"x":1}')}]`;
  expect(rows).toEqual([
    { id: 'deep', text: expected },
    { id: 'plain', text: '[{"d":[{"d":[{"y":2}]}]}]' },
  ]);
});

it('lists of records within each other are written as JSON in little time', async () => {
  const startMs = performance.now();
  const rows = await read('lists');
  expect(performance.now() - startMs).toBeLessThan(5_000);
  expect(rows[0]).toEqual({ id: 'deep', text: `[${WRITTEN_LISTS}]` });
});

function filters(count: number): Promise<unknown> {
  const text = Array.from({ length: count }, (_, index) => `metadata${'.d'.repeat(8)}.s.y:${index}`).join(' ');
  const asked = { parameters: {}, adhoc: { language: 'lql', text: `f:lists ${text}` }, nowMicros: NOW_MICROS } as const;
  return runSavedQuery(opened.store, definition, asked);
}

it('filters on lists within each other are refused before a store takes seconds to read them', async () => {
  await expect(filters(95)).rejects.toMatchObject({ code: 'query_too_complex', details: { reason: 'too_complex' } });
  await expect(filters(10)).resolves.toBeDefined();
});
