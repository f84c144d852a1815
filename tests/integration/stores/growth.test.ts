/** Growth of the fields of a source with its events, and values that do not fit their column. */
import { maxColumnsFor } from '#server/stores/duckdb/sources/column-memory';
import { MAX_FIELDS, MAX_NEW_COLUMNS_PER_BATCH } from '#server/stores/ingest/limits';
import { makeSource, openFixture, type StoreFixture, TODAY } from './store-fixture';

const MEMORY_LIMIT_MB = 256;

let fixture: StoreFixture;

afterEach(() => fixture.remove());

/** Stores one event per metadata, in a batch each. */
async function ingestEach(...metadata: readonly unknown[]): Promise<void> {
  for (const [index, value] of metadata.entries()) {
    const id = `${Date.now()}-${index}-${Math.random()}`;
    const timestamp = 1795172400 + index;
    const body = JSON.stringify({ id, timestamp, metadata: value });
    expect(await fixture.ingest(body)).toMatchObject({ accepted: 1, duplicates: 0, rejected: 0 });
  }
}

type Kind = Parameters<StoreFixture['read']>[1][number];

async function column(name: string, kind: Kind, table = TODAY): Promise<readonly unknown[]> {
  const rows = await fixture.read(`SELECT "${name}" FROM "${table}" ORDER BY "timestamp"`, [kind]);
  return rows.columns[0]!;
}

const typeIn = (name: string, part = 0): string | undefined => fixture.source().parts[part]?.columns.get(name);

describe('fields of events', () => {
  beforeEach(async () => {
    fixture = await openFixture([makeSource()], MEMORY_LIMIT_MB);
  });

  it('get a column each in the part of their day, and are known after the store is opened again', async () => {
    await ingestEach({ a: 1 }, { b: { c: 'x' } }, { tags: [1, 2] }, { b: {} });
    await fixture.reopen();
    expect(fixture.field('a')).toEqual({ kind: 'leaf', type: 'INT64', column: 'metadata.a' });
    expect(fixture.field('tags')).toEqual({ kind: 'list', element: 'INT64', column: 'metadata.tags' });
    expect(fixture.field('b')).toMatchObject({ kind: 'record', presence: 'metadata.b' });
    expect(await column('metadata.b', 'BOOL')).toEqual([null, true, false, true]);
    expect(await column('metadata.b.c', 'STRING')).toEqual([null, 'x', null, null]);
    await ingestEach({ a: 2, d: true });
    expect(fixture.field('d')).toEqual({ kind: 'leaf', type: 'BOOL', column: 'metadata.d' });
  });

  it('have columns in the part of a new day from the start', async () => {
    await ingestEach({ a: 1, b: { c: 'x' } });
    await fixture.ingest([{ id: 'z', timestamp: '2026-11-21T10:00:00Z', metadata: { a: 2 } }]);
    expect(fixture.source().parts.map((part) => part.table)).toEqual(['events/2026-11-21', TODAY]);
    expect(typeIn('metadata.b.c', 0)).toBe('STRING');
  });

  it('are not registered while all their values are null or empty lists', async () => {
    await ingestEach({ a: null, b: [], c: [null] });
    expect(fixture.field('a')).toBeUndefined();
    await ingestEach({ a: 1, b: ['x'], c: [null, 2.5] });
    expect(fixture.field('b')).toMatchObject({ kind: 'list', element: 'STRING' });
    expect(fixture.field('c')).toMatchObject({ kind: 'list', element: 'FLOAT64' });
  });

  it('have columns of their own when only letter case or punctuation differs', async () => {
    const metadata = {
      'a.b': 1,
      a: { b: 2, B: 3, '': 4, c: { d: 5 }, C: { d: 6, D: 7 } },
      A: { b: 8 },
      'a/~b': { x: 9 },
    };
    await ingestEach(metadata, metadata);
    const columns = new Map<string, unknown>();
    const paths = [
      ['a.b'],
      ['a', 'b'],
      ['a', 'B'],
      ['a', ''],
      ['a', 'c', 'd'],
      ['a', 'C', 'd'],
      ['a', 'C', 'D'],
      ['A', 'b'],
    ];
    for (const path of [...paths, ['a/~b', 'x']]) {
      const field = path.reduce(
        (at, key) => (at as { fields: Map<string, never> }).fields.get(key)!,
        fixture.source().metadata as unknown
      );
      const { column: name } = field as { column: string };
      columns.set(name, (await column(name, 'INT64'))[1]);
    }
    expect([...columns.values()]).toEqual([1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n, 9n]);
    await fixture.reopen();
    await ingestEach(metadata);
    expect(await column([...columns.keys()][6]!, 'INT64')).toEqual([7n, 7n, 7n]);
  });

  it('beyond the limit of columns per part are in the text', async () => {
    const most = maxColumnsFor(MEMORY_LIMIT_MB);
    for (let start = 0; start < most + 10; start += MAX_NEW_COLUMNS_PER_BATCH) {
      const keys = Array.from({ length: MAX_NEW_COLUMNS_PER_BATCH }, (_, i) => [`f${start + i}`, start + i]);
      await ingestEach(Object.fromEntries(keys));
    }
    expect(fixture.field(`f${most - 1}`)).toMatchObject({ kind: 'leaf', column: expect.any(String) });
    expect(fixture.field(`f${most}`)).toEqual({ kind: 'leaf', type: 'INT64', column: null });
    await ingestEach({ r: { x: 1 } });
    expect(fixture.field('r')).toBeUndefined();
    expect(await column('metadata_json', 'RECORD_TEXT')).toContain('{"r":{"x":1}}');
  }, 60_000);

  it('of one batch get columns up to the limit, and the others are read from the text with the same values', async () => {
    const keys = Array.from({ length: MAX_NEW_COLUMNS_PER_BATCH + 5 }, (_, i) => [`f${i}`, i]);
    await ingestEach(Object.fromEntries(keys), { later: 1 });
    expect(fixture.field(`f${MAX_NEW_COLUMNS_PER_BATCH - 1}`)).toMatchObject({ column: expect.any(String) });
    expect(fixture.field(`f${MAX_NEW_COLUMNS_PER_BATCH}`)).toEqual({ kind: 'leaf', type: 'INT64', column: null });
    expect(fixture.field('later')).toMatchObject({ column: expect.any(String) });
  });

  it('are not registered beyond the limit', async () => {
    for (let start = 0; start < MAX_FIELDS + 100; start += 1_000) {
      const keys = Array.from({ length: 1_000 }, (_, i) => [`k${start + i}`, null]);
      await ingestEach(Object.fromEntries(keys));
    }
    await ingestEach({ last: 1 });
    expect(fixture.field('last')).toBeUndefined();
  }, 60_000);
});

