/**
 * Many new fields, or fields of another type, in a day that has many events: columns of the present table would hold up
 * all senders, so another table follows it.
 */
import { NOW_MICROS, openFixture, type StoreFixture, TODAY } from './store-fixture';

/** More than a table with this many rows gets at once. */
const FIELDS = 200;
const ROWS = 21_000;
const NEXT = `${TODAY}~2`;

let fixture: StoreFixture;
beforeEach(async () => {
  fixture = await openFixture();
});
afterEach(() => fixture.remove());

const fields = (value: (i: number) => unknown): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: FIELDS }, (_, i) => [`f${i}`, value(i)]));
const rows = (count: number): readonly unknown[] =>
  Array.from({ length: count }, (_, i) => ({ id: `s${i}`, metadata: { n: i } }));
const small = rows(ROWS);
const tables = (): readonly string[] => fixture.source().parts.map(({ table }) => table);
const signal = new AbortController().signal;
const seal = (): Promise<unknown> => fixture.store.sealing!.sealNext(signal);

/** @returns number of rows, and the digests of the events with a field f7, by id */
async function content(): Promise<unknown> {
  const selects = fixture
    .source()
    .parts.map(
      ({ database, table }) => `SELECT id, metadata_json AS m FROM ${database === undefined ? '' : 'sealed.'}"${table}"`
    );
  const all = `(${selects.join(' UNION ALL ')})`;
  const { columns } = await fixture.read(
    `SELECT (SELECT count(*) FROM ${all}), id, md5(m) FROM ${all} WHERE m LIKE '%"f7"%' ORDER BY id`,
    ['INT64', 'STRING', 'STRING']
  );
  return columns;
}

/** @returns values of the field f7 as the compiler reads them from the sealed table, by id */
async function sealedValues(): Promise<unknown> {
  const [part] = fixture.source().parts;
  const sql = `SELECT CAST("metadata.f7" AS VARCHAR) FROM sealed."${part!.table}" WHERE "metadata.f7" IS NOT NULL ORDER BY id`;
  return (await fixture.read(sql, ['STRING'])).columns[0];
}

it('many new fields come into another table, which is found again', async () => {
  await fixture.ingest(small);
  await fixture.ingest([{ id: 'a', metadata: { n: 1, other: 1 } }]);
  expect(tables()).toEqual([TODAY]);
  await fixture.ingest([{ id: 'b', metadata: { n: 1, ...fields(() => 'x') } }]);
  expect(tables()).toEqual([TODAY, NEXT]);
  const again = await fixture.ingest([small[3], { id: 'b', metadata: {} }, { id: 'c', metadata: fields(() => 'y') }]);
  expect(again).toMatchObject({ accepted: 3, duplicates: 2 });
  const before = await content();
  expect(before).toMatchObject({ 0: [BigInt(ROWS + 3), BigInt(ROWS + 3)], 1: ['b', 'c'] });

  await fixture.reopen();
  expect(tables()).toEqual([TODAY, NEXT]);
  expect(await content()).toEqual(before);
  expect(await fixture.ingest([small[5], { id: 'c', metadata: {} }, { id: 'd' }])).toMatchObject({ duplicates: 2 });
  expect(tables()).toEqual([TODAY, NEXT]);
  expect((await fixture.read(`SELECT count(*) FROM "${NEXT}"`, ['INT64'])).columns).toEqual([[3n]]);
  const { days } = await fixture.store.exports!.list(signal);
  expect(days).toMatchObject([{ rows: ROWS + 4 }]);
  // Programs that would not find the second table refuse the file.
  const version = await fixture.read('SELECT max(format_version)::BIGINT FROM lqe_meta', ['INT64']);
  expect(version.columns).toEqual([[4n]]);
  expect(fixture.problems).toEqual([]);
});

it('a seal joins the tables of a day', async () => {
  await fixture.ingest(small);
  await fixture.ingest([{ id: 'b', metadata: { n: 1, ...fields(() => 'x') } }]);
  const before = await content();
  expect(await seal()).toMatchObject({ rows: ROWS + 1 });
  expect(tables()).toHaveLength(1);
  expect(await content()).toEqual(before);
  expect(await fixture.ingest([small[3], { id: 'b', metadata: {} }])).toMatchObject({ duplicates: 2 });
  expect(await seal()).toBeNull();
});

it('all tables of a day are dropped at the end of its retention', async () => {
  await fixture.ingest(small);
  await fixture.ingest([{ id: 'b', metadata: fields(() => 'x') }]);
  expect(await fixture.store.enforceRetention(NOW_MICROS + 400 * 86_400e6)).toBe(1);
  expect(tables()).toEqual([]);
  await fixture.reopen();
  expect(tables()).toEqual([]);
});

it.each([
  { becomes: 'text', value: 'z', sealed: ['7', 'z', 'z'] },
  { becomes: 'fractions', value: 1.5, sealed: ['7.0', '1.5', '1.5'] },
])('whole numbers that become $becomes in many fields', async ({ value, sealed }) => {
  await fixture.ingest([{ id: 'a', metadata: fields((i) => i) }, ...rows(ROWS / 2)]);
  await fixture.ingest([{ id: 'b', metadata: { f7: value } }]);
  expect(tables()).toEqual([TODAY]);
  await fixture.ingest([{ id: 'c', metadata: fields(() => value) }]);
  expect(tables()).toEqual([TODAY, NEXT]);
  const before = await content();
  expect(await seal()).toMatchObject({ rows: ROWS / 2 + 3 });
  expect(await sealedValues()).toEqual(sealed);
  expect(await content()).toEqual(before);
});

it('whole numbers that become text in a record that becomes a list of records', async () => {
  await fixture.ingest([{ id: 'a', metadata: { r: fields((i) => i) } }, ...rows(ROWS / 2)]);
  await fixture.ingest([{ id: 'b', metadata: { r: fields(() => 'x') } }]);
  await fixture.ingest([{ id: 'c', metadata: { r: [{ f7: 1 }, {}] } }]);
  expect(tables()).toEqual([TODAY, NEXT]);
  const before = await content();
  expect(await seal()).toMatchObject({ rows: ROWS / 2 + 3 });
  expect(tables()).toHaveLength(1);
  expect(await content()).toEqual(before);
});
