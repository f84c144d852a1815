/** Parts of the console that need no browser. */
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import type { RunRequest } from './api/run-query';
import { offsetOf } from './editor/validate-text';
import { readState, writeState } from './pages/saved-query/run/runner-state';
import { curlCall } from './pages/saved-query/calls/write-calls';
import { filterRows, orderRows } from './results/table/order-rows';
import { readSeries } from './charts/read-series';
import { formatNumber, formatTime, formatUtc } from './results/values/format-value';
import { withState } from './app/links';

beforeAll(() => Object.assign(globalThis, { window: { location: { origin: 'http://127.0.0.1:8080' } } }));
afterAll(() => Reflect.deleteProperty(globalThis, 'window'));

test('what a person has entered comes back from the address', () => {
  const views = fc.constantFrom('run', 'definition', 'call');
  const languages = fc.constantFrom('sql', 'lql');
  const spans = fc.constantFrom(null, '15m', '7d');
  const text = fc.string({ unit: 'binary', minLength: 1 }).filter((each) => each.isWellFormed());
  fc.assert(
    fc.property(
      fc.record({
        view: views,
        parameters: fc.dictionary(text, text),
        language: languages,
        text,
        span: spans,
        isTable: fc.boolean(),
      }),
      (state) => {
        const search = new URLSearchParams(writeState(state)).toString();
        expect(readState(search)).toEqual({ ...state, parameters: { ...state.parameters } });
      }
    )
  );
});

test('a shell gives curl the very values', () => {
  const value = fc.string({ unit: 'binary' }).filter((each) => each.isWellFormed() && !each.includes('\0'));
  fc.assert(
    fc.property(value, (project) => {
      const request: RunRequest = { query: 'logs.all', parameters: { project }, adhoc: null };
      // `curl` prints its arguments here.
      const script = `curl() { printf '%s\\0' "$@"; }; LQE_TOKEN=t; ${curlCall(request)}`;
      const words = execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).split('\0');
      expect(words).toContain(`project=${project}`);
    }),
    { numRuns: 50 }
  );
});

const COLUMNS = [
  { name: 'n', type: 'INT64' },
  { name: 't', type: 'STRING' },
];

test('rows are sorted by the values of their type, with NULL last', () => {
  const rows = [
    { n: 10, t: 'b' },
    { n: null, t: 'a' },
    { n: '9007199254740993', t: 'a10' },
    { n: 9, t: 'a9' },
  ];
  const sorted = (column: string, isDescending: boolean) =>
    orderRows(rows, COLUMNS, { column, isDescending }).map((row) => row[column as 'n' | 't']);
  expect(sorted('n', false)).toEqual([9, 10, '9007199254740993', null]);
  expect(sorted('n', true)).toEqual(['9007199254740993', 10, 9, null]);
  expect(sorted('t', false)).toEqual(['a', 'a9', 'a10', 'b']);
  expect(filterRows(rows, COLUMNS, 'A1')).toEqual([rows[2]]);
});

test('a result has series when each time has one row', () => {
  const columns = [{ name: 'at', type: 'DATETIME' }, ...COLUMNS];
  const rows = [
    { at: '2026-03-02T00:00:00', n: 2, t: 'x' },
    { at: '2026-03-01T00:00:00', n: null, t: 'y' },
  ];
  expect(readSeries(columns, rows)).toEqual({
    times: [1_772_323_200, 1_772_409_600],
    timeType: 'DATETIME',
    lines: [{ name: 'n', values: [null, 2] }],
    hiddenLines: 0,
  });
  expect(readSeries(columns, [rows[0]!, rows[0]!])).toBeNull();
  expect(readSeries(COLUMNS, rows)).toBeNull();
});

