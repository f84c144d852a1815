/**
 * Counts of whole days that the store keeps: each query has the rows that it has without them.
 *
 * @slow 40
 */
import fc from 'fast-check';
import type { AdhocText } from '#contract/queries/query';
import { type SavedQuery, savedQuerySchema } from '#contract/queries/saved-query';
import { compile } from '#compiler/compile';
import type { CompiledQuery } from '#compiler/output/compiled-query';
import { createPlanCache } from '#server/engine/query/plan-cache';
import { redactionPolicy } from '#server/engine/redaction/policy';
import { sourceRedaction } from '#server/engine/redaction/source-redaction';
import type { StoreRows } from '#server/stores/store';
import { makeSource, NOW_MICROS, openFixture, type StoreFixture } from '../store-fixture';

const DAY = 86_400_000_000;
const HOUR = DAY / 24;
const SOURCE = makeSource({
  columns: { project: 'STRING' },
  tenant: 'project',
  fields: { path: 'STRING', size: 'INT64', ok: 'BOOL', took: 'FLOAT64' },
});

interface Call {
  readonly text: string;
  readonly adhoc?: AdhocText;
  readonly parameters?: Readonly<Record<string, string | null>>;
  readonly tenant?: string | null;
  readonly redact?: boolean;
  readonly nowMicros?: number;
}

const plan = createPlanCache();
const definitions = new Map<string, SavedQuery>();

function definitionOf(query: string): SavedQuery {
  const known = definitions.get(query);
  if (known !== undefined) return known;
  const id = `00000000-0000-4000-8000-${String(definitions.size).padStart(12, '0')}`;
  const parameters = [{ name: 'path' }, { name: 'day' }];
  const made = savedQuerySchema.parse({ id, name: `counts-${definitions.size}`, query, parameters, sandbox: true });
  definitions.set(query, made);
  return made;
}

function compiled(fixture: StoreFixture, call: Call, make: typeof compile): CompiledQuery {
  const { text, adhoc = null, parameters = {}, tenant = null, redact = false, nowMicros = NOW_MICROS } = call;
  const policy = redactionPolicy(redact, ['email', 'ip', 'token', 'card']);
  return make({
    definition: definitionOf(text),
    adhoc,
    parameters: { path: null, day: null, ...parameters },
    catalog: fixture.store.catalog(),
    nowMicros,
    maxRows: 1000,
    redaction: sourceRedaction(policy),
    tenant,
  });
}

const never = new AbortController().signal;

/** The rows with kept counts. */
function ask(fixture: StoreFixture, call: Call): Promise<StoreRows> {
  return fixture.store.execute(compiled(fixture, call, plan), never);
}

/** The rows without. */
function askPlain(fixture: StoreFixture, call: Call): Promise<StoreRows> {
  return fixture.store.execute({ ...compiled(fixture, call, compile), split: () => null }, never);
}

type Outcome = Pick<StoreRows, 'days'> & { readonly rows: unknown };

async function outcome(run: Promise<StoreRows>): Promise<unknown> {
  return (await outcomeOf(run)).rows;
}

async function outcomeOf(run: Promise<StoreRows>): Promise<Outcome> {
  try {
    const { columns, rowCount, truncated, days } = await run;
    return { rows: { columns, rowCount, truncated }, days };
  } catch (error) {
    const { code, message, details } = error as { code: string; message: string; details: unknown };
    return { rows: { code, message, details }, days: undefined };
  }
}

