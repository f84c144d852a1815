/** Events in a real ClickHouse engine: columns, duplicates, errors and fields. */
import type { IngestResult } from '#contract/queries/result';
import { ingestBatch } from '../../../support/stores/ingest-batch';
import { type ClickHouseEngine, type FaultRule, startClickHouseEngine } from '../../../support/processes/clickhouse';
import { openClickHouseStore } from '#server/stores/clickhouse/clickhouse-store';
import { countDoubled, reportSchema } from '#server/stores/clickhouse/schema/change-schema';
import { deleteCopies, tenantHash } from '#server/stores/clickhouse/schema/statements';
import { storedTenant } from '#server/stores/clickhouse/schema/stored-tenant';
import { type ClickHouseFixture, makeTables, openClickHouse } from './clickhouse-fixture';
import { makeSource, NOW_MICROS } from '../store-fixture';

let engine: ClickHouseEngine;
let fixture: ClickHouseFixture;

beforeAll(async () => {
  engine = await startClickHouseEngine();
}, 30_000);
afterAll(() => engine.stop());

beforeEach(async () => {
  fixture = await openClickHouse(
    engine,
    makeSource({ fields: { 'request.path': 'STRING', 'request.port': 'INT64', 'request.ms': 'FLOAT64' } })
  );
});
afterEach(() => fixture.close());

const at = (time: string): string => `2026-11-20T${time}Z`;
const counts = ({ accepted, duplicates, rejected }: IngestResult): number[] => [accepted, duplicates, rejected];

async function texts(sql: string): Promise<readonly unknown[]> {
  return (await fixture.read(sql, ['STRING'])).columns[0]!;
}

it.each<[string, Parameters<typeof makeSource>[0]]>([
  ['the time alone', { columns: {} }],
  ['a column and the time', { columns: { project: 'STRING' } }],
  ['a field and the time', { columns: {}, fields: { project: 'STRING' } }],
])('a table that is sorted by %s is as this version makes it', async (_, changes) => {
  await fixture.close();
  fixture = await openClickHouse(engine, makeSource(changes));
  const { options } = fixture;
  expect(await reportSchema(options, options.sources)).toMatchObject({ problems: [], steps: [] });
});

describe('events', () => {
  it('have declared fields in columns and the others in the JSON column, and their text as in all stores', async () => {
    await fixture.ingest([
      {
        id: 'a',
        timestamp: '2026-11-20T01:30:00.123456+02:00',
        project: 'p',
        event_message: 'hello',
        metadata: { request: { path: '/x', port: 80, ms: 2, ok: true, day: '2026-01-01' }, tags: ['a', 'b'] },
      },
    ]);
    const path = (name: string, type: string): string => `_fields.\`metadata.request.${name}\`.:${type}`;
    const rows = await fixture.read(
      `SELECT id, timestamp, event_message, project, \`metadata.request.path\`, \`metadata.request.port\`, \`metadata.request.ms\`,
        \`metadata.request\`, ${path('ok', 'Bool')}, ${path('day', 'String')}, metadata_json FROM events`,
      ['STRING', 'TIMESTAMP', 'STRING', 'STRING', 'STRING', 'INT64', 'FLOAT64', 'BOOL', 'BOOL', 'STRING', 'RECORD_TEXT']
    );
    expect(rows.columns.map(([value]) => value)).toEqual([
      'a',
      BigInt(Date.UTC(2026, 10, 19, 23, 30)) * 1000n + 123456n,
      'hello',
      'p',
      '/x',
      80n,
      2,
      true,
      true,
      '2026-01-01',
      '{"request":{"path":"/x","port":80,"ms":2,"ok":true,"day":"2026-01-01"},"tags":["a","b"]}',
    ]);
    expect([...fixture.part().json!.storedAs]).toEqual([
      ['metadata.request.ok', ['BOOL']],
      ['metadata.request.day', ['STRING']],
    ]);
    expect(fixture.field('tags')).toEqual({ kind: 'list', element: 'STRING', column: null });
  });

  it('keep texts and keys of any characters', async () => {
    const text = 'tab\t line\n quote" back\\ \u0001 \u001f ünïcode 🦆 \' ; -- `';
    await fixture.ingest([{ id: text, event_message: text, metadata: { [text]: text, '': 'empty', 'a.b': 1 } }]);
    expect(await texts('SELECT event_message FROM events')).toEqual([text]);
    for (const [key, value] of [
      [text, text],
      ['', 'empty'],
    ] as const) {
      const field = fixture.store.catalog().sources[0]!.metadata.fields.get(key);
      const column = field?.kind === 'leaf' ? field.column : null;
      expect(await texts(`SELECT _fields.\`${column}\`.:String FROM events`)).toEqual([value]);
    }
  });

  it('without metadata have an empty record, and absent texts are NULL', async () => {
    await fixture.ingest([{ id: 'a' }, { id: 'b', event_message: '', project: '' }]);
    const rows = await fixture.read('SELECT event_message, project, metadata_json FROM events ORDER BY id', [
      'STRING',
      'STRING',
      'RECORD_TEXT',
    ]);
    expect(rows.columns).toEqual([
      [null, ''],
      [null, ''],
      ['{}', '{}'],
    ]);
  });
});

