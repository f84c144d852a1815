/** Rows in RowBinary are stored as the same rows in JSON are. */
import fc from 'fast-check';
import { Connection } from '#server/stores/clickhouse/connection/connection';
import { reportSchema } from '#server/stores/clickhouse/schema/change-schema';
import { columnsOf } from '#server/stores/clickhouse/schema/layout';
import { insertMark, markOf } from '#server/stores/clickhouse/schema/insert-mark';
import { SourceState } from '#server/stores/clickhouse/write/source-state';
import type { WaitingRow } from '#server/stores/clickhouse/write/waiting-batches';
import { bytesOf, writeRows } from '#server/stores/clickhouse/write/write-rows';
import type { Source } from '#contract/events/source';
import type { EventRow } from '#server/stores/ingest/event/event-row';
import { readBatch } from '#server/stores/ingest/read/read-batch';
import { record } from '../../../support/arbitrary/event';
import { type ClickHouseEngine, startClickHouseEngine } from '../../../support/processes/clickhouse';
import { ingestBatch } from '../../../support/stores/ingest-batch';
import { clickHouseOptions, makeTables } from './clickhouse-fixture';
import { makeSource, NOW_MICROS } from '../store-fixture';

const FIELDS = {
  b: 'STRING',
  a: 'INT64',
  'r.int': 'INT64',
  'r.float': 'FLOAT64',
  'r.bool': 'BOOL',
  'r.text': 'STRING',
} as const;
const SOURCE = makeSource({
  columns: { project: 'STRING', size: 'INT64', share: 'FLOAT64', ok: 'BOOL' },
  fields: FIELDS,
});

let engine: ClickHouseEngine;

beforeAll(async () => {
  engine = await startClickHouseEngine();
}, 30_000);
afterAll(() => engine.stop());

/** Two equal tables, one for each form of rows. */
async function openTables(source: Source = SOURCE, tableOf: Source = source) {
  const [binary, json] = [clickHouseOptions(engine, [tableOf]), clickHouseOptions(engine, [tableOf])] as const;
  for (const options of [binary, json]) await makeTables(options);
  const { columns } = await reportSchema(binary, [tableOf]);
  const state = new SourceState(source, columns.get(source.name)!, []);
  const connections = [binary, json].map((options) => new Connection(options, options.writer));
  let inserts = 0;
  const insert = async (at: number, columnList: string | null, rows: readonly Buffer[]): Promise<void> => {
    const request = { table: source.name, columns: columnList, rows, token: `token ${++inserts}` };
    await connections[at]!.insert(request);
  };
  return {
    state,
    /** @returns numbers of accepted and rejected entries, and of lists of columns */
    async store(body: string): Promise<readonly [number, number, number]> {
      const batch = ingestBatch({ source: source.name, body: Buffer.from(body), nowMicros: NOW_MICROS });
      const { rows, rejected } = readBatch(state.reader, batch);
      const mark = insertMark(NOW_MICROS / 1000);
      const markFor = (row: EventRow): bigint => markOf(mark, row.hasOwnTime);
      const groups = new Map<string | null, WaitingRow[]>();
      for (const row of writeRows(state, rows, mark, body.length))
        groups.set(row.columns, [...(groups.get(row.columns) ?? []), row]);
      for (const [list, written] of groups) await insert(0, list, bytesOf(written));
      const lines = rows.map((row) => state.writer.write(row, markFor(row)));
      if (lines.length > 0) await insert(1, null, lines);
      return [rows.length, rejected, groups.size];
    },
    /** Rows of both tables, as texts. */
    async rows(condition = '1') {
      const [a, b] = await Promise.all(
        [binary, json].map(({ database }) =>
          engine.query(
            `SELECT formatRow('TSV', *), toString(JSONAllPathsWithTypes(_fields)), hex(metadata_json), hex(id)
             FROM \`${database}\`.events WHERE ${condition} ORDER BY id, timestamp`
          )
        )
      );
      return { binary: a!, json: b! };
    },
    async close() {
      await Promise.all(connections.map((connection) => connection.close()));
    },
  };
}

const edge = fc.constantFrom(
  '0',
  '-0',
  '-0.0',
  '1.0',
  '1e3',
  '0.1',
  '-1',
  '999999999999999',
  '1000000000000000',
  '-1000000000000000',
  '4294967295',
  '4294967296',
  '-4294967297',
  '9007199254740993',
  '9223372036854775807',
  '-9223372036854775808',
  '9223372036854775808',
  '12345678901234567890123',
  '5e-324',
  '1e-400',
  '1.7976931348623157e308',
  '1e400',
  '123456789.123456789012345678901234567890',
  'true',
  'false',
  'null',
  '""',
  '"true"',
  '"42"',
  '"1.5"',
  '"\\ud83e\\udd86"',
  '"\\ud800"',
  '"\\udc00 x"',
  '"tab\\t line\\n quote\\" back\\\\ \\u0001"',
  '"ünïcode 🦆 \u2028"',
  `"${'x'.repeat(127)}"`,
  `"${'é'.repeat(64)}"`,
  `"${'x'.repeat(128)}"`,
  `"${'🦆'.repeat(5000)}"`,
  '[]',
  '[1,"a",null]',
  '{}',
  '{"deeper":{"x":1,"y":null}}'
);

const value = fc.oneof({ weight: 4, arbitrary: edge }, fc.jsonValue({ maxDepth: 1 }).map(textOf));