it('little memory has room for the columns of a store that was opened with it', async () => {
  fixture = await openFixture([makeSource()], 64);
  await ingestEach(Object.fromEntries(Array.from({ length: MAX_NEW_COLUMNS_PER_BATCH }, (_, i) => [`f${i}`, i])));
  for (let batch = 0; batch < 2; batch++) {
    const events = Array.from({ length: 6_000 }, (_, i) => ({
      id: `${batch}-${i}`,
      metadata: { [`f${i % MAX_NEW_COLUMNS_PER_BATCH}`]: i },
    }));
    expect(await fixture.ingest(events)).toMatchObject({ accepted: 6_000 });
  }
  expect(await fixture.read(`SELECT count(*) FROM "${TODAY}"`, ['INT64'])).toMatchObject({ columns: [[12_001n]] });
  expect(fixture.problems).toEqual([]);
});

describe('a value of another type', () => {
  beforeEach(async () => {
    fixture = await openFixture();
  });

  it.each([
    ['whole numbers and fractions', [1, 2.5], 'FLOAT64', [1, 2.5]],
    ['whole numbers and texts', [1, 'x'], 'STRING', ['1', 'x']],
    ['fractions and texts', [1.5, 'x', 2], 'STRING', ['1.5', 'x', '2']],
    ['truth values and numbers', [true, 1], 'STRING', ['true', '1']],
    ['texts and anything', ['x', 1, 1.5, false], 'STRING', ['x', '1', '1.5', 'false']],
  ] as const)('widens the column: %s', async (_, values, type, expected) => {
    await ingestEach(...values.map((a) => ({ a })));
    expect(fixture.field('a')).toMatchObject({ kind: 'leaf', type });
    expect(typeIn('metadata.a')).toBe(type);
    expect(await column('metadata.a', type)).toEqual(expected);
    await fixture.reopen();
    expect(fixture.field('a')).toMatchObject({ type });
  });

  it('keeps the digits of a number as written when the column is a text', async () => {
    await fixture.ingest('{"id":"1","timestamp":1795172400,"metadata":{"a":"x"}}');
    await fixture.ingest('{"id":"2","timestamp":1795172401,"metadata":{"a":1.10}}');
    await fixture.ingest('{"id":"3","timestamp":1795172402,"metadata":{"a":18446744073709551615}}');
    expect(await column('metadata.a', 'STRING')).toEqual(['x', '1.10', '18446744073709551615']);
    expect((await column('metadata_json', 'RECORD_TEXT'))[1]).toBe('{"a":1.10}');
  });

  it('does not change the type in parts of other days', async () => {
    await fixture.ingest([{ id: 'a', timestamp: '2026-11-18T10:00:00Z', metadata: { a: 1 } }]);
    await ingestEach({ a: 'x' });
    expect([typeIn('metadata.a', 0), typeIn('metadata.a', 1)]).toEqual(['STRING', 'INT64']);
    await fixture.ingest([{ id: 'b', timestamp: '2026-11-18T11:00:00Z', metadata: { a: 'y' } }]);
    expect(await column('metadata.a', 'STRING', 'events/2026-11-18')).toEqual(['1', 'y']);
  });

  it('of another kind stays in the text, because the first kind wins', async () => {
    await ingestEach({ a: 1, r: { x: 1 }, l: [1] }, { a: { b: 1 }, r: 5, l: 7 }, { a: [1], r: [1, 2], l: { z: 1 } });
    expect(fixture.field('a')).toMatchObject({ kind: 'leaf', type: 'INT64' });
    expect(await column('metadata.a', 'INT64')).toEqual([1n, null, null]);
    expect(await column('metadata.r', 'BOOL')).toEqual([true, false, false]);
    expect((await column('metadata_json', 'RECORD_TEXT'))[1]).toBe('{"a":{"b":1},"r":5,"l":7}');
  });

  it('in a list of mixed values makes the list a text of JSON', async () => {
    await ingestEach({ a: [1, 'x', [true]] }, { a: 'plain' }, { a: [1] });
    expect(await column('metadata.a', 'STRING')).toEqual(['[1,"x",[true]]', 'plain', '[1]']);
  });

  it('widens the elements of a list', async () => {
    await ingestEach({ a: [1] }, { a: ['x', null] });
    expect(typeIn('metadata.a')).toBe('ARRAY<STRING>');
    const rows = await fixture.read(`SELECT list_extract("metadata.a", 1) FROM "${TODAY}" ORDER BY "timestamp"`, [
      'STRING',
    ]);
    expect(rows.columns[0]).toEqual(['1', 'x']);
  });
});

