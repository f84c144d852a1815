/**
 * Errors of callers and senders when ClickHouse fails; no acknowledged event is lost. The engine's front makes faults.
 *
 * @slow 20
 * @waits
 */
import type { ServiceError } from '#contract/errors';
import { openClickHouseStore } from '#server/stores/clickhouse/clickhouse-store';
import { type ClickHouseEngine, type FaultRule, startClickHouseEngine } from '../../../support/processes/clickhouse';
import { type ClickHouseFixture, openClickHouse } from './clickhouse-fixture';
import { makeQuery } from '../store-fixture';

jest.setTimeout(30_000);

let engine: ClickHouseEngine;
let fixture: ClickHouseFixture;

beforeAll(async () => {
  engine = await startClickHouseEngine();
  fixture = await openClickHouse(engine);
});
afterAll(async () => {
  await engine.setRules([]);
  await fixture.close();
  await engine.stop();
});
afterEach(() => engine.setRules([]));

const SLOW = 'SELECT sum(sleepEachRow(0.05)) FROM numbers(2000) SETTINGS max_block_size = 1';

async function failureOf(task: Promise<unknown>): Promise<ServiceError> {
  return task.then(
    () => {
      throw new Error('it did not fail');
    },
    (error: unknown) => error as ServiceError
  );
}

const run = (sql: string, signal = new AbortController().signal, maxRows = 1000) =>
  fixture.store.execute(makeQuery(sql, ['FLOAT64'], [], maxRows), signal);

const ids = async (): Promise<readonly unknown[]> =>
  (await fixture.read('SELECT id FROM events ORDER BY id', ['STRING'])).columns[0]!;