describe('the same event', () => {
  it('is stored once: within a batch, over batches, over servers, and from many senders at once', async () => {
    const event = { id: 'a', timestamp: at('10:00:00'), event_message: 'm' };
    expect(counts(await fixture.ingest([event, event]))).toEqual([2, 1, 0]);
    expect(counts(await fixture.ingest([event]))).toEqual([1, 1, 0]);
    expect(counts(await fixture.ingest([{ ...event, timestamp: at('10:00:01') }]))).toEqual([1, 0, 0]);
    const another = await fixture.openAnother();
    const body = Buffer.from(JSON.stringify(event));
    expect(counts(await another.ingest(ingestBatch({ source: 'events', body, nowMicros: NOW_MICROS })))).toEqual([
      1, 1, 0,
    ]);
    const results = await Promise.all(Array.from({ length: 8 }, () => fixture.ingest([{ ...event, id: 'many' }])));
    expect(results.reduce((sum, { duplicates }) => sum + duplicates, 0)).toBe(7);
    expect(await texts('SELECT id FROM events ORDER BY id')).toEqual(['a', 'a', 'many']);
  });

  it('is recognized by its tenant in a field that is not declared, and without a tenant', async () => {
    await fixture.close();
    fixture = await openClickHouse(engine, makeSource({ tenant: 'metadata.of.org' }));
    const records = [
      '{"org":"a"}',
      '{"org":7}',
      '{"org":true}',
      '{"org":""}',
      '{"org":null}',
      '{"org":[]}',
      '{}',
      'null',
    ];
    const lines = records.map((of, i) => `{"id":"${i}","timestamp":"${at('10:00:00')}","metadata":{"of":${of}}}`);
    const body = [...lines, `{"id":"bare","timestamp":"${at('10:00:00')}"}`].join('\n');
    const all = records.length + 1;
    expect(counts(await fixture.ingest(body))).toEqual([all, 0, 0]);
    expect(counts(await fixture.ingest(body))).toEqual([all, all, 0]);
    expect(counts(await fixture.ingest(lines[0]!.replace('"a"', '"b"')))).toEqual([1, 0, 0]);
  });

  it('without a tenant is deleted apart from that of the tenant with an empty name', async () => {
    await fixture.close();
    const source = makeSource({ columns: { project: 'STRING' }, tenant: 'project', tenant_optional: true });
    fixture = await openClickHouse(engine, source);
    const event = { id: 'same', timestamp: at('10:00:00') };
    expect(counts(await fixture.ingest([event, { ...event, project: '' }]))).toEqual([2, 0, 0]);
    const { database } = fixture.options;
    const tenant = storedTenant(source, new Set(['project']));
    const [[hash, name, micros, mark] = []] = await engine.query(
      `SELECT toString(cityHash64(id)), toString(${tenantHash(tenant)}), toUnixTimestamp64Micro(timestamp), toString(_insert) ` +
        `FROM ${database}.events WHERE project IS NULL`
    );
    const [id, tenantId, insert] = [hash, name, mark].map((digits) => BigInt(String(digits)));
    const copy = { id: 'same', tenant: null, hash: id!, tenantHash: tenantId!, micros: Number(micros), mark: insert! };
    await engine.query(deleteCopies({ table: 'events', tenant }, [copy], { database, cluster: null }));
    expect(await engine.query(`SELECT project FROM ${database}.events`)).toEqual([['']]);
  });

  it('counts as stored twice for its tenant only', async () => {
    await fixture.close();
    fixture = await openClickHouse(engine, makeSource({ columns: { project: 'STRING' }, tenant: 'project' }));
    const { options } = fixture;
    const nowMicros = Date.now() * 1000;
    const events = ['a', 'b'].map((project) => ({ id: 'same', timestamp: nowMicros - 60_000_000, project }));
    expect(counts(await fixture.ingest(events, nowMicros))).toEqual([2, 0, 0]);
    const doubled = async () => countDoubled(options, options.sources, await reportSchema(options, options.sources));
    expect(await doubled()).toEqual(new Map());
    const table = `${options.database}.events`;
    await engine.query(`INSERT INTO ${table} SELECT * FROM ${table} WHERE project = 'a'`);
    expect(await doubled()).toEqual(new Map([['events', 1]]));
  });

  it('is stored once among thousands with long ids', async () => {
    const id = (n: number): string => `${n}-${'"é'.repeat(40)}`;
    const events = Array.from({ length: 3000 }, (_, n) => ({ id: id(n), timestamp: at('10:00:00') }));
    expect(counts(await fixture.ingest(events))).toEqual([3000, 0, 0]);
    expect(counts(await fixture.ingest([...events, { id: id(3000), timestamp: at('10:00:00') }]))).toEqual([
      3001, 3000, 0,
    ]);
  });

  it('is stored once among thousands with short ids and times of their own, or none', async () => {
    const time = (n: number): string => new Date(NOW_MICROS / 1000 - n).toISOString().replace('Z', '123Z');
    const events = Array.from({ length: 14_000 }, (_, n) => ({
      id: `${n}`,
      ...(n % 2 === 0 && { timestamp: time(n) }),
    }));
    expect(counts(await fixture.ingest(events))).toEqual([14_000, 0, 0]);
    expect(counts(await fixture.ingest(events))).toEqual([14_000, 14_000, 0]);
    expect(counts(await fixture.ingest([{ id: '2', timestamp: time(3) }]))).toEqual([1, 0, 0]);
  });

  it('is recognized by a time in microseconds, and another one with that time is stored', async () => {
    const exact = (n: number): string => at(`10:00:00.${100_001 + n}`);
    const events = Array.from({ length: 100 }, (_, n) => ({ id: String(n), timestamp: exact(n) }));
    expect(counts(await fixture.ingest(events))).toEqual([100, 0, 0]);
    expect(counts(await fixture.ingest([...events, { id: 'x', timestamp: exact(5) }]))).toEqual([101, 100, 0]);
    expect(counts(await fixture.ingest([{ id: '5', timestamp: exact(6) }]))).toEqual([1, 0, 0]);
  });

  it('is recognized where many events share a time in microseconds', async () => {
    const timestamp = at('10:00:00.123457');
    const named = (from: number, count: number): unknown[] =>
      Array.from({ length: count }, (_, n) => ({ id: String(from + n), timestamp }));
    expect(counts(await fixture.ingest(named(0, 500)))).toEqual([500, 0, 0]);
    expect(counts(await fixture.ingest(named(490, 20)))).toEqual([20, 10, 0]);
    expect(await texts('SELECT toString(count()) FROM events')).toEqual(['510']);
  });

  it('without an id or a time is recognized by its delivery on the same and the next day, and not after two days', async () => {
    const batch = [{ event_message: 'no id' }];
    const dayMicros = 86_400_000_000;
    expect(counts(await fixture.ingest(batch))).toEqual([1, 0, 0]);
    expect(counts(await fixture.ingest(batch, NOW_MICROS + dayMicros))).toEqual([1, 1, 0]);
    expect(counts(await fixture.ingest(batch, NOW_MICROS + 2 * dayMicros))).toEqual([1, 0, 0]);
    // A clock that was set back past midnight.
    expect(counts(await fixture.ingest(batch, NOW_MICROS - dayMicros))).toEqual([1, 1, 0]);
  });

  it('without a time is recognized beside one of weeks ago, and the days between are not read', async () => {
    const late = { id: 'late', timestamp: '2026-10-01T10:00:00.123456Z' };
    const batch = [late, ...Array.from({ length: 100 }, (_, n) => ({ id: `new ${n}` }))];
    expect(counts(await fixture.ingest(batch))).toEqual([101, 0, 0]);
    await engine.query(
      `INSERT INTO ${fixture.options.database}.events (id, timestamp, metadata_json) ` +
        "SELECT toString(number), '2026-11-01 10:00:00', '{}' FROM numbers(10000)"
    );
    const profile = JSON.stringify({ max_rows_to_read: 1000 });
    await engine.setRules([{ match: '^SELECT id', then: { profile } }]);
    expect(counts(await fixture.ingest([...batch, { id: 'other' }]))).toEqual([102, 101, 0]);
    await engine.setRules([]);
  });

  it('is stored once when the response to its insert was lost', async () => {
    await engine.setRules([{ match: 'INSERT INTO `events`', times: 1, then: { reset: true, after: true } }]);
    expect(counts(await fixture.ingest([{ id: 'x', timestamp: at('09:00:00') }]))).toEqual([1, 0, 0]);
    await engine.setRules([]);
    expect(await texts('SELECT id FROM events')).toEqual(['x']);
  });
});