function written(columns: StoreRows['columns']): string {
  return JSON.stringify(columns, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}

async function expectSame(fixture: StoreFixture, call: Call): Promise<StoreRows['days']> {
  const expected = await outcome(askPlain(fixture, call));
  expect(await outcome(ask(fixture, call))).toEqual(expected);
  const { rows, days } = await outcomeOf(ask(fixture, call));
  expect(rows).toEqual(expected);
  return days;
}

let nextId = 0;
function event(day: number, facts: Partial<Record<'project' | 'path' | 'size' | 'ok' | 'took', unknown>> = {}): object {
  const { project = 'a', ...fields } = facts;
  nextId += 1;
  const timestamp = NOW_MICROS - day * DAY + (nextId % 20) * HOUR - 10 * HOUR;
  return { id: `e${nextId}`, timestamp, event_message: 'done', project, metadata: fields };
}

describe('counts of days', () => {
  let fixture: StoreFixture;
  beforeEach(async () => (fixture = await openFixture([SOURCE], 256, { keptCountsMaxBytes: 32 << 20, settledMs: 0 })));
  afterEach(() => fixture.remove());

  const byPath: Call = {
    text: `SELECT m.path, COUNT(*) AS n, SUM(m.size) AS total FROM events CROSS JOIN UNNEST(metadata) AS m
      GROUP BY 1 ORDER BY 1`,
  };
  const week = Array.from({ length: 5 }, (_, day) => event(day, { path: `/${day % 2}`, size: day }));

  test('a second call reads no day that has not changed', async () => {
    await fixture.ingest(week);
    expect((await ask(fixture, byPath)).days).toMatchObject({ read: 5, kept: 0 });
    const again = await ask(fixture, byPath);
    expect(again.days).toMatchObject({ read: 0, kept: 5 });
    expect(again.columns).toEqual((await askPlain(fixture, byPath)).columns);
  });

  test('a late event makes its day be read again', async () => {
    await fixture.ingest(week);
    await expectSame(fixture, byPath);
    await fixture.ingest([event(3, { path: '/late', size: 7 })]);
    expect((await ask(fixture, byPath)).days).toMatchObject({ read: 1, kept: 4 });
    await expectSame(fixture, byPath);
  });

  test('a day that is cut by the window is read each time', async () => {
    await fixture.ingest(week);
    const text = `SELECT COUNT(*) AS n FROM events WHERE timestamp >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 3 DAY)`;
    const first = { text, nowMicros: NOW_MICROS + HOUR / 2 };
    expect(await expectSame(fixture, first)).toMatchObject({ read: 1, kept: 3 });
    const later = { text, nowMicros: NOW_MICROS + 3.5 * HOUR };
    expect(await expectSame(fixture, later)).toMatchObject({ read: 1, kept: 3 });
  });

  test('queries of one window after the other have the rows of their window', async () => {
    await fixture.ingest(Array.from({ length: 80 }, (_, i) => event(i % 5, { path: `/${i % 3}`, size: i })));
    const text = `SELECT m.path, COUNT(*) AS n, MAX(t.timestamp) AS latest FROM events AS t CROSS JOIN UNNEST(t.metadata) AS m
      WHERE t.timestamp BETWEEN TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 60 HOUR) AND CURRENT_TIMESTAMP()
      GROUP BY 1 ORDER BY 1`;
    for (let hours = -50; hours < 20; hours += 3)
      await expectSame(fixture, { text, nowMicros: NOW_MICROS + hours * HOUR + (hours % 2) });
  });

  test('a dropped day is not counted', async () => {
    await fixture.ingest(week);
    await expectSame(fixture, byPath);
    await fixture.store.enforceRetention(NOW_MICROS + (SOURCE.retention_days - 2) * DAY);
    expect((await ask(fixture, byPath)).days).toMatchObject({ read: 0, kept: 3 });
    await expectSame(fixture, byPath);
  });

  test('a sealed day is counted once, and again with late events', async () => {
    await fixture.ingest(week);
    await expectSame(fixture, byPath);
    await fixture.store.sealing!.sealNext(never);
    await expectSame(fixture, byPath);
    await fixture.ingest(Array.from({ length: 5 }, (_, day) => event(day, { path: '/late', size: 1 })));
    await expectSame(fixture, byPath);
    await fixture.store.sealing!.sealNext(never);
    expect(await expectSame(fixture, byPath)).toMatchObject({ kept: 5 });
  });

  test('a new field of a day is counted', async () => {
    await fixture.ingest(week);
    const text = `SELECT COUNT(m.fresh) AS n FROM events CROSS JOIN UNNEST(metadata) AS m`;
    await fixture.ingest([event(1, { path: '/', ...{ fresh: 'x' } })]);
    await expectSame(fixture, { text });
    await fixture.ingest([event(2, { path: '/', ...{ fresh: 'y' } })]);
    await expectSame(fixture, { text });
  });

  test('tenants, parameters and redaction have counts of their own', async () => {
    await fixture.ingest([
      ...week,
      event(1, { project: 'b', path: 'mail eve@example.org' }),
      event(2, { project: 'a', path: 'mail bob@example.org' }),
    ]);
    const text = `SELECT m.path, COUNT(*) AS n FROM events CROSS JOIN UNNEST(metadata) AS m
      WHERE @path IS NULL OR m.path = @path GROUP BY 1 ORDER BY 1`;
    for (const tenant of [null, 'a', 'b', 'none'])
      for (const redact of [false, true])
        for (const path of [null, '/0', 'mail eve@example.org', "' OR TRUE --"])
          await expectSame(fixture, { text, tenant, redact, parameters: { path } });
    const inSandbox = `WITH logs AS (SELECT t.timestamp, m.path FROM events AS t CROSS JOIN UNNEST(t.metadata) AS m)
      SELECT path FROM logs`;
    const adhoc: AdhocText = {
      language: 'sql',
      text: 'SELECT path, COUNT(*) AS n FROM logs GROUP BY path ORDER BY path',
    };
    for (const redact of [false, true, false])
      for (const tenant of ['a', 'b', null]) await expectSame(fixture, { text: inSandbox, adhoc, tenant, redact });
    const seen = written((await ask(fixture, { text: inSandbox, adhoc, tenant: 'a', redact: true })).columns);
    expect(seen).not.toContain('eve');
    expect(seen).not.toContain('bob@');
  });

  test('ad-hoc SQL and LQL in the sandbox of a saved query use them', async () => {
    await fixture.ingest(week);
    const text = `WITH logs AS (SELECT t.id, t.timestamp, t.event_message, m.path, m.size FROM events AS t
      CROSS JOIN UNNEST(t.metadata) AS m) SELECT id FROM logs`;
    const sql: AdhocText = {
      language: 'sql',
      text: 'SELECT path, MAX(size) AS m FROM logs GROUP BY path ORDER BY path',
    };
    expect(await expectSame(fixture, { text, adhoc: sql })).toMatchObject({ read: 0, kept: 5 });
    const lql: AdhocText = { language: 'lql', text: 'f:logs c:count(*) c:group_by(t::day)' };
    expect(await expectSame(fixture, { text, adhoc: lql })).toMatchObject({ kept: 5 });
  });

  test('a call that fails on an event fails alike, first and again', async () => {
    await fixture.ingest([...week, event(2, { path: '/x', size: 0 })]);
    const text = `SELECT SUM(CAST(m.path AS INT64)) AS n FROM events CROSS JOIN UNNEST(metadata) AS m`;
    await expectSame(fixture, { text });
    expect(await outcome(ask(fixture, { text }))).toMatchObject({ code: 'query_invalid' });
  });

  test('equal calls at once have the same rows', async () => {
    await fixture.ingest(week);
    const expected = (await askPlain(fixture, byPath)).columns;
    const all = await Promise.all(Array.from({ length: 6 }, () => ask(fixture, byPath)));
    for (const { columns } of all) expect(columns).toEqual(expected);
  });

  test('a canceled call ends, and the next one has its rows', async () => {
    await fixture.ingest(week);
    const call = fixture.store.execute(compiled(fixture, byPath, plan), AbortSignal.abort());
    await expect(call).rejects.toMatchObject({ code: 'query_timeout' });
    await expectSame(fixture, byPath);
  });

  test('calls during inserts count each acknowledged event once', async () => {
    await fixture.ingest(week);
    const text = 'SELECT COUNT(*) AS n FROM events';
    let stored = week.length;
    for (let round = 0; round < 25; round++) {
      const insert = fixture.ingest([event(round % 5, { path: '/r' })]).then(() => (stored += 1));
      const before = BigInt(stored);
      const calls = await Promise.all([ask(fixture, { text }), ask(fixture, { text })]);
      for (const { columns } of calls) {
        expect(columns[0]![0]).toBeGreaterThanOrEqual(before);
        expect(columns[0]![0]).toBeLessThanOrEqual(before + 1n);
      }
      await insert;
      expect((await ask(fixture, { text })).columns[0]![0]).toBe(BigInt(stored));
    }
  });
});

const KEYS = [
  'm.path',
  'm.ok',
  'm.size',
  'TIMESTAMP_TRUNC(t.timestamp, DAY)',
  'TIMESTAMP_TRUNC(t.timestamp, HOUR)',
  'TIMESTAMP_TRUNC(t.timestamp, MONTH)',
  "TIMESTAMP_TRUNC(t.timestamp, DAY, 'Asia/Kolkata')",
  "FORMAT_TIMESTAMP('%a', TIMESTAMP_TRUNC(t.timestamp, WEEK))",
  'MOD(m.size, 2)',
  'LOWER(m.path)',
  'm.took',
  "IF(m.ok, 'y', m.path)",
  'DATE(t.timestamp)',
  '@path',
];
const AGGREGATES = [
  'COUNT(*)',
  'COUNT(m.size)',
  'COUNTIF(m.ok)',
  'SUM(m.size)',
  'SUM(IF(m.ok, m.size, 0))',
  'MIN(m.took)',
  'MAX(m.took)',
  'MIN(m.path)',
  'MAX(t.timestamp)',
  'LOGICAL_AND(m.ok)',
  'LOGICAL_OR(m.ok)',
  'COUNT(DISTINCT m.path)',
  'AVG(m.size)',
  'COALESCE(SUM(m.size), 0) + COUNT(*)',
  'SUM(COUNT(*)) OVER ()',
  'MAX(IF(m.size > 0, m.took, NULL))',
];
const CONDITIONS = [
  't.timestamp >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 3 DAY)',
  't.timestamp < CURRENT_TIMESTAMP()',
  "t.timestamp BETWEEN TIMESTAMP '2026-11-17' AND TIMESTAMP '2026-11-19 06:00:00'",
  "TIMESTAMP '2026-11-18' <= t.timestamp",
  'm.ok',
  'm.size > 1',
  'm.path = @path',
  't.timestamp >= CAST(@day AS TIMESTAMP)',
  "STRPOS(m.path, '/') > 0",
  'TIMESTAMP_DIFF(CURRENT_TIMESTAMP(), t.timestamp, DAY) < 3',
  "TIMESTAMP_TRUNC(t.timestamp, DAY) IN (TIMESTAMP '2026-11-17', TIMESTAMP '2026-11-19')",
];
const SHAPES = [
  (inner: string) => inner,
  (inner: string) => `WITH q AS (${inner}) SELECT * FROM q WHERE a0 IS NOT NULL`,
  (inner: string) => `SELECT MAX(a0) AS a0, COUNT(*) AS a1 FROM (${inner})`,
  (inner: string) => `SELECT x.* FROM (${inner}) AS x CROSS JOIN UNNEST([1, 2]) AS y`,
  (inner: string) => `${inner} HAVING COUNT(*) > 1`,
];

const query = fc
  .record({
    keys: fc.uniqueArray(fc.constantFrom(...KEYS), { maxLength: 2 }),
    aggregates: fc.uniqueArray(fc.constantFrom(...AGGREGATES), { minLength: 1, maxLength: 3 }),
    conditions: fc.uniqueArray(fc.constantFrom(...CONDITIONS), { maxLength: 2 }),
    shape: fc.nat({ max: SHAPES.length - 1 }),
    isDerived: fc.boolean(),
  })
  .map(({ keys, aggregates, conditions, shape, isDerived }) => {
    const from = isDerived
      ? '(SELECT timestamp, metadata FROM events WHERE TIMESTAMP_TRUNC(timestamp, DAY) IS NOT NULL) AS t CROSS JOIN UNNEST(t.metadata) AS m'
      : 'events AS t CROSS JOIN UNNEST(t.metadata) AS m';
    const items = [...aggregates.map((text, i) => `${text} AS a${i}`), ...keys.map((text, i) => `${text} AS k${i}`)];
    const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
    const group = keys.length === 0 ? '' : ` GROUP BY ${keys.map((_, i) => aggregates.length + i + 1).join(', ')}`;
    return SHAPES[shape]!(`SELECT ${items.join(', ')} FROM ${from}${where}${group}`);
  });

/** A query over groups, some of which cannot be made of parts. */
const nested = fc
  .record({
    key: fc.constantFrom('m.path', 'TIMESTAMP_TRUNC(t.timestamp, DAY)', 'MOD(m.size, 2)', 'LOWER(m.path)'),
    value: fc.constantFrom('COUNT(*)', 'SUM(m.size)', 'COUNTIF(m.ok)', 'MIN(m.size)', 'MAX(m.size)', 'COUNT(*) + 1'),
    outer: fc.uniqueArray(
      fc.constantFrom(
        ...['SUM(v)', 'SUM(IF(o, v, 0))', 'SUM(IF(o, v, 1))', 'SUM(CASE WHEN o THEN v END)', 'SUM(IF(v > 1, v, 0))'],
        ...['MAX(v)', 'MIN(v)', 'COUNT(*)', 'COUNT(v)', 'AVG(v)', 'SUM(ABS(v))', 'SUM(COALESCE(v, 0))', 'MAX(k)'],
        ...['LOGICAL_OR(o)', 'LOGICAL_AND(v > 1)', 'SUM(v) + 1', 'MIN(IF(o, k, NULL))', 'SUM(IF(o, v, v))']
      ),
      { minLength: 1, maxLength: 3 }
    ),
    by: fc.constantFrom('', 'o', 'k', 'o IS NULL'),
    where: fc.constantFrom('', ' WHERE o', ' WHERE v > 1', ' WHERE k IS NOT NULL'),
    condition: fc.constantFrom('', ...CONDITIONS.map((text) => ` WHERE ${text}`)),
  })
  .map(({ key, value, outer, by, where, condition }) => {
    const inner = `SELECT ${key} AS k, m.ok AS o, ${value} AS v FROM events AS t CROSS JOIN UNNEST(t.metadata) AS m${condition} GROUP BY 1, 2`;
    const items = [...(by === '' ? [] : [`${by} AS b`]), ...outer.map((text, i) => `${text} AS a${i}`)];
    return `WITH q AS (${inner}) SELECT ${items.join(', ')} FROM q${where}${by === '' ? '' : ' GROUP BY 1'}`;
  });

const call = fc.record({
  text: fc.oneof(query, nested),
  tenant: fc.constantFrom(null, null, 'a', 'b'),
  redact: fc.constantFrom(false, false, false, true),
  parameters: fc.record({
    path: fc.constantFrom(null, '/a', 'x@example.org'),
    day: fc.constantFrom(null, '2026-11-18', '2026-11-17T05:00:00Z'),
  }),
  nowMicros: fc.nat({ max: 30 }).map((hours) => NOW_MICROS + hours * HOUR),
});
const facts = fc.record(
  {
    project: fc.constantFrom('a', 'b'),
    path: fc.constantFrom('/a', '/A', '', 'x@example.org', 'é\u0000"'),
    size: fc.integer({ min: -3, max: 3 }),
    ok: fc.boolean(),
    took: fc.constantFrom(0.5, 1e300, -2.25, 0),
  },
  { requiredKeys: ['project'] }
);
const insert = fc.array(fc.tuple(fc.nat({ max: 4 }), facts), { minLength: 1, maxLength: 6 });
const step = fc.oneof(
  { weight: 4, arbitrary: call.map((asked) => ({ kind: 'call' as const, asked })) },
  { weight: 3, arbitrary: insert.map((events) => ({ kind: 'insert' as const, events })) },
  { weight: 1, arbitrary: fc.constant({ kind: 'seal' as const }) },
  { weight: 1, arbitrary: fc.nat({ max: 2 }).map((days) => ({ kind: 'drop' as const, days })) }
);

test.each([32 << 20, 600_000])(
  'any counts are the same with %i bytes of kept ones as without',
  async (keptCountsMaxBytes) => {
    const fixture = await openFixture([SOURCE], 256, { keptCountsMaxBytes, settledMs: 0 });
    let kept = 0;
    try {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 8 }), async (steps) => {
          const asked: Call[] = [];
          for (const one of steps) {
            if (one.kind === 'insert') await fixture.ingest(one.events.map(([day, fields]) => event(day, fields)));
            else if (one.kind === 'seal') await fixture.store.sealing!.sealNext(never);
            else if (one.kind === 'drop')
              await fixture.store.enforceRetention(NOW_MICROS + (SOURCE.retention_days - one.days - 2) * DAY);
            else asked.push(ordered(one.asked));
            for (const again of asked) kept += (await expectSame(fixture, again))?.kept ?? 0;
          }
        }),
        { numRuns: 20 }
      );
    } finally {
      await fixture.remove();
    }
    expect(kept).toBeGreaterThan(0);
  },
  120_000
);

/** Rows in an order of all columns, since a query without one may return them in any. */
function ordered(asked: Call): Call {
  return { ...asked, text: `SELECT TO_JSON_STRING(r) AS j FROM (${asked.text}) AS r ORDER BY j` };
}