/** Values that a column outside of metadata takes. */
const scalar = value.filter((text) => !/^[[{]/.test(text));

const event = fc
  .record(
    {
      event_message: scalar,
      project: scalar,
      size: fc.maxSafeInteger().map(String),
      share: fc.double({ noNaN: true, noDefaultInfinity: true }).map(textOf),
      ok: fc.boolean().map(String),
      r: fc.dictionary(fc.constantFrom('int', 'float', 'bool', 'text', 'new', 'é"'), value),
      more: record.map(textOf),
      micros: fc.integer({ min: 0, max: 86_399_999_999 }),
    },
    { requiredKeys: ['more', 'micros'] }
  )
  .map(({ r, more, micros, ...own }) => {
    const members = Object.entries(own).map(([name, text]) => `"${name}":${text}`);
    const fields = Object.entries(r ?? {}).map(([name, text]) => `${JSON.stringify(name)}:${text}`);
    const metadata = more === '{}' ? `{"r":{${fields.join(',')}}}` : `{"r":{${fields.join(',')}},${more.slice(1)}`;
    const seconds = Math.floor(micros / 1e6);
    const time = `${new Date(Date.UTC(2026, 10, 20) + seconds * 1000).toISOString().slice(0, 19)}.${String(micros % 1e6).padStart(6, '0')}Z`;
    return [...members, `"timestamp":"${time}"`, `"metadata":${metadata}`].join(',');
  });

function textOf(json: unknown): string {
  return JSON.stringify(json).replaceAll('\\u0000', '');
}

it('any events give the same rows in both forms', async () => {
  const tables = await openTables();
  try {
    let serial = 0;
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 10, maxLength: 40 }), async (events) => {
        const from = String(serial).padStart(8, '0');
        const body = events.map((text) => `{"id":"${String(serial++).padStart(8, '0')}",${text}}`).join('\n');
        accepted += (await tables.store(body))[0];
        const rows = await tables.rows(`id >= '${from}'`);
        expect(rows.binary).toEqual(rows.json);
      }),
      { numRuns: 25 }
    );
    const rows = await tables.rows();
    expect(rows.binary).toHaveLength(accepted);
    expect(accepted).toBeGreaterThan(100);
    expect(rows.binary).toEqual(rows.json);
  } finally {
    await tables.close();
  }
}, 180_000);

it('each edge value at each place gives the same row in both forms', async () => {
  const tables = await openTables();
  try {
    const values = fc.sample(edge, { numRuns: 600, seed: 1 });
    const places = ['event_message', 'project', 'size', 'share', 'ok', 'id'].map(
      (name) => (text: string) => `"${name}":${text}`
    );
    for (const name of ['b', 'a', 'new', '\\ud800', 'k\\"']) places.push((text) => `"metadata":{"${name}":${text}}`);
    for (const name of ['int', 'float', 'bool', 'text', 'new'])
      places.push((text) => `"metadata":{"r":{"${name}":${text}}}`);
    const entries = [...new Set(values)].flatMap((text, i) =>
      places.map(
        (place, j) => `{"timestamp":"2026-11-20T01:00:00.${String(i * 100 + j).padStart(6, '0')}Z",${place(text)}}`
      )
    );
    const [accepted] = await tables.store(entries.join('\n'));
    const rows = await tables.rows();
    expect(rows.binary).toHaveLength(accepted);
    expect(accepted).toBeGreaterThan(entries.length / 2);
    expect(rows.binary).toEqual(rows.json);
  } finally {
    await tables.close();
  }
}, 120_000);

it('a field that widens leaves its column, in both forms', async () => {
  const tables = await openTables();
  try {
    const line = (id: string, int: string): string =>
      `{"id":"${id}","timestamp":"2026-11-20T01:00:00Z","metadata":{"r":{"int":${int}},"wide":${int}}}`;
    for (const [id, int] of [
      ['a', '1'],
      ['b', '1.5'],
      ['c', '"text"'],
      ['d', '2'],
    ] as const)
      await tables.store(line(id, int));
    await tables.store([line('e', '7'), line('f', 'true'), line('g', 'null')].join('\n'));
    const rows = await tables.rows();
    expect(rows.binary).toHaveLength(7);
    expect(rows.binary).toEqual(rows.json);
  } finally {
    await tables.close();
  }
});

it('a column of the table that the server does not declare is filled when its field appears', async () => {
  const later = makeSource({ columns: SOURCE.columns, fields: {} });
  const tables = await openTables(later, SOURCE);
  try {
    const line = (id: string, metadata: string): string =>
      `{"id":"${id}","timestamp":"2026-11-20T01:00:00Z","metadata":${metadata}}`;
    const [accepted, , lists] = await tables.store(
      [line('a', '{}'), line('b', '{"b":"x"}'), line('c', '{"r":{"float":1.5,"int":3}}'), line('d', '{}')].join('\n')
    );
    expect([accepted, lists]).toEqual([4, 3]);
    await tables.store(line('e', '{"r":{"int":4,"bool":true},"b":"y"}'));
    const rows = await tables.rows();
    expect(rows.binary).toHaveLength(5);
    expect(rows.binary).toEqual(rows.json);
  } finally {
    await tables.close();
  }
});

it('a table whose own column is of an operator’s type gets its rows as JSON, and one of another type is refused', () => {
  const columns = columnsOf(SOURCE).map(({ name, type }) => [name, type] as const);
  const stateWith = (size: string) => new SourceState(SOURCE, new Map([...columns, ['size', size]]), []);
  expect(stateWith('Nullable(Int64)').binary).not.toBeNull();
  expect(stateWith('Nullable(Int32)').binary).toBeNull();
  expect(() => stateWith('LowCardinality(Nullable(String))')).toThrow(
    expect.objectContaining({ code: 'definition_invalid' })
  );
});
