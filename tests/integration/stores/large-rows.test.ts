/** Events of hundreds of kilobytes in a store with little memory. */
import { openFixture, makeSource, type StoreFixture, TODAY } from './store-fixture';

const MEMORY_LIMIT_MB = 64;
const TEXT = 'x'.repeat(200_000);

let fixture: StoreFixture;
beforeEach(async () => (fixture = await openFixture([makeSource()], MEMORY_LIMIT_MB)));
afterEach(() => fixture.remove());

it('a row group has few of them, so each can be read and written', async () => {
  const events = Array.from({ length: 60 }, (_, i) => ({ id: `e${i}`, metadata: { i, text: TEXT } }));
  expect(await fixture.ingest(events)).toMatchObject({ accepted: 60 });
  const { columns } = await fixture.read(
    `SELECT max(count)::BIGINT FROM pragma_storage_info('${TODAY}') WHERE column_name = 'id'`,
    ['INT64']
  );
  expect(Number(columns[0]![0])).toBeLessThanOrEqual(30);
  expect((await fixture.read(`SELECT count(*) FROM "${TODAY}"`, ['INT64'])).columns).toEqual([[60n]]);
  expect(fixture.problems).toEqual([]);
});
