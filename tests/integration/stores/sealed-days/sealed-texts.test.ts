/**
 * Sealed days store no JSON text that their columns say already. Every text is read as it was sent, byte for byte, and
 * every field has the values that it had.
 *
 * @slow 30
 */
import fc from 'fast-check';
import { compile } from '#compiler';
import type { CatalogPart } from '#compiler/catalog/catalog';
import { savedQuerySchema } from '#contract/queries/saved-query';
import { openDatabase } from '#server/stores/duckdb/file/database';
import { openDuckDbStore } from '#server/stores/duckdb/duckdb-store';
import { digestDay, readEvents, storedDays } from '#server/stores/duckdb/read/stored-rows';
import { fcRuns } from '../../../support/jest/fc-runs';
import { makeSource, NOW_MICROS, openFixture, type StoreFixture } from '../store-fixture';

const SOURCE = makeSource({ tenant: 'project', retention_days: 3650 });
const DAY = Date.UTC(2026, 2, 10) * 1000;
const signal = new AbortController().signal;

let fixture: StoreFixture;

beforeEach(async () => {
  fixture = await openFixture([SOURCE], 64);
});

afterEach(() => fixture.remove());

interface Written {
  readonly ids?: (n: number) => string;
  /** Null: the event has none. */
  readonly messages?: (n: number) => string | null;
}

/** Stores metadata texts, numbered from `from`. */
async function store(texts: readonly string[], from = 0, { ids = uuid, messages }: Written = {}): Promise<void> {
  const lines = texts.map((text, i) => {
    const n = from + i;
    const message = messages === undefined ? `message ${n}` : messages(n);
    const member = message === null ? '' : `"event_message":${JSON.stringify(message)},`;
    return `{"id":"${ids(n)}","timestamp":${DAY + n * 1000},${member}"project":"p${n % 3}","metadata":${text}}`;
  });
  const { accepted, rejected } = await fixture.ingest(lines.join('\n'));
  expect({ accepted, rejected }).toEqual({ accepted: texts.length, rejected: 0 });
}

function uuid(n: number): string {
  return `c07911a4-7dc4-4f22-9591-${n.toString(16).padStart(12, '0')}`;
}

async function sealAll(): Promise<void> {
  while ((await fixture.store.sealing!.sealNext(signal)) !== null);
}

function parts(): readonly CatalogPart[] {
  return fixture.source().parts;
}

/** Every value of every column of every row, ordered by time. */
async function contents(): Promise<unknown> {
  const names = [...new Set(parts().flatMap(({ columns }) => [...columns.keys()]))].sort();
  const selects = parts().map(({ table, database, columns }) => {
    const items = names.map((name) => (columns.has(name) ? `CAST("${name}" AS VARCHAR)` : 'NULL') + ` AS "${name}"`);
    return `SELECT ${items.join(', ')} FROM ${database === undefined ? '' : `${database}.main.`}"${table}"`;
  });
  const rows = await fixture.read(
    `SELECT * FROM (${selects.join(' UNION ALL ')}) ORDER BY "timestamp", id`,
    names.map(() => 'STRING' as const)
  );
  return { names, columns: rows.columns };
}

/** Numbers of templates of the sealed rows, in the order of time; 0: the whole text is stored. */
async function templates(): Promise<readonly number[]> {
  const rows = await fixture.read(
    `SELECT CAST("lqe:template" AS BIGINT) FROM sealed.main."${parts()[0]!.table}" ORDER BY "timestamp"`,
    ['INT64']
  );
  return rows.columns[0]!.map(Number);
}

function compiled(query: string): ReturnType<typeof compile> {
  return compile({
    definition: savedQuerySchema.parse({ id: '00000000-0000-4000-8000-000000000001', name: 'test', query }),
    adhoc: null,
    parameters: {},
    catalog: fixture.store.catalog(),
    nowMicros: NOW_MICROS,
    maxRows: 500,
    redaction: null,
    tenant: null,
  });
}

async function ask(query: string): Promise<unknown> {
  const { columns } = await fixture.store.execute(compiled(query), new AbortController().signal);
  return columns;
}