describe('a query', () => {
  it.each<[string, readonly FaultRule[], string, string | undefined]>([
    ['the server is busy', [{ then: { code: 202, message: 'Too many simultaneous queries' } }], 'overloaded', 'busy'],
    [
      'memory is short',
      [{ then: { code: 241, message: 'would use 9 GiB of secret_table' } }],
      'resource_limit',
      'memory',
    ],
    ['its time is up', [{ then: { code: 159, message: 'elapsed 60 s' } }], 'query_timeout', 'time'],
    ['a person killed it', [{ then: { code: 394, message: 'was killed' } }], 'query_timeout', 'time'],
    ['the result is too large', [{ then: { code: 396, message: 'max rows' } }], 'resource_limit', 'result_size'],
    [
      'a shard is down',
      [{ then: { code: 279, message: 'All connection tries failed: 10.0.0.7' } }],
      'backend_unavailable',
      'cluster_down',
    ],
    ['a table is missing', [{ then: { code: 60, message: 'Table lqe.events' } }], 'backend_unavailable', 'schema'],
    [
      'the reader lost its rights',
      [{ then: { code: 497, message: 'Not enough privileges' } }],
      'backend_unavailable',
      'rights',
    ],
    ['the password was changed', [{ then: { code: 516, message: 'reader' } }], 'backend_unavailable', 'login'],
    [
      'the server has a fault of its own',
      [{ then: { code: 49, message: 'Logical error in secret_table' } }],
      'backend_error',
      undefined,
    ],
    ['a gateway answers instead', [{ then: { status: 502 } }], 'backend_unavailable', 'unreachable'],
    ['the connection is cut before the answer', [{ then: { reset: true } }], 'backend_unavailable', 'unreachable'],
    ['the connection is cut in the answer', [{ then: { cutAfterBytes: 40 } }], 'backend_unavailable', 'unreachable'],
    [
      'it fails in the middle of its answer',
      [{ then: { raiseAfterBytes: 40, code: 241, message: 'memory (MEMORY_LIMIT_EXCEEDED)' } }],
      'resource_limit',
      'memory',
    ],
  ])('fails with its own error when %s', async (_, rules, code, reason) => {
    await engine.setRules(rules);
    const error = await failureOf(run('SELECT toFloat64(number) FROM numbers(100)'));
    expect([error.code, error.details.reason]).toEqual([code, reason]);
    expect(JSON.stringify(error.toBody())).not.toMatch(/secret_table|10\.0\.0\.7|DB::|GiB/);
    await engine.setRules([]);
    expect((await run('SELECT 1.5')).columns).toEqual([[1.5]]);
  });

  it.each<[string, string, string, string]>([
    ['memory', 'SELECT toFloat64(length(groupArray(number))) FROM numbers(200000000)', 'resource_limit', 'memory'],
    [
      'writing',
      "INSERT INTO events (id, timestamp, metadata_json) VALUES ('x', now(), '{}')",
      'backend_unavailable',
      'rights',
    ],
    [
      'a failure that the printed SQL raises',
      "SELECT toFloat64(throwIf(number = 3, 'log-query: text_too_long')) FROM numbers(9)",
      'resource_limit',
      'text_too_long',
    ],
  ])('is limited by the engine itself: %s', async (_, sql, code, reason) => {
    const error = await failureOf(run(sql));
    expect([error.code, error.details.reason]).toEqual([code, reason]);
  });

  it('has no more rows than its limit, and says so', async () => {
    const rows = await run('SELECT toFloat64(number) FROM numbers(11) LIMIT 11', undefined, 10);
    expect([rows.rowCount, rows.truncated, rows.columns[0]!.length]).toEqual([10, true, 10]);
  });

  it.each([
    ['max_rows_to_read', { max_rows_to_read: 10, read_overflow_mode: 'break', max_block_size: 5 }],
    ['max_rows_to_group_by', { max_rows_to_group_by: 10, group_by_overflow_mode: 'any' }],
    ['max_rows_in_distinct', { max_rows_in_distinct: 10, distinct_overflow_mode: 'break', max_block_size: 5 }],
  ])('fails at a limit of the profile of the user, and has no other rows: %s', async (_, profile) => {
    await engine.setRules([{ match: 'numbers', then: { profile: JSON.stringify(profile) } }]);
    const sql =
      'SELECT toFloat64(count()) FROM (SELECT DISTINCT k % 100 FROM (SELECT number AS k FROM numbers(1000) GROUP BY k))';
    expect((await failureOf(run(sql))).code).toBe('resource_limit');
  });

  it.each([
    ['limit', { limit: 1 }, 'SELECT toFloat64(number) FROM numbers(3)', [0, 1, 2]],
    ['transform_null_in', { transform_null_in: 1 }, 'SELECT toFloat64(NULL IN (1, NULL)) FROM numbers(1)', [null]],
    [
      'empty_result_for_aggregation_by_empty_set',
      { empty_result_for_aggregation_by_empty_set: 1 },
      'SELECT toFloat64(count()) FROM numbers(0)',
      [0],
    ],
    [
      'compatibility',
      { compatibility: '24.8' },
      "SELECT toFloat64(getSetting('least_greatest_legacy_null_behavior')) FROM numbers(1)",
      [0],
    ],
    [
      'times without zeros at their ends',
      { date_time_64_output_format_cut_trailing_zeros_align_to_groups_of_thousands: 1 },
      "SELECT toFloat64(length(toString(toDateTime64('2026-11-20 10:00:00', 6, 'UTC')))) FROM numbers(1)",
      [26],
    ],
    [
      'formats of times as in MySQL',
      { formatdatetime_parsedatetime_m_is_month_name: 0 },
      "SELECT toFloat64(length(formatDateTime(toDateTime64('2026-11-20 10:00:00', 6, 'UTC'), '%M'))) FROM numbers(1)",
      ['November'.length],
    ],
    [
      'other words for true and false',
      { bool_true_representation: 't', bool_false_representation: 'f' },
      'SELECT toFloat64(length(concat(toString(true), toString(false)))) FROM numbers(1)',
      ['truefalse'.length],
    ],
    [
      'tuples with names',
      { enable_named_columns_in_function_tuple: 1 },
      "SELECT toFloat64(getSetting('enable_named_columns_in_function_tuple')) FROM numbers(1)",
      [0],
    ],
    [
      'the analyzer of former releases',
      { enable_analyzer: 0 },
      "SELECT toFloat64(getSetting('enable_analyzer')) FROM numbers(1)",
      [1],
    ],
    [
      'a cache of results',
      { use_query_cache: 1 },
      "SELECT toFloat64(getSetting('use_query_cache')) FROM numbers(1)",
      [0],
    ],
  ])('has the same rows with every profile of the user: %s', async (_, profile, sql, rows) => {
    await engine.setRules([{ match: 'numbers', then: { profile: JSON.stringify(profile) } }]);
    expect((await run(sql)).columns).toEqual([rows]);
  });

  it('fails without a part of the cluster, and never has fewer rows, with every profile of the user', async () => {
    const { database } = fixture.options;
    await engine.query(`CREATE TABLE ${database}.far (dummy UInt8) AS remote('127.0.0.1:1', 'system', 'one')`);
    const profile = JSON.stringify({ skip_unavailable_shards: 1 });
    await engine.setRules([{ match: 'FROM far', then: { profile } }]);
    const error = await failureOf(run('SELECT toFloat64(count()) FROM far'));
    expect([error.code, error.details.reason]).toEqual(['backend_unavailable', 'cluster_down']);
  });

  it('whose caller has left is killed by its id', async () => {
    await engine.setRules([]);
    const abort = new AbortController();
    const failure = failureOf(run(SLOW, abort.signal));
    const running =
      "SELECT count() FROM system.processes WHERE query LIKE '%sleepEachRow%' AND query NOT LIKE '%system.processes%'";
    while ((await engine.query(running))[0]![0] !== 1) await new Promise((resolve) => setTimeout(resolve, 20));
    abort.abort();
    expect((await failure).code).toBe('query_timeout');
    while ((await engine.query(running))[0]![0] !== 0) await new Promise((resolve) => setTimeout(resolve, 20));
    const kills = (await engine.seen()).filter(({ text }) => text.startsWith('KILL QUERY'));
    expect(kills).toHaveLength(1);
  });
});