describe('a real list of records', () => {
  beforeEach(async () => {
    fixture = await openFixture();
  });

  it('is registered as a list and has no columns', async () => {
    await ingestEach({ items: [{ a: 1 }, { a: 'x', b: { c: 1 } }] });
    expect(fixture.field('items')).toMatchObject({ kind: 'records' });
    expect(fixture.field('items.a')).toEqual({ kind: 'leaf', type: 'STRING', column: null });
    expect(fixture.field('items.b')).toMatchObject({ kind: 'record', presence: null });
  });

  it('removes the columns of a path that had single records, and single ones are lists from then on', async () => {
    await ingestEach({ r: { a: 1, s: { b: 2 } } }, { r: [{ a: 1 }, { a: 2 }] }, { r: { a: 3 } }, { r: [{ a: 4 }] });
    await fixture.reopen();
    expect(fixture.field('r')).toMatchObject({ kind: 'records' });
    expect(fixture.field('r.s')).toMatchObject({ kind: 'record', presence: null });
    expect(await column('metadata_json', 'RECORD_TEXT')).toEqual([
      '{"r":{"a":1,"s":{"b":2}}}',
      '{"r":[{"a":1},{"a":2}]}',
      '{"r":[{"a":3}]}',
      '{"r":[{"a":4}]}',
    ]);
  });

  it.each([
    { former: 'A b', later: 'a b', value: 5, type: 'INT64' },
    { former: 'a b', later: 'a_b', value: 5, type: 'INT64' },
    { former: 'a b', later: 'a_b', value: 'y', type: 'STRING' },
  ] as const)('leaves its columns to no field: "$former" was single, "$later" is $type', async (example) => {
    const { former, later, value, type } = example;
    await ingestEach({ [former]: { c: 'x' } }, { [former]: [{ c: 'x' }, {}] });
    await fixture.reopen();
    await ingestEach({ [later]: { c: value } });
    expect(fixture.problems).toEqual([]);
    expect(fixture.field(later)).toMatchObject({ presence: 'metadata.a_b~2' });
    expect(fixture.field(`${later}.c`)).toMatchObject({ column: 'metadata.a_b.c~2' });
    const values = await column('metadata.a_b.c~2', type);
    expect(values.filter((each) => each !== null)).toEqual([type === 'INT64' ? 5n : value]);
  });
});