const repeat = (count: number, text: (n: number) => string): string[] =>
  Array.from({ length: count }, (_, n) => text(n));

describe('a sealed day', () => {
  test('stores no text for objects with the same keys, some of them absent', async () => {
    await store(
      repeat(100, (n) => {
        const optional = n % 3 === 0 ? `,"agent":"a \\"${n}\\" \\\\ é☃"` : '';
        const inner = n % 4 === 0 ? '{}' : `{"ok":${n % 2 === 0},"ms":${n / 4}}`;
        return `{"request":{"path":"/p/${n}"${optional}},"response":${inner},"tags":["t${n % 5}"],"last":${n}}`;
      })
    );
    const before = await contents();
    await sealAll();
    expect(await contents()).toEqual(before);
    expect(new Set(await templates())).toEqual(new Set([1]));
  });

  test('has templates for null and for absent keys, for other orders, and for numbers in a column of texts', async () => {
    await store([
      ...repeat(40, (n) => `{"a":${n},"b":null}`),
      ...repeat(30, (n) => `{"a":${n}}`),
      ...repeat(20, (n) => `{"b":"x${n}","a":${n}}`),
      ...repeat(20, (n) => `{"a": ${n}, "f": 2.0, "b": 5}`),
    ]);
    const before = await contents();
    await sealAll();
    expect(await contents()).toEqual(before);
    const found = await templates();
    expect(found.filter((template) => template === 0)).toEqual([]);
    expect(new Set(found)).toEqual(new Set([1, 2]));
  });

  test('keeps the sign of each zero', async () => {
    const zero = (n: number): string => (n % 2 === 0 ? '0.0' : '-0.0');
    await store(repeat(100, (n) => `{"a":${zero(n)},"b":[${zero(n)},1.5],"c":-0.05}`));
    const texts = async (): Promise<unknown> => {
      const { table, database } = parts()[0]!;
      const name = `${database === undefined ? '' : 'sealed.main.'}"${table}"`;
      return (await fixture.read(`SELECT metadata_json FROM ${name} ORDER BY "timestamp"`, ['STRING'])).columns;
    };
    const before = await texts();
    await sealAll();
    expect(await texts()).toEqual(before);
    expect(await templates()).toEqual(repeat(100, (n) => String(1 - (n % 2))).map(Number));
  });

  test('keeps the whole text of a row that no template builds', async () => {
    const odd = [
      '{"a":1.10}',
      '{"a":1,"b":"\\u0041"}',
      '{"a":1,"a":2}',
      '{ "a" : 1 }',
      '{"b":7,"a":1e2}',
      '{}',
      '{"a":null}',
    ];
    await store([...repeat(60, (n) => `{"a":${n},"b":"t${n}"}`), ...odd]);
    const before = await contents();
    await sealAll();
    expect(await contents()).toEqual(before);
    const found = await templates();
    expect(found.slice(0, 60).every((template) => template === 1)).toBe(true);
    expect(found.slice(60, 64)).toEqual([0, 0, 1, 1]);
  });

  test('takes little memory where hundreds of fields have no column', async () => {
    const fields = (n: number): string => repeat(320, (i) => `"f${i}":${i % 4 === 0 ? `"text ${n}"` : n * i}`).join();
    await store(repeat(300, (n) => `{${fields(n)}}`));
    const before = await contents();
    await sealAll();
    expect(fixture.problems).toEqual([]);
    expect(await contents()).toEqual(before);
  });

  test('reads fields without a column from a short text', async () => {
    const items = (n: number): string => `[{"sku":"s${n % 7}","n":${n}},{"sku":"t","n":1.50}]`;
    await store([
      ...repeat(50, (n) => `{"order":{"id":${n},"items":${items(n)}}}`),
      ...repeat(50, (n) => `{"order":{"id":${n},"items":[{"sku":"u${n}"},{"sku":"v"}]}}`),
      '{"order":{"items":[{"sku":"s1"},{"sku":"s2"}],"id":1}}',
    ]);
    const query = `SELECT i.sku, COUNT(*) AS n FROM events AS e CROSS JOIN UNNEST(e.metadata) AS m
      CROSS JOIN UNNEST(m.order) AS o CROSS JOIN UNNEST(o.items) AS i GROUP BY i.sku ORDER BY i.sku`;
    const whole = `SELECT TO_JSON_STRING(m.order) AS o FROM events AS e CROSS JOIN UNNEST(e.metadata) AS m ORDER BY e.timestamp`;
    const [before, rows, texts] = [await contents(), await ask(query), await ask(whole)];
    expect(compiled(query).sql).toContain('metadata_json');
    await sealAll();
    expect(await contents()).toEqual(before);
    expect(await ask(query)).toEqual(rows);
    expect(compiled(query).sql).toContain('"lqe:rest"');
    expect(compiled(query).sql).not.toContain('metadata_json"');
    // A record with columns is in no short text.
    expect(await ask(whole)).toEqual(texts);
    expect(compiled(whole).sql).toContain('metadata_json');
    // The texts of the first have a number in a form that is not kept.
    const found = await templates();
    expect(new Set(found.slice(0, 50))).toEqual(new Set([0]));
    expect(new Set(found.slice(50, 100))).toEqual(new Set([1]));
  });

  test('reads a field that lost its column after the seal from the column of the sealed part', async () => {
    await store(repeat(60, (n) => `{"r":{"x":${n}},"k":"v"}`));
    await sealAll();
    await store(
      repeat(3, (n) => `{"r":[{"x":${n}},{"x":-1}],"k":"v"}`),
      100
    );
    const query = `SELECT SUM(r.x) AS s, COUNT(*) AS n FROM events AS e CROSS JOIN UNNEST(e.metadata) AS m CROSS JOIN UNNEST(m.r) AS r`;
    const rows = await ask(query);
    expect(rows).toEqual([[1770n], [66n]]);
    const before = await contents();
    await sealAll();
    expect(parts()).toHaveLength(1);
    expect(await contents()).toEqual(before);
    expect(await ask(query)).toEqual(rows);
  });

  test('computes columns that others say, unless a late event says otherwise', async () => {
    const text = (n: number, ip = `10.0.0.${n}`): string =>
      `{"ip":"10.0.0.${n}","real":"${ip}","ray":"${n}abcdef","out":"${n}abcdef-EDGE"}`;
    await store(repeat(60, (n) => text(n)));
    await sealAll();
    const generated = async (): Promise<unknown> => {
      const sql = `SELECT sql FROM duckdb_tables() WHERE table_name = '${parts()[0]!.table}'`;
      const definition = String((await fixture.read(sql, ['STRING'])).columns[0]![0]);
      return ['ip', 'real', 'ray', 'out'].filter((name) =>
        definition.includes(`"metadata.${name}" VARCHAR GENERATED ALWAYS AS`)
      );
    };
    expect(await generated()).toEqual(['real', 'out']);
    await store([text(100, 'other')], 100);
    const before = await contents();
    await sealAll();
    expect(await contents()).toEqual(before);
    expect(await generated()).toEqual(['out']);
  });

  test('has the same ids, whether they are UUIDs or not', async () => {
    const upper = (n: number): string => (n % 4 === 0 ? uuid(n).toUpperCase() : n % 4 === 1 ? `id ${n}` : uuid(n));
    await store(
      repeat(60, () => '{}'),
      0,
      { ids: upper }
    );
    const before = await contents();
    await sealAll();
    expect(await contents()).toEqual(before);
    const again = repeat(
      60,
      (n) => `{"id":"${upper(n)}","timestamp":${DAY + n * 1000},"project":"p${n % 3}","metadata":{}}`
    );
    expect(await fixture.ingest(again.join('\n'))).toMatchObject({ duplicates: 60 });
  });
});

