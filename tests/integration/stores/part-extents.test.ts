/** What the store knows of its parts: queries for the newest rows begin at the newest event. */
import type { CatalogPart } from '#compiler/store';
import { NOW_MICROS, openFixture, type StoreFixture } from './store-fixture';

const DAY = 86_400_000_000;

let fixture: StoreFixture;
beforeEach(async () => (fixture = await openFixture()));
afterEach(() => fixture.remove());

const event = (id: string, micros: number): object => ({ id, timestamp: micros, event_message: 'a', project: 'p' });

/** Time of the newest event of each part before now, newest day first; null: not known. */
function ages(): readonly (number | null)[] {
  return fixture.source().parts.map((part) => {
    const newest = fixture.store.extentOf?.(part)?.newestMicros ?? null;
    return newest === null ? null : NOW_MICROS - newest;
  });
}

test('the time of the newest event is known after each batch', async () => {
  await fixture.ingest([event('a', NOW_MICROS - 5000), event('b', NOW_MICROS - 7000)]);
  expect(ages()).toEqual([5000]);
  await fixture.ingest([event('c', NOW_MICROS - 2000), event('d', NOW_MICROS - DAY)]);
  expect(ages()).toEqual([2000, DAY]);
  await fixture.ingest([event('e', NOW_MICROS - 9000)]);
  expect(ages()).toEqual([2000, DAY]);
});

test('after a start, that of the newest day is read, also where it is sealed', async () => {
  await fixture.ingest([event('a', NOW_MICROS - 5000), event('b', NOW_MICROS - DAY)]);
  await fixture.reopen();
  expect(ages()).toEqual([5000, null]);
  const { sealing } = fixture.store;
  const { signal } = new AbortController();
  while ((await sealing!.sealNext(signal)) !== null);
  await fixture.ingest([event('c', NOW_MICROS - DAY + 1)]);
  await fixture.reopen();
  const newest = ages().filter((age) => age !== null);
  expect(newest).toEqual([5000]);
});

test('nothing is known of a table of another store', () => {
  const other: CatalogPart = { table: 'other', fromMicros: 0, toMicros: DAY, columns: new Map(), json: null };
  expect(fixture.store.extentOf?.(other)).toBeNull();
});