const ENDS_EARLY = JSON.stringify({ max_execution_time: 0.001, timeout_overflow_mode: 'break' });

describe('a batch', () => {
  it.each<[string, readonly FaultRule[], string, string]>([
    [
      'the disk is full',
      [{ match: 'INSERT INTO `events`', then: { code: 243, message: 'Cannot reserve 1 MiB' } }],
      'backend_unavailable',
      'disk_full',
    ],
    [
      'a replica is missing for the quorum',
      [{ match: 'INSERT INTO `events`', then: { code: 285, message: 'Number of alive replicas' } }],
      'backend_unavailable',
      'cluster_down',
    ],
    [
      'the tables cannot be written to',
      [{ match: 'INSERT INTO `events`', then: { code: 242, message: 'Table is in readonly mode' } }],
      'backend_unavailable',
      'cluster_down',
    ],
    [
      'parts come too fast',
      [{ match: 'INSERT INTO `events`', then: { code: 252, message: 'Too many parts' } }],
      'concurrency_limited',
      'ingest_pressure',
    ],
    [
      'a profile ends inserts without an error',
      [{ match: 'INSERT INTO `events`', then: { profile: ENDS_EARLY } }],
      'backend_unavailable',
      'time',
    ],
    ['no answer', [{ then: { reset: true } }], 'backend_unavailable', 'unreachable'],
    [
      'the status was sent before the exception',
      [{ match: 'INSERT INTO `events`', then: { answer: 'Code: 241. DB::Exception: memory (MEMORY_LIMIT_EXCEEDED)' } }],
      'backend_unavailable',
      'memory',
    ],
    [
      'a gateway answers with a page of its own',
      [{ match: 'INSERT INTO `events`', then: { answer: '<html>Sign in</html>' } }],
      'backend_unavailable',
      'unreachable',
    ],
    [
      'new fields cannot be written down',
      [{ match: 'INSERT INTO `lqe_fields`', then: { code: 243, message: 'Cannot reserve' } }],
      'backend_unavailable',
      'disk_full',
    ],
    [
      'new fields of other servers cannot be read',
      [{ match: 'SELECT source, path', then: { code: 497, message: 'Not enough privileges' } }],
      'backend_unavailable',
      'rights',
    ],
  ])('is not acknowledged when %s, and is stored once when it is sent again', async (name, rules, code, reason) => {
    const batch = [{ id: `${name} 1`, metadata: { [name]: 1 } }, { id: `${name} 2` }];
    await engine.setRules(rules);
    const error = await failureOf(fixture.ingest(batch));
    expect([error.code, error.details.reason]).toEqual([code, reason]);
    await engine.setRules([]);
    expect(await fixture.ingest(batch)).toMatchObject({ accepted: 2, duplicates: 0 });
    expect(await fixture.ingest(batch)).toMatchObject({ accepted: 2, duplicates: 2 });
    expect((await ids()).filter((id) => String(id).startsWith(name))).toHaveLength(2);
    expect(fixture.field(name)).toMatchObject({ kind: 'leaf', type: 'INT64' });
  });

  it('that waited for another is not tried when ClickHouse did not answer that one', async () => {
    const batches = [1, 2, 3].map((n) => [{ id: `outage ${n}`, metadata: { outage: n } }]);
    await engine.setRules([{ match: 'lqe_fields', then: { reset: true } }]);
    const errors = await Promise.all(batches.map((batch) => failureOf(fixture.ingest(batch))));
    expect(errors.map(({ details }) => details.reason)).toEqual(batches.map(() => 'unreachable'));
    // The attempts of the first alone.
    expect(await engine.seen()).toHaveLength(4);
    await engine.setRules([]);
    for (const batch of batches) expect(await fixture.ingest(batch)).toMatchObject({ accepted: 1, duplicates: 0 });
  });

  it('is stored at the second attempt when the first fails temporarily', async () => {
    await engine.setRules([{ match: 'INSERT INTO `events`', times: 2, then: { code: 242, message: 'readonly' } }]);
    expect(await fixture.ingest([{ id: 'second attempt' }])).toMatchObject({ accepted: 1 });
  });

  it('whose response was lost is stored once, with every profile of the user', async () => {
    const match = 'INSERT INTO `events`';
    const profile = JSON.stringify({ deduplicate_insert: 'disable', async_insert: 1 });
    await engine.setRules([
      { match, times: 1, then: { profile, reset: true, after: true } },
      { match, then: { profile } },
    ]);
    expect(await fixture.ingest([{ id: 'whatever the profile' }])).toMatchObject({ accepted: 1 });
    expect((await ids()).filter((id) => id === 'whatever the profile')).toHaveLength(1);
  });

  it('is stored after the server died during it and came back', async () => {
    await engine.setRules([{ match: 'INSERT INTO `events`', times: 1, then: { die: true, after: true } }]);
    const outcome = fixture.ingest([{ id: 'before death' }]).catch((error: ServiceError) => error.code);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await engine.restart();
    const result = await outcome;
    if (result === 'backend_unavailable') {
      expect(await fixture.ingest([{ id: 'before death' }])).toMatchObject({ accepted: 1 });
    }
    expect((await ids()).filter((id) => id === 'before death')).toHaveLength(1);
  });
});