describe('messages of a sealed day', () => {
  const paths = ['/rest/v1/rows', '/auth/v1/it\'s "quoted"', '/storage/é☃', ''];
  const request = (n: number): string =>
    JSON.stringify({
      method: n % 3 === 0 ? 'GET' : 'DELETE',
      status: n % 7 === 0 ? null : 200 + n,
      ip: `10.0.0.${n}`,
      path: `${paths[n % 4]!}/${n}`,
      ...(n % 5 > 0 && { search: `?q=${n}` }),
    });
  const message = (n: number): string => {
    const status = n % 7 === 0 ? '' : 200 + n;
    return `${n % 3 === 0 ? 'GET' : 'DELETE'} | ${status} | 10.0.0.${n} | ${paths[n % 4]!}/${n}${n % 5 > 0 ? `?q=${n}` : ''}`;
  };
  const others = [' ', 'plain', '\t', 'GET | 200 | 10.0.0.1 | /rest/v1/rows/1 ', 'it\'s | é☃ | "q" | \\\\ | %_'];

  /** Messages that are stored, in the order of time; null: the table stores all of them. */
  async function stored(): Promise<readonly unknown[] | null> {
    const table = parts()[0]!.table;
    const definition = `SELECT sql FROM duckdb_tables() WHERE table_name = '${table}'`;
    const sql = String((await fixture.read(definition, ['STRING'])).columns[0]![0]);
    if (!sql.includes('"lqe:message"')) return null;
    const rows = await fixture.read(
      `SELECT "lqe:message" FROM sealed.main."${table}" WHERE "lqe:message" IS NOT NULL ORDER BY "timestamp"`,
      ['STRING']
    );
    return rows.columns[0]!;
  }

  test('that are composed of other columns are not stored, others are', async () => {
    await store(repeat(200, request), 0, { messages: message });
    await store(repeat(others.length, request), 200, { messages: (n) => others[n - 200]! });
    const before = await contents();
    const search = `SELECT event_message FROM events WHERE event_message LIKE '%| 10.0.0.19%' ORDER BY timestamp`;
    const found = await ask(search);
    await sealAll();
    expect(await contents()).toEqual(before);
    expect(await stored()).toEqual(others);
    expect(await ask(search)).toEqual(found);
    expect((found as readonly unknown[][])[0]).toHaveLength(11);
  });

  test('are stored when one is absent, and when late events have others', async () => {
    await store(repeat(100, request), 0, { messages: message });
    await sealAll();
    expect(await stored()).toEqual([]);
    await store([request(200)], 200, { messages: () => null });
    const before = await contents();
    await sealAll();
    expect(parts()).toHaveLength(1);
    expect(await contents()).toEqual(before);
    expect(await stored()).toBeNull();
    await store(repeat(100, request), 300, { messages: (n) => `request number ${n * 37}` });
    const later = await contents();
    await sealAll();
    expect(parts()).toHaveLength(1);
    expect(await contents()).toEqual(later);
  });

  test('are found by words within a value, across values, and of rows that store theirs', async () => {
    await store(repeat(200, request), 0, { messages: message });
    await store(repeat(others.length, request), 200, { messages: (n) => others[n - 200]! });
    const conditions = [
      ...['rows/1', 'ELET', '27', 'q=19', 'GET | 2', '0.1 | /', 'plain', '%', 'quoted', '☃', 'get', ''].map((text) => {
        const pattern = JSON.stringify(`%${text.replace(/[%_]/g, '\\\\$&')}%`);
        return `event_message LIKE ${pattern}`;
      }),
      `CONTAINS_SUBSTR(event_message, 'dElEtE')`,
      `STARTS_WITH(event_message, 'GET')`,
      `ENDS_WITH(event_message, '?q=9')`,
      `REGEXP_CONTAINS(event_message, r'/1[0-9]+[?]q')`,
      `event_message = 'plain'`,
      `NOT event_message LIKE '%rows%'`,
      `(event_message LIKE '%rows/1%' OR event_message LIKE '%auth%') AND event_message LIKE '%q=%'`,
      ['1', '2', '3', '4', '5'].map((text) => `event_message LIKE '%/${text}%'`).join(' OR '),
    ];
    const queries = conditions.map(
      (condition) => `SELECT event_message, id FROM events WHERE ${condition} ORDER BY timestamp`
    );
    const before = await Promise.all(queries.map(ask));
    await sealAll();
    expect(await Promise.all(queries.map(ask))).toEqual(before);
    expect(compiled(queries[0]!).sql).toContain('contains(concat("metadata.path", "metadata.search"), ');
    expect(compiled(queries[0]!).sql).not.toContain('concat("metadata.status")');
    expect(compiled(queries[2]!).sql).toContain('contains(concat("metadata.status"), ');
    expect(compiled(queries[4]!).sql).not.toContain('contains("metadata.');
    expect(compiled(queries.at(-1)!).sql).not.toContain('contains("metadata.');
    await fixture.reopen();
    expect(await Promise.all(queries.map(ask))).toEqual(before);
    expect(compiled(queries[0]!).sql).toContain('contains("metadata.ip", ');
  });

  test('that repeat a field are not stored', async () => {
    const text = (n: number): string => `request ${n * 7919}: é☃ '${n}'`;
    await store(
      repeat(60, (n) => JSON.stringify({ msg: text(n), level: 'info' })),
      0,
      { messages: text }
    );
    const before = await contents();
    await sealAll();
    expect(await contents()).toEqual(before);
    expect(await stored()).toEqual([]);
  });

  test('that no columns compose are stored', async () => {
    await store(repeat(60, request), 0, { messages: (n) => `worker ${n * 7919} is done` });
    await sealAll();
    expect(await stored()).toBeNull();
  });
});