describe('declared fields', () => {
  beforeEach(async () => {
    const fields = {
      'request.status': 'INT64',
      'request.ms': 'FLOAT64',
      'items.a': 'STRING',
      items: 'ARRAY<STRUCT>',
      tags: 'ARRAY<STRING>',
    } as const;
    fixture = await openFixture([makeSource({ fields })]);
  });

  it('are known before any event', () => {
    expect(fixture.source().parts).toEqual([]);
    expect(fixture.field('request.status')).toEqual({ kind: 'leaf', type: 'INT64', column: 'metadata.request.status' });
    expect(fixture.field('items')).toMatchObject({ kind: 'records' });
    expect(fixture.field('items.a')).toEqual({ kind: 'leaf', type: 'STRING', column: null });
    expect(fixture.field('tags')).toMatchObject({ kind: 'list', element: 'STRING' });
  });

  it('keep their type; a value that is clearly the same in another type is converted', async () => {
    const statuses = [200, '404', 500.0, 1.5, 'x', true, { a: 1 }, [1], null];
    await ingestEach(...statuses.map((status) => ({ request: { status } })));
    expect(fixture.field('request.status')).toMatchObject({ type: 'INT64' });
    expect(await column('metadata.request.status', 'INT64')).toEqual([200n, 404n, 500n, ...Array<null>(6).fill(null)]);
    await ingestEach({ request: [{ status: 1 }, { status: 2 }] });
    expect(fixture.field('request')).toMatchObject({ kind: 'record', presence: 'metadata.request' });
  });

  it('get their column with the first value', async () => {
    await ingestEach({ request: { ms: 1 } });
    expect([typeIn('metadata.request.ms'), typeIn('metadata.request.status')]).toEqual(['FLOAT64', undefined]);
    await ingestEach({ request: { status: 1 } });
    expect(typeIn('metadata.request.status')).toBe('INT64');
  });
});

describe('a source whose declaration changes', () => {
  it('gets the new columns, and refuses another type for a column that has events', async () => {
    fixture = await openFixture();
    await ingestEach({ a: 1 });
    await fixture.reopen([makeSource({ columns: { project: 'STRING', region: 'STRING' } })]);
    await fixture.ingest([{ id: 'r', timestamp: 1795172500, region: 'eu' }]);
    expect(await column('region', 'STRING')).toEqual([null, 'eu']);
    await expect(fixture.reopen([makeSource({ columns: { project: 'INT64' } })])).rejects.toMatchObject({
      code: 'definition_invalid',
    });
    await fixture.reopen();
  });
});

it('fields are listed in the same order after the store is opened again, declared ones first', async () => {
  const fields = { path: 'STRING', 'request.ms': 'FLOAT64', level: 'STRING' } as const;
  fixture = await openFixture([makeSource({ fields })]);
  const listed = (path = ''): readonly string[] => {
    const field = path === '' ? fixture.source().metadata : fixture.field(path);
    return field !== undefined && 'fields' in field ? [...field.fields.keys()] : [];
  };
  await ingestEach(
    { later: null, b: 1, a: 1, level: 'info' },
    { z: 1, later: 2, request: { url: '/', ms: 1 } },
    { b: 1.5, a: [1] },
    { request: { ip: '::1', url: 7, path: null } }
  );
  const [top, request] = [listed(), listed('request')];
  expect(top).toEqual(['path', 'level', 'request', 'b', 'a', 'z', 'later']);
  expect(request).toEqual(['ms', 'url', 'ip']);
  for (const one of ['first', 'second']) {
    await fixture.reopen();
    expect([one, listed(), listed('request')]).toEqual([one, top, request]);
    await ingestEach({ a: 'text' });
  }
});