describe('large batches of many senders, some of which are the same', () => {
  const text = 'x'.repeat(60_000);
  const large = (name: string): { id: string; timestamp: string; event_message: string }[] =>
    Array.from({ length: 100 }, (_, n) => ({ id: `${name} ${n}`, timestamp: at('10:00:00'), event_message: text }));
  /** The first is stored alone, so that all others wait; those named twice are under way when they come again. */
  const names = ['a', 'b', 'c', 'd', 'b', 'a', 'e', 'c', 'f'];

  it.each<[string, readonly FaultRule[]]>([
    ['two inserts at once', [{ match: 'INSERT INTO `events`', then: { delayMs: 200 } }]],
    ['answers that are lost', [{ match: 'INSERT INTO `events`', times: 2, then: { reset: true, after: true } }]],
    ['an insert that fails for good', [{ match: 'INSERT INTO `events`', times: 1, then: { code: 243, message: '' } }]],
  ])('are stored once each, with %s', async (_, rules) => {
    const roomy = await openClickHouse(engine, makeSource(), { maxWaitingBytes: 1e9 });
    await engine.setRules(rules);
    const outcomes = await Promise.all(names.map((name) => roomy.ingest(large(name)).catch(() => null)));
    await engine.setRules([]);
    const stored = names.filter((__, n) => outcomes[n] !== null);
    const duplicates = outcomes.reduce((sum, outcome) => sum + (outcome?.duplicates ?? 0), 0);
    expect(duplicates).toBe(100 * (stored.length - new Set(stored).size));
    const { columns } = await roomy.read('SELECT id FROM events ORDER BY id', ['STRING']);
    const expected = [...new Set(stored)].flatMap((name) => large(name).map(({ id }) => id));
    expect(columns[0]).toEqual(expected.sort());
    await roomy.close();
  });
});