test('a sealed day is read for copies as it was before the seal', async () => {
  await store([...repeat(80, (n) => `{"a":${n},"b":[{"c":${n}},{"c":0}]}`), '{"a":1.10}', '{"a":"\\u0041"}']);
  const read = async (): Promise<unknown> => {
    await fixture.store.close();
    const options = { dataDir: fixture.dataDir, memoryLimitMb: 64, threads: 1 };
    const database = await openDatabase(options);
    const connection = await database.connect();
    try {
      const [day] = await storedDays(connection, SOURCE);
      const [part] = day!.parts;
      const lines = (await readEvents(connection, SOURCE, part!, 0, 1000)).toString('utf8').trimEnd().split('\n');
      return { lines: lines.sort(), digest: await digestDay(connection, SOURCE, day!) };
    } finally {
      connection.closeSync();
      database.close();
      fixture.store = await openDuckDbStore({ ...options, sources: [SOURCE] });
    }
  };
  const before = await read();
  await sealAll();
  expect(await read()).toEqual(before);
});

const key = fc.constantFrom('a', 'b', 'c', 'A', 'é "k"', "it's", 'nested key', '', '__proto__', '1');
const scalar = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 5 }).map((text) => JSON.stringify(text)),
  fc.constantFrom(
    'null',
    'true',
    'false',
    '0',
    '-1',
    '1.5',
    '1.10',
    '1e3',
    '2.0',
    '12345678901234567890',
    '"\\u0041\\/"',
    '""'
  ),
  fc.constantFrom('[]', '["x","y"]', '[1,2]', '[null]', '[{"z":1},{"z":2}]', '[{"z":1}]', '[[1]]')
);
const object = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof({ depthSize: 'small', withCrossShrink: true }, scalar, tie('object')),
  object: fc
    .tuple(fc.uniqueArray(fc.tuple(key, tie('value')), { selector: ([name]) => name, maxLength: 4 }), fc.boolean())
    .map(([members, isSpaced]) => {
      const [colon, comma] = isSpaced ? [': ', ', '] : [':', ','];
      return `{${members.map(([name, value]) => JSON.stringify(name) + colon + value).join(comma)}}`;
    }),
})).object;

test('any texts are the same after a seal, and after another with late events', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(object, { minLength: 1, maxLength: 6 }),
      fc.array(object, { minLength: 1, maxLength: 3 }),
      async (first, late) => {
        await fixture.remove();
        fixture = await openFixture([SOURCE], 64);
        const many = repeat(first.length * 5, (n) => first[n % first.length]!);
        await store(many);
        const before = await contents();
        await sealAll();
        expect(await contents()).toEqual(before);
        await store(late, 1000);
        const both = await contents();
        await sealAll();
        expect(parts().length).toBeLessThanOrEqual(2);
        expect(await contents()).toEqual(both);
      }
    ),
    fcRuns(20)
  );
}, 120_000);