describe('a server that fails from time to time', () => {
  it('loses only the batches that were not acknowledged', async () => {
    await engine.setRules([{ match: 'INSERT INTO `events`', skip: 1, times: 3, then: { reset: true } }]);
    const batches = Array.from({ length: 5 }, (_, n) => [{ id: `flap ${n}` }]);
    for (const batch of batches) expect(await fixture.ingest(batch)).toMatchObject({ accepted: 1 });
    expect((await ids()).filter((id) => String(id).startsWith('flap'))).toHaveLength(5);
  });
});

describe('the store', () => {
  it.each<[string, readonly FaultRule[], Readonly<Record<string, unknown>>, string]>([
    ['the address is wrong', [], { url: 'http://127.0.0.1:9' }, 'unreachable'],
    ['the password is wrong', [], { writer: { name: 'writer', password: 'no' } }, 'login'],
    ['the reader is unknown', [], { reader: { name: 'unknown', password: '' } }, 'login'],
    ['the release is too old', [{ match: 'version\\(\\)', then: { answer: '["25.8.1.1"]\nend\n' } }], {}, 'version'],
    ['there is no such cluster', [], { cluster: 'nowhere' }, 'cluster'],
    ['the database is missing', [], { database: 'nothing' }, 'schema'],
    ['a table is missing', [], { database: 'default' }, 'schema'],
  ])('does not open when %s', async (_, rules, changes, reason) => {
    await engine.setRules(rules);
    const error = await failureOf(openClickHouseStore({ ...fixture.options, ...changes }));
    expect([error.code, error.details.reason]).toEqual(['backend_unavailable', reason]);
  });

  it('does not open where nothing listens, and says what the system said', async () => {
    const error = await failureOf(openClickHouseStore({ ...fixture.options, url: 'http://127.0.0.1:9' }));
    expect(error.details).toMatchObject({
      reason: 'unreachable',
      hint: 'the connection failed with ECONNREFUSED: check LQE_CLICKHOUSE_URL',
    });
  });

  it('reports that it is unavailable while ClickHouse is, and available again after', async () => {
    expect(await fixture.store.health()).toEqual({ ok: true });
    await engine.kill();
    expect(await fixture.store.health()).toEqual({ ok: false, reason: 'ClickHouse does not answer' });
    expect(await fixture.store.isEmpty()).toBe(false);
    await engine.restart();
    expect(await fixture.store.health()).toEqual({ ok: true });
  });

  it('reports that it is unavailable when ClickHouse never answers', async () => {
    const { store, close } = await openClickHouse(engine, undefined, { probeMs: 100 });
    await engine.setRules([{ match: '^SELECT 1', then: { delayMs: 5000 } }]);
    expect(await store.health()).toEqual({ ok: false, reason: 'ClickHouse does not answer' });
    expect(await store.isEmpty()).toBe(false);
    await close();
  });

  it('says once in an outage that fields cannot be read', async () => {
    const now = performance.now.bind(performance);
    let laterMs = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + laterMs);
    const said = (): number => fixture.problems.filter((message) => message.includes('cannot be read')).length;
    for (const outages of [1, 2]) {
      laterMs += 60_000;
      await engine.kill();
      for (let query = 0; query < 3; query++) await fixture.store.catchUp();
      expect(said()).toBe(outages);
      await engine.restart();
      await fixture.store.catchUp();
      expect(fixture.store.isCaughtUp).toBe(true);
    }
    clock.mockRestore();
  });

  it('lets queries go on without the fields of other servers when those are not answered', async () => {
    const { store, close } = await openClickHouse(engine);
    const now = performance.now.bind(performance);
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + 60_000);
    await engine.setRules([{ match: 'lqe_fields', then: { delayMs: 15_000 } }]);
    await store.catchUp();
    expect(store.isCaughtUp).toBe(false);
    await store.catchUp();
    expect(await engine.seen()).toHaveLength(1);
    clock.mockRestore();
    await close();
  });

  it('warns of a release with a known vulnerability and goes on', () => {
    expect(fixture.problems.join()).toContain('a vulnerability');
  });

  it('drops the days that are older than the retention of their source', async () => {
    const day = 86_400_000_000;
    const now = Date.UTC(2026, 10, 20, 12) * 1000;
    await fixture.ingest([{ id: 'old', timestamp: '2026-11-10T00:00:00Z' }], now);
    const kept = fixture.options.sources[0]!.retention_days * day;
    expect(await fixture.store.enforceRetention(Date.UTC(2026, 10, 11) * 1000 + kept - 1)).toBe(0);
    await engine.setRules([{ match: 'DROP PARTITION', then: { code: 48, message: 'secret_table' } }]);
    await failureOf(fixture.store.enforceRetention(Date.UTC(2026, 10, 11) * 1000 + kept));
    expect(fixture.problems.at(-1)).toBe('ClickHouse failed with its error 48');
    // A day that cannot be dropped does not keep the others.
    await fixture.ingest([{ id: 'older', timestamp: '2026-11-09T00:00:00Z' }], now);
    await engine.setRules([{ match: 'DROP PARTITION', times: 1, then: { code: 48, message: 'secret_table' } }]);
    await failureOf(fixture.store.enforceRetention(Date.UTC(2026, 10, 11) * 1000 + kept));
    expect((await ids()).filter((id) => String(id).startsWith('old'))).toEqual(['older']);
    await fixture.ingest([{ id: 'old', timestamp: '2026-11-10T00:00:00Z' }], now);
    await engine.setRules([]);
    expect(await fixture.store.enforceRetention(Date.UTC(2026, 10, 10) * 1000 + kept)).toBe(1);
    // However large they are.
    const profile = JSON.stringify({ max_partition_size_to_drop: 1 });
    await engine.setRules([{ match: 'DROP PARTITION', then: { profile } }]);
    expect(await fixture.store.enforceRetention(Date.UTC(2026, 10, 11) * 1000 + kept)).toBe(1);
    expect(await ids()).not.toContain('old');
  });
});