describe('bad entries', () => {
  it('are reported one by one; the good ones are stored', async () => {
    const result = await fixture.ingest('{"id":"a"}\n{"id":\n{"id":"b","timestamp":"never"}\n{"id":"c"}');
    expect(counts(result)).toEqual([2, 0, 2]);
    expect(result.errors.map(({ index, code }) => [index, code])).toEqual([
      [1, 'bad_json'],
      [2, 'bad_timestamp'],
    ]);
    await expect(fixture.ingest('[{"id":"d"}, ')).rejects.toMatchObject({ code: 'body_invalid' });
    expect(await texts('SELECT id FROM events ORDER BY id')).toEqual(['a', 'c']);
  });

  it('are those that a column of another type cannot hold, also where a profile skips rows with errors', async () => {
    await fixture.close();
    fixture = await openClickHouse(engine, makeSource({ columns: { project: 'STRING', note: 'STRING' } }));
    await engine.query(`ALTER TABLE ${fixture.options.database}.events MODIFY COLUMN note Nullable(UInt8)`);
    fixture.store = await fixture.openAnother();
    const profile = JSON.stringify({ input_format_allow_errors_num: 10 });
    await engine.setRules([{ match: 'INSERT INTO `events`', then: { profile } }]);
    const result = await fixture.ingest([{ id: 'a', note: 'text' }, { id: 'b' }]);
    await engine.setRules([]);
    expect(result).toMatchObject({ accepted: 1, errors: [{ index: 0, code: 'bad_value' }] });
    expect(await texts('SELECT id FROM events')).toEqual(['b']);
    expect(await texts('SELECT id FROM lqe_dead_letters')).toEqual(['a']);
  });

  it('are those that the table would delete at once, since its retention was not migrated', async () => {
    const sources = [{ ...fixture.options.sources[0]!, retention_days: 400 }];
    const store = await openClickHouseStore({ ...fixture.options, sources });
    const body = Buffer.from('{"id":"a","timestamp":"2026-08-01T00:00:00Z"}\n{"id":"b"}');
    const result = await store.ingest(ingestBatch({ source: 'events', body, nowMicros: NOW_MICROS }));
    await store.close();
    expect(result).toMatchObject({ accepted: 1, errors: [{ index: 0, code: 'out_of_retention' }] });
    expect(fixture.problems.join()).toContain('keeps events for 90 days, not for 400');
  });

  it('that ClickHouse refuses are set aside and reported; the others of their insert are stored', async () => {
    const refusal = { code: 27, message: 'Cannot parse input (CANNOT_PARSE_INPUT_ASSERTION_FAILED)' };
    // The whole, then the half with the entry at fault, then the entry itself.
    await engine.setRules([{ match: 'INSERT INTO `events`', times: 2, then: refusal }]);
    const result = await fixture.ingest([{ id: 'a' }, { id: 'b' }]);
    await engine.setRules([]);
    expect(counts(result)).toEqual([1, 0, 1]);
    expect(result.errors).toMatchObject([{ index: 0, code: 'bad_value' }]);
    expect(await texts('SELECT id FROM events')).toEqual(['b']);
    const letters = await fixture.read('SELECT source, id, reason FROM lqe_dead_letters', [
      'STRING',
      'STRING',
      'STRING',
    ]);
    expect(letters.columns).toEqual([['events'], ['a'], ['27']]);
  });
});