describe('rows of one time are lines by group', () => {
  const column = (name: string, type: string) => ({ name, type });
  const time = column('timestamp', 'TIMESTAMP');
  const linesOf = (
    columns: Array<ReturnType<typeof column>>,
    rows: ReadonlyArray<ReadonlyArray<string | number | null>>
  ) => {
    const named = rows.map((row) => Object.fromEntries(columns.map(({ name }, at) => [name, row[at] ?? null])));
    const series = readSeries(columns, named);
    return series && { times: series.times, lines: series.lines.map(({ name, values }) => [name, ...values]) };
  };

  test('of a text, the largest first, with zeros where a count has no row', () => {
    const rows = [
      [0, 'info', 9],
      [0, 'error', 1],
      [1e6, 'info', 8],
      [2e6, null, 50],
      [2e6, 'info', 7],
    ];
    expect(linesOf([time, column('level', 'STRING'), column('count', 'INT64')], rows)).toEqual({
      times: [0, 1, 2],
      lines: [
        ['NULL', 0, 0, 50],
        ['info', 9, 8, 7],
        ['error', 1, 0, 0],
      ],
    });
    expect(linesOf([time, column('level', 'STRING'), column('p95', 'FLOAT64')], rows)?.lines.at(-1)).toEqual([
      'error',
      1,
      null,
      null,
    ]);
  });

  test('of a number, where no text tells rows apart', () => {
    const rows = [
      [0, 200, 9, 4],
      [0, 500, 1, 3],
      [1e6, 200, 8, 2],
      [1e6, 500, 2, 1],
    ];
    const columns = [time, column('status', 'INT64'), column('count', 'INT64'), column('ms', 'INT64')];
    expect(linesOf(columns, rows)?.lines).toEqual([
      ['200 count', 9, 8],
      ['200 ms', 4, 2],
      ['500 ms', 3, 1],
      ['500 count', 1, 2],
    ]);
  });

  test('but not of texts that hardly any rows share, nor of two rows alike', () => {
    const columns = [time, column('id', 'STRING'), column('n', 'INT64')];
    expect(
      linesOf(columns, [
        [0, 'a', 1],
        [0, 'b', 1],
        [1e6, 'c', 1],
      ])
    ).toBeNull();
    expect(
      linesOf(columns, [
        [0, 'a', 1],
        [0, 'a', 1],
        [1e6, 'a', 1],
      ])
    ).toBeNull();
  });

  test('with short names, in which nothing reverses the text', () => {
    const name = `a\u202eb${'c'.repeat(100)}`;
    const columns = [time, column('path', 'STRING'), column('count', 'INT64')];
    const rows = [
      [0, name, 1],
      [0, 'b', 5],
      [1e6, name, 1],
    ];
    expect(linesOf(columns, rows)?.lines.at(-1)).toEqual([`a\ufffdb${'c'.repeat(57)}…`, 1, 1]);
  });

  test('of one size by name, whatever the order of rows', () => {
    const columns = [time, column('status', 'INT64'), column('n', 'INT64')];
    const rows = [
      [0, 500, 3],
      [0, 90, 3],
      [0, 404, 3],
      [1e6, 500, 2],
      [1e6, 90, 2],
      [1e6, 404, 2],
      [1e6, 200, 5],
    ];
    expect(linesOf(columns, rows)?.lines.map(([name]) => name)).toEqual(['90', '200', '404', '500']);
    expect(linesOf(columns, [...rows].reverse())?.lines.map(([name]) => name)).toEqual(['90', '200', '404', '500']);
  });

  test('eight of them', () => {
    const rows = Array.from({ length: 24 }, (_, at) => [Math.floor(at / 12) * 1e6, `g${at % 12}`, at % 12]);
    const named = rows.map(([timestamp, group, n]) => ({ timestamp: timestamp!, group: group!, n: n! }));
    const series = readSeries([time, column('group', 'STRING'), column('n', 'INT64')], named);
    expect([series?.lines.map(({ name }) => name), series?.hiddenLines]).toEqual([
      ['g11', 'g10', 'g9', 'g8', 'g7', 'g6', 'g5', 'g4'],
      4,
    ]);
  });
});

test('times keep their microseconds', () => {
  expect(formatUtc(1_772_323_200_000_001, 'TIMESTAMP')).toBe('2026-03-01T00:00:00.000001Z');
  expect(formatUtc(-1, 'TIMESTAMP')).toBe('1969-12-31T23:59:59.999999Z');
});

test('the hour after midnight is 00', () => {
  expect(formatTime(new Date(2026, 2, 1, 0, 5).getTime())).toMatch(/\b00:05:00/);
});

test('a small number of a chart is not 0', () => {
  expect([0.000_123_456, -0.5, 0, 1234.5678].map(formatNumber)).toEqual(['0.0001235', '-0.5', '0', '1,234.568']);
});

test('an address has no more than the service takes: the longest texts are in its fragment', () => {
  expect(withState('/a', { 'p.x': '1', sql: 'select 1' })).toBe('/a?p.x=1&sql=select+1');
  const sql = `select '#&?' -- ${'é'.repeat(5000)}`;
  const [path = '', fragment = ''] = withState('/a', { sql, 'p.x': '1', last: '1h' }).split('#');
  expect(path).toBe('/a?p.x=1&last=1h');
  expect(readState(`p.x=1&last=1h&${fragment}`)).toMatchObject({ parameters: { x: '1' }, text: sql, span: '1h' });
});

test('a position is an offset of the text', () => {
  expect(offsetOf('select\n  pth', { line: 2, column: 3 })).toBe(9);
  expect(offsetOf('select', { line: 7, column: 90 })).toBe(6);
});
