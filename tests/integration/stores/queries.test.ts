/** Running statements on the real store: values, limits, interrupts and failures. */
import { makeQuery, openFixture, type StoreFixture, TODAY } from './store-fixture';

let fixture: StoreFixture;

beforeAll(async () => {
  fixture = await openFixture();
  await fixture.ingest(Array.from({ length: 3_000 }, (_, i) => ({ id: `e${i}`, timestamp: 1795172400 + i })));
});

afterAll(() => fixture.remove());

describe('values', () => {
  it('are returned by logical type', async () => {
    const rows = await fixture.store.execute(
      {
        ...makeQuery(
          `SELECT 'x', 1::INTEGER, 2::BIGINT, 1.5, 2::DECIMAL(5,1), true, TIMESTAMP '1970-01-01 00:00:01', DATE '1970-01-02', [1, NULL], {'2': 'b', '1': 'a'}, NULL`,
          ['STRING', 'INT64', 'INT64', 'FLOAT64', 'FLOAT64', 'BOOL', 'TIMESTAMP', 'DATE', 'STRING', 'STRING', 'INT64']
        ),
        columns: [
          ...(['STRING', 'INT64', 'INT64', 'FLOAT64', 'FLOAT64', 'BOOL', 'TIMESTAMP', 'DATE'] as const).map((kind) => ({
            name: 'c',
            typeName: '',
            type: { kind },
          })),
          { name: 'l', typeName: '', type: { kind: 'ARRAY', element: { kind: 'INT64' } } },
          {
            name: 's',
            typeName: '',
            type: {
              kind: 'STRUCT',
              fields: ['2', '1'].map((name) => ({ name, typeName: '', type: { kind: 'STRING' as const } })),
            },
          },
          { name: 'n', typeName: '', type: { kind: 'INT64' } },
        ],
      },
      new AbortController().signal
    );
    expect(rows.columns.map(([value]) => value)).toEqual([
      'x',
      1n,
      2n,
      1.5,
      2,
      true,
      1_000_000n,
      1,
      [1n, null],
      ['b', 'a'],
      null,
    ]);
  });

  it('are bound', async () => {
    const { columns } = await fixture.read(
      'SELECT $1, $2, $3, $4, $5, $6',
      ['STRING', 'INT64', 'FLOAT64', 'BOOL', 'TIMESTAMP', 'STRING'],
      [
        { type: 'STRING', value: `'; DROP TABLE "${TODAY}" --` },
        { type: 'INT64', value: 2n ** 62n },
        { type: 'FLOAT64', value: 0.5 },
        { type: 'BOOL', value: false },
        { type: 'TIMESTAMP', value: 5n },
        { type: 'STRING', value: null },
      ]
    );
    expect(columns.map(([value]) => value)).toEqual([`'; DROP TABLE "${TODAY}" --`, 2n ** 62n, 0.5, false, 5n, null]);
  });
});

describe('rows', () => {
  it.each([
    [2_999, true],
    [3_000, false],
    [3_001, false],
  ])('are truncated at %d: %s', async (maxRows, truncated) => {
    const query = makeQuery(`SELECT id FROM "${TODAY}" LIMIT ${maxRows + 1}`, ['STRING'], [], maxRows);
    const rows = await fixture.store.execute(query, new AbortController().signal);
    expect([rows.rowCount, rows.columns[0]!.length, rows.truncated]).toEqual([
      Math.min(maxRows, 3_000),
      Math.min(maxRows, 3_000),
      truncated,
    ]);
  });
});

describe('a statement that writes', () => {
  it.each([
    `DELETE FROM "${TODAY}"`,
    `DROP TABLE "${TODAY}"`,
    'CREATE TABLE x (a INTEGER)',
    `SELECT * FROM read_text('/etc/passwd')`,
    `COPY (SELECT 1) TO '/tmp/lqe-should-not-exist'`,
    `ATTACH '/tmp/lqe-should-not-exist.db'`,
    'SET enable_external_access = true',
    `SET temp_directory = '/tmp'`,
    `SET GLOBAL allowed_configs = ['temp_directory']`,
    'INSTALL httpfs',
  ])('fails and changes nothing: %s', async (sql) => {
    await expect(fixture.read(sql, ['STRING'])).rejects.toMatchObject({ code: 'backend_error' });
    expect((await fixture.read(`SELECT count(*) FROM "${TODAY}"`, ['INT64'])).columns).toEqual([[3_000n]]);
  });
});

describe('a failure', () => {
  it.each([
    [
      `SELECT regexp_matches(id, '(') FROM "${TODAY}"`,
      'query_invalid',
      'bad_regex',
      'invalid regular expression: a closing parenthesis is missing',
    ],
    [
      `SELECT regexp_matches(id, '[') FROM "${TODAY}"`,
      'query_invalid',
      'bad_regex',
      'invalid regular expression: a closing bracket is missing',
    ],
    [`SELECT CAST(id AS BIGINT) FROM "${TODAY}"`, 'query_invalid', 'bad_cast', expect.stringContaining('SAFE_CAST')],
    [`SELECT CAST(id AS TIMESTAMPTZ) FROM "${TODAY}"`, 'query_invalid', 'bad_time', expect.any(String)],
    ['SELECT 9223372036854775807 + 1', 'query_invalid', 'out_of_range', expect.any(String)],
    [`SELECT (SELECT id FROM "${TODAY}")`, 'query_invalid', 'scalar_subquery', expect.any(String)],
    ['SELECT * FROM dropped', 'backend_error', 'schema_changed', expect.any(String)],
  ])('is reported in our own words: %s', async (sql, code, reason, message) => {
    const failure = await fixture.read(sql, ['STRING']).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code, message, details: { reason } });
    expect(String((failure as Error).message)).not.toMatch(/e0|LINE|Error:|dropped/);
  });

  it('leaves the connection usable for the next query', async () => {
    for (let i = 0; i < 5; i++) {
      await expect(fixture.read('SELECT nope', ['STRING'])).rejects.toMatchObject({ code: 'backend_error' });
      expect((await fixture.read('SELECT 1', ['INT64'])).columns).toEqual([[1n]]);
    }
  });

  it('for lack of memory names the limit', async () => {
    const hog = 'SELECT max(len(l)) FROM (SELECT list(repeat(md5(range::VARCHAR), 20)) AS l FROM range(2000000))';
    await expect(fixture.read(hog, ['INT64'])).rejects.toMatchObject({ code: 'resource_limit' });
  }, 30_000);
});

describe('an aborted query', () => {
  it('stops soon', async () => {
    const slow = makeQuery('SELECT count(*) FROM range(100000000) a, range(1000) b WHERE a.range % 7 = b.range', [
      'INT64',
    ]);
    const started = Date.now();
    await expect(fixture.store.execute(slow, AbortSignal.timeout(200))).rejects.toMatchObject({
      code: 'query_timeout',
    });
    expect(Date.now() - started).toBeLessThan(5_000);
    expect((await fixture.read('SELECT 1', ['INT64'])).columns).toEqual([[1n]]);
  });

  it('does not start when it was aborted before', async () => {
    const query = makeQuery('SELECT 1', ['INT64']);
    await expect(fixture.store.execute(query, AbortSignal.abort())).rejects.toMatchObject({ code: 'query_timeout' });
  });
});