describe('fields', () => {
  it('are widened when values need it, and older values keep their type', async () => {
    await fixture.ingest([{ id: 'a', metadata: { n: 5 } }]);
    await fixture.ingest([{ id: 'b', metadata: { n: 5.5 } }]);
    await fixture.ingest([{ id: 'c', metadata: { n: 'many' } }]);
    await fixture.ingest([{ id: 'd', metadata: { n: 7 } }]);
    expect(fixture.field('n')).toMatchObject({ kind: 'leaf', type: 'STRING', column: 'metadata.n' });
    expect(fixture.part().json!.storedAs.get('metadata.n')).toEqual(['INT64', 'FLOAT64', 'STRING']);
    const path = '_fields.`metadata.n`';
    const read = `coalesce(${path}.:String, toString(${path}.:Float64), toString(${path}.:Int64))`;
    expect(await texts(`SELECT ${read} FROM events ORDER BY id`)).toEqual(['5', '5.5', 'many', '7']);
  });

  it('that were declared never change; a value that does not fit stays in the text', async () => {
    await fixture.ingest([
      { id: 'a', metadata: { request: { port: 'eighty' } } },
      { id: 'b', metadata: { request: { port: '80' } } },
    ]);
    const rows = await fixture.read('SELECT `metadata.request.port`, metadata_json FROM events ORDER BY id', [
      'INT64',
      'RECORD_TEXT',
    ]);
    expect(rows.columns).toEqual([
      [null, 80n],
      ['{"request":{"port":"eighty"}}', '{"request":{"port":"80"}}'],
    ]);
  });

  it('of one server become known to another, which agrees on their types', async () => {
    const another = await fixture.openAnother();
    await fixture.ingest([{ id: 'a', metadata: { late: { n: 1 } } }]);
    const body = Buffer.from('{"id":"b","metadata":{"late":{"n":2.5}}}');
    await another.ingest(ingestBatch({ source: 'events', body, nowMicros: NOW_MICROS }));
    const third = await fixture.openAnother();
    const [source] = third.catalog().sources;
    expect(source!.parts[0]!.json!.storedAs.get('metadata.late.n')).toEqual(['INT64', 'FLOAT64']);
    expect(source!.parts[0]!.columns.get('metadata.late~')).toBe('BOOL');
  });

  it('that are declared later are found in every row, whichever server wrote it', async () => {
    await fixture.ingest([{ id: 'before', metadata: { late: 1 } }]);
    const [source] = fixture.options.sources;
    const options = {
      ...fixture.options,
      sources: [{ ...source!, fields: { ...source!.fields, late: 'INT64' as const } }],
    };
    await makeTables(options);
    await fixture.ingest([{ id: 'by an old server', metadata: { late: 2 } }]);
    const updated = await openClickHouseStore(options);
    try {
      const body = Buffer.from('{"id":"by an updated one","metadata":{"late":3}}\n{"id":"without"}');
      await updated.ingest(ingestBatch({ source: 'events', body, nowMicros: NOW_MICROS }));
      const part = updated.catalog().sources[0]!.parts[0]!;
      expect([part.columns.get('metadata.late'), part.json!.storedAs.has('metadata.late')]).toEqual(['INT64', false]);
    } finally {
      await updated.close();
    }
    const rows = await fixture.read('SELECT id, `metadata.late` FROM events ORDER BY id', ['STRING', 'INT64']);
    expect(rows.columns).toEqual([
      ['before', 'by an old server', 'by an updated one', 'without'],
      [1n, 2n, 3n, null],
    ]);
  });

  it('are limited in number for each source; the rest is in the text', async () => {
    const metadata = Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`k${i}`, i]));
    await fixture.ingest([{ id: 'a', metadata }]);
    await fixture.ingest([{ id: 'b', metadata: { k599: 1, other: 2 } }]);
    expect(fixture.part().columns.size).toBeLessThanOrEqual(410);
    expect(fixture.field('k599')).toMatchObject({ kind: 'leaf', column: null });
    expect((await fixture.read('SELECT metadata_json FROM events ORDER BY id', ['RECORD_TEXT'])).rowCount).toBe(2);
  });
});

describe('too many waiting events', () => {
  it('make the service tell senders to wait', async () => {
    await engine.setRules([{ match: 'INSERT INTO `events`', then: { delayMs: 300 } }]);
    const text = 'x'.repeat(900_000);
    const attempts = Array.from({ length: 8 }, (_, n) =>
      fixture.ingest([{ id: String(n), event_message: text }]).then(
        ({ accepted }) => accepted,
        (error: { code: string }) => error.code
      )
    );
    const outcomes = await Promise.all(attempts);
    await engine.setRules([]);
    expect(outcomes).toEqual([1, 1, 1, 1, ...Array(4).fill('concurrency_limited')]);
    expect(await texts('SELECT id FROM events ORDER BY id')).toEqual(['0', '1', '2', '3']);
    expect(counts(await fixture.ingest([{ id: '7', event_message: text }]))).toEqual([1, 0, 0]);
  });
});
