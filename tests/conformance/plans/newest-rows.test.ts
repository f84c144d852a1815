/** Newest rows are read in pieces of time: for any limit, they are the first rows of the whole order. */
import { savedQuerySchema } from '#contract/queries/saved-query';
import { sourceSchema } from '#contract/events/source';
import { compile } from '#compiler/compile';
import { ingestBatch } from '../../support/stores/ingest-batch';
import { openStoreUnderTest, type OpenStore } from '../../support/stores/current';

const NOW_MICROS = Date.UTC(2026, 2, 1, 12) * 1000;
const MINUTE = 60_000_000;
const DAY = 24 * 60 * MINUTE;

interface Row {
  readonly id: string;
  readonly timestamp: number;
  readonly project: string;
}

/** Events at both sides of each cut, several at one time, some of them newer than now. */
const ROWS: readonly Row[] = [-300, 0, 15, 120, 700, 721, 1500, 4000, 9000]
  .flatMap((minutes) => [-1, 0, 0, 0, 1].map((micros) => NOW_MICROS - minutes * MINUTE + micros))
  .map((timestamp, i) => ({ id: `e${(i * 7) % 45}`, timestamp, project: i % 3 === 0 ? 'b' : 'a' }));

const SOURCE = sourceSchema.parse({ name: 'events', columns: { project: 'STRING' }, tenant: 'project' });

let opened: OpenStore;
beforeAll(async () => {
  opened = await openStoreUnderTest([SOURCE]);
  const body = Buffer.from(ROWS.map((row) => JSON.stringify({ event_message: 'x', ...row })).join('\n'));
  await opened.store.ingest(ingestBatch({ source: 'events', body, nowMicros: NOW_MICROS }));
  await opened.store.catchUp();
}, 60_000);
afterAll(() => opened.close());

interface Asked {
  readonly where?: string;
  readonly tenant?: string;
  readonly to?: number;
}

async function newest(limit: number, { where = 'TRUE', tenant, to }: Asked): Promise<unknown[]> {
  const definition = savedQuerySchema.parse({
    id: '00000000-0000-4000-8000-000000000001',
    name: 'newest',
    parameters: [{ name: 'to', format: 'iso8601' }],
    // As in logs.all: a query that filters itself is not cut into pieces.
    query: `WITH e AS (
        SELECT t.id, t.timestamp FROM events AS t WHERE ${where} AND t.timestamp <= COALESCE(@to, '2100-01-01T00:00:00Z')
      )
      SELECT id, timestamp FROM e ORDER BY timestamp DESC, id LIMIT ${limit}`,
  });
  const query = compile({
    definition,
    adhoc: null,
    parameters: { to: to === undefined ? null : new Date(to / 1000).toISOString() },
    catalog: opened.store.catalog(),
    nowMicros: NOW_MICROS,
    maxRows: 1000,
    redaction: null,
    tenant: tenant ?? null,
  });
  const { columns } = await opened.store.execute(query, new AbortController().signal);
  return columns[0]!.map((id, i) => [id, Number(columns[1]![i])]);
}

test.each<[string, Asked, (row: Row) => boolean]>([
  ['all rows', {}, () => true],
  ['those of a filter', { where: "t.project = 'b'" }, ({ project }) => project === 'b'],
  ['those of a tenant', { tenant: 'a' }, ({ project }) => project === 'a'],
  [
    'those of a tenant where an expression may fail',
    { tenant: 'a', where: 'LENGTH(t.id) / LENGTH(t.project) > 0' },
    ({ project }) => project === 'a',
  ],
  ['those before a time', { to: NOW_MICROS - 2 * DAY }, ({ timestamp }) => timestamp <= NOW_MICROS - 2 * DAY],
  [
    'those before the middle of a day',
    { to: NOW_MICROS - 700 * MINUTE },
    ({ timestamp }) => timestamp <= NOW_MICROS - 700 * MINUTE,
  ],
])('the newest of %s', async (_what, asked, isAsked) => {
  const all = ROWS.filter(isAsked)
    .sort((a, b) => b.timestamp - a.timestamp || (a.id < b.id ? -1 : 1))
    .map(({ id, timestamp }) => [id, timestamp]);
  expect(all.length).toBeGreaterThan(5);
  for (let limit = 1; limit <= all.length + 1; limit += 1)
    expect(await newest(limit, asked)).toEqual(all.slice(0, limit));
});
