import {
  Binary,
  type DataType,
  DateDay,
  Field,
  Float64,
  List,
  makeData,
  makeVector,
  RecordBatch,
  RecordBatchFileReader,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  tableFromIPC,
  TimestampMicrosecond,
  Utf8,
} from 'apache-arrow';
import fc from 'fast-check';
import { readStream } from '#backend/frames/arrow/read-stream';
import { dataOf, takeRows, valueAt } from '#backend/frames/column-data';
import { encodeFrame } from '#backend/frames/encode/encode-frame';
import type { Column, FieldKind, Frame, FrameField } from '#backend/frames/frame';
import { frameJson } from '#backend/frames/encode/frame-json';
import { LabelWriter } from '#backend/frames/labels/label-writer';
import { readResult } from '#backend/frames/read-result';
import type { LevelSettings } from '#contract/plugin/levels';
import { shapeResult, type ShapeOptions } from '#backend/frames/shapes/shape-result';
import { decodeFrame } from '../../support/decode-frame';
import { encodeWithArrow } from '../../support/encode-with-arrow';

const VALUES: Readonly<Record<FieldKind, fc.Arbitrary<unknown>>> = {
  time: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  integer: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  number: fc.double(),
  string: fc.string({ unit: 'binary' }).map((text) => text.toWellFormed()),
  boolean: fc.boolean(),
  json: fc.json(),
};

const anyColumn = (length: number) =>
  fc.constantFrom(...(Object.keys(VALUES) as FieldKind[])).chain((kind) =>
    fc
      .array(fc.option(VALUES[kind], { freq: 4 }), { minLength: length, maxLength: length })
      .map((values): Column & { values: readonly unknown[] } => ({
        name: kind,
        kind,
        data: dataOf(kind, values),
        values,
      }))
  );
const anyColumns = fc
  .nat(20)
  .chain((length) =>
    fc.array(anyColumn(length), { minLength: 1, maxLength: 6 }).map((columns) => ({ columns, length }))
  );

test('encoded frames are decoded unchanged, with any values and nulls', () => {
  fc.assert(
    fc.property(anyColumns, ({ columns, length }) => {
      const frame = decodeFrame(encodeFrame({ name: 'n', refId: 'A', meta: {}, fields: columns, length }));
      expect(frame.length).toBe(length);
      columns.forEach(({ kind, values }, index) => {
        const plain =
          kind === 'json'
            ? values.map((text) => (text === null ? null : (JSON.parse(text as string) as unknown)))
            : values;
        expect(frame.fields[index]!.values).toEqual(plain);
        expect(frame.fields[index]!.nullable).toBe(values.includes(null));
      });
    })
  );
});

const anyText = VALUES.string as fc.Arbitrary<string>;
const anyFrame = anyColumns.chain(({ columns, length }) =>
  fc
    .record({
      name: anyText,
      refId: anyText,
      meta: fc.record({ executedQueryString: anyText, custom: fc.dictionary(anyText, anyText) }, { requiredKeys: [] }),
      decorations: fc.array(
        fc.record(
          {
            name: anyText,
            labels: fc.dictionary(anyText, anyText),
            config: fc.record({ displayNameFromDS: anyText, unit: anyText }, { requiredKeys: [] }),
          },
          { requiredKeys: ['name'] }
        ),
        { minLength: columns.length, maxLength: columns.length }
      ),
      kept: fc.nat(length),
    })
    .map(({ decorations, kept, ...frame }): Frame => {
      const fields = columns.map(({ kind, data }, index): FrameField => ({
        ...decorations[index]!,
        kind,
        data: data.slice(0, kept),
      }));
      return { ...frame, fields, length: kept };
    })
);

test('frames are written as apache-arrow writes them: schema, metadata, nulls and values', () => {
  fc.assert(
    fc.property(anyFrame, (frame) => {
      const [ours, theirs] = [encodeFrame(frame), encodeWithArrow(frame)].map((bytes) => contentsOf(bytes));
      expect(ours).toEqual(theirs);
    })
  );
});

test('the rows of a frame are written the same again, with other metadata', () => {
  fc.assert(
    fc.property(anyFrame, anyFrame, (frame, { name, refId, meta }) => {
      encodeFrame(frame);
      const renamed = { ...frame, name, refId, meta };
      expect(contentsOf(encodeFrame(renamed))).toEqual(contentsOf(encodeWithArrow(renamed)));
      expect(contentsOf(encodeFrame(frame))).toEqual(contentsOf(encodeWithArrow(frame)));
    })
  );
});

test('texts that begin within a shared buffer are written without what precedes them', () => {
  const text = Buffer.from('before one two');
  const data = makeData({ type: new Utf8(), length: 2, valueOffsets: Int32Array.of(7, 11, 14), data: text });
  const frame: Frame = { name: '', refId: 'A', meta: {}, fields: [{ name: 't', kind: 'string', data }], length: 2 };
  expect(decodeFrame(encodeFrame(frame)).fields[0]!.values).toEqual(['one ', 'two']);
  expect(Buffer.from(encodeFrame(frame)).includes('before')).toBe(false);
});

function contentsOf(bytes: Uint8Array): object {
  const reader = RecordBatchFileReader.from(bytes).open();
  const { schema } = reader;
  const batches = [...reader];
  return {
    metadata: [...schema.metadata],
    // `apache-arrow` omits an empty name.
    fields: schema.fields.map(({ name, type, nullable, metadata }) => [
      (name as string | null) ?? '',
      String(type),
      nullable,
      [...metadata],
    ]),
    batches: batches.map(({ data, numRows }) => ({
      numRows,
      columns: data.children.map((child) => ({ nullCount: child.nullCount, values: [...makeVector(child)] })),
    })),
  };
}

test('a selection of rows has exactly those rows', () => {
  fc.assert(
    fc.property(anyColumns, fc.array(fc.nat(1000)), ({ columns, length }, picks) => {
      const rows = length === 0 ? [] : picks.map((pick) => pick % length);
      for (const column of columns) {
        const get = valueAt(takeRows(column, rows));
        expect(rows.map((_, at) => get(at))).toEqual(rows.map((row) => column.values[row]));
      }
    })
  );
});

/** A result of one batch, as the service sends it. */
const anyResult = anyColumns.map(({ columns, length }) => {
  const fields = columns.map(({ kind, data }, index) => new Field(`${kind} ${index}`, data.type, true));
  const children = columns.map(({ data }) => data);
  const writer = new RecordBatchStreamWriter();
  writer.write(
    new RecordBatch(new Schema(fields), makeData({ type: new Struct(fields), length, nullCount: 0, children }))
  );
  return { columns, length, bytes: writer.finish().toUint8Array(true) };
});

test('results of one batch are read as apache-arrow reads them, wherever their bytes begin', () => {
  fc.assert(
    fc.property(anyResult, fc.nat(9), ({ columns, length, bytes }, start) => {
      const read = readStream(Buffer.concat([Buffer.alloc(start), bytes]).subarray(start));
      // Binary columns are left to apache-arrow.
      if (columns.some(({ kind }) => kind === 'json')) return expect(read).toBeUndefined();
      const table = tableFromIPC(bytes);
      expect(read?.length).toBe(length);
      expect(
        read?.columns.map(({ name, data }) => ({ name, type: String(data.type), values: [...makeVector(data)] }))
      ).toEqual(
        table.schema.fields.map(({ name, type }, index) => ({
          name,
          type: String(type),
          values: [...table.getChildAt(index)!],
        }))
      );
      expect(read?.columns.map(({ data }) => data.nullCount)).toEqual(columns.map(({ data }) => data.nullCount));
    })
  );
});

test('damaged results are read within their bytes, or left to apache-arrow', () => {
  const damage = fc.record({ at: fc.nat(), value: fc.nat(255), kept: fc.nat() });
  fc.assert(
    fc.property(anyResult, damage, ({ bytes }, { at, value, kept }) => {
      const damaged = Buffer.from(new Uint8Array(bytes));
      damaged[at % damaged.length] = value;
      const cut = damaged.subarray(0, kept % (damaged.length + 1));
      for (const stream of [damaged, cut]) {
        for (const { data } of readStream(stream)?.columns ?? []) {
          const ends = [data.values, data.nullBitmap].map((view) => view.byteOffset + view.byteLength);
          expect(Math.max(...ends)).toBeLessThanOrEqual(stream.buffer.byteLength);
          expect(data.valueOffsets?.[data.length] ?? 0).toBeLessThanOrEqual(data.values.length);
        }
      }
      expect(readStream(bytes.subarray(0, bytes.length >> 1))).toBeUndefined();
    })
  );
});

test('a host can read a frame without fields', () => {
  expect(
    decodeFrame(encodeFrame({ name: '', refId: 'A', meta: { executedQueryString: 'x' }, fields: [], length: 0 }))
  ).toMatchObject({ fields: [], length: 0 });
});

const OPTIONS: ShapeOptions = {
  refId: 'A',
  name: 'n',
  format: 'time_series',
  needsNumbers: false,
  limit: 100,
  meta: {},
};
const column = (name: string, kind: FieldKind, values: readonly unknown[]): Column => ({
  name,
  kind,
  data: dataOf(kind, values),
});
const shape = (columns: readonly Column[], options: Partial<ShapeOptions> = {}): Frame =>
  shapeResult({ columns, length: columns[0]?.data.length ?? 0, isCut: false }, { ...OPTIONS, ...options });

test('rows are sorted by time, and rows without a time are left out, as a notice says', () => {
  const frame = shape([column('t', 'time', [3n, null, 1n, 2n]), column('n', 'integer', [30n, 0n, 10n, 20n])]);
  expect(frame.meta?.notices).toEqual([
    { severity: 'warning', text: expect.stringMatching(/^A row without a time is not shown/) },
  ]);
  const { fields } = decodeFrame(encodeFrame(frame));
  expect(fields.map(({ values, nullable }) => ({ values, nullable }))).toEqual([
    { values: [1n, 2n, 3n], nullable: false },
    { values: [10n, 20n, 30n], nullable: false },
  ]);
});

test('labels make series, with null where a series has no point', () => {
  const frame = shape([
    column('t', 'time', [1n, 1n, 2n]),
    column('area', 'string', ['a', 'b', 'b']),
    column('ok', 'boolean', [true, true, null]),
    column('n', 'number', [1, 2, 3]),
  ]);
  const [time, ...series] = decodeFrame(encodeFrame(frame)).fields;
  expect(time!.values).toEqual([1n, 2n]);
  expect(series.map(({ labels, values }) => ({ labels, values }))).toEqual([
    { labels: { area: 'a', ok: 'true' }, values: [1, null] },
    { labels: { area: 'b', ok: 'true' }, values: [2, null] },
    { labels: { area: 'b', ok: '' }, values: [null, 3] },
  ]);
});

test('rows without a label and with an empty one stay apart, in a panel and in an alert rule', () => {
  const area = column('area', 'string', ['', null, 'a']);
  const n = column('n', 'number', [1, 2, 3]);
  const labelsOf = (columns: readonly Column[], options: Partial<ShapeOptions>) =>
    decodeFrame(encodeFrame(shape(columns, options)))
      .fields.filter(({ type }) => type === 'number')
      .map(({ labels, values }) => [labels['area'], ...values]);
  const expected = [
    ['', 1],
    ['NULL', 2],
    ['a', 3],
  ];
  expect(labelsOf([column('t', 'time', [1n, 1n, 1n]), area, n], {})).toEqual(expected);
  expect(labelsOf([area, n], { needsNumbers: true })).toEqual(expected);
});

test.each<[string, readonly Column[], Partial<ShapeOptions>, RegExp]>([
  ['two rows of one time', [column('t', 'time', [1n, 1n]), column('n', 'number', [1, 2])], {}, /one row for each time/],
  [
    'two rows of one time and label',
    [column('t', 'time', [1n, 1n]), column('a', 'string', ['x', 'x']), column('n', 'number', [1, 2])],
    {},
    /one row for each time and "a"/,
  ],
  [
    'no time',
    [column('n', 'number', [1])],
    {},
    /needs a column of times and one of numbers; this query returns n \(number\)/,
  ],
  [
    'too many series',
    [
      column('t', 'time', Array(1001).fill(1n)),
      column(
        'a',
        'string',
        Array.from({ length: 1001 }, (_, n) => `${n}`)
      ),
      column('n', 'number', Array(1001).fill(1)),
    ],
    {},
    /returns 1001 series; at most 1000/,
  ],
  [
    'series that share no times, of which each would have a value for every time',
    [
      column(
        't',
        'time',
        Array.from({ length: 6000 }, (_, n) => BigInt(n))
      ),
      column(
        'a',
        'string',
        Array.from({ length: 6000 }, (_, n) => `${n % 900}`)
      ),
      column('n', 'number', Array(6000).fill(1)),
    ],
    {},
    /900 series and 6000 times, which are 5400000 points; at most 5000000/,
  ],
  ['logs without a text', [column('t', 'time', [1n])], { format: 'logs' }, /Logs need a time and a text/],
  [
    'text in an alert',
    [column('a', 'string', ['x'])],
    { needsNumbers: true, format: 'table' },
    /need numbers; this query returns a \(string\)/,
  ],
  [
    'several numbers without labels in an alert',
    [column('n', 'number', [1, 2])],
    { needsNumbers: true, format: 'table' },
    /several rows without labels/,
  ],
  [
    'equal labels in an alert',
    [column('a', 'string', ['x', 'x']), column('n', 'number', [1, 2])],
    { needsNumbers: true, format: 'table' },
    /the same labels/,
  ],
])('%s is refused with what to do', (_name, columns, options, message) => {
  expect(() => shape(columns, options)).toThrow(message);
});

test.each([
  [false, 'group by the time, or select the column that tells the rows apart as text, or choose the format Table'],
  [true, 'group by the time, or select the column that tells the rows apart as text'],
])('two rows of one time can be a table, not so in an alert rule: %s', (needsNumbers, hint) => {
  const columns = [column('t', 'time', [1n, 1n]), column('n', 'number', [1, 2])];
  expect(() => shape(columns, { format: 'auto', needsNumbers })).toThrow(
    expect.objectContaining({ facts: expect.objectContaining({ hint }) })
  );
});

test.each([
  ['counts over time', [column('t', 'time', [1n]), column('n', 'integer', [1n])], 'Time series'],
  ['counts', [column('path', 'string', ['/']), column('n', 'integer', [1n])], 'Table'],
])('%s as logs: the format that fits them is named', (_name, columns, format) => {
  const hint = `select timestamp and event_message, or choose the format ${format}`;
  expect(() => shape(columns, { format: 'logs' })).toThrow(
    expect.objectContaining({ facts: expect.objectContaining({ hint }) })
  );
});

test.each<[string, string | undefined, unknown]>([
  ['[{"level":"ERROR"}]', undefined, ['error']],
  ['[{"parsed":[{"error_severity":"LOG"}]}]', undefined, ['info']],
  ['[{"parsed":[{"error_severity":"PANIC"}]}]', undefined, ['critical']],
  ['[{"level":"warn","response":[{"status_code":503}]}]', undefined, ['warning']],
  ['[{"response":[{"status_code":503}]}]', undefined, ['error']],
  ['[{"response":[{"status_code":404}]}]', undefined, ['warning']],
  ['[{"response":[{"status_code":200}]}]', undefined, ['info']],
  ['[{"response":[{"status_code":0}]}]', undefined, undefined],
  ['[{"level":"odd"}]', undefined, ['odd']],
  ['[{"level":"constructor"}]', undefined, ['constructor']],
  ['[{"level":"__proto__"}]', undefined, ['__proto__']],
  ['[{"a":{"b":"Warning"}}]', 'a.b', ['warning']],
  ['[{"a":1}]', undefined, undefined],
])('the level of %s is set by %s', (metadata, levelField, levels) => {
  const frame = shape(
    [
      column('timestamp', 'time', [1n]),
      column('event_message', 'string', ['m']),
      column('metadata', 'json', [metadata]),
    ],
    { format: 'logs', levels: { levelField } }
  );
  const decoded = decodeFrame(encodeFrame(frame));
  expect(decoded.fields.find(({ name }) => name === 'severity')?.values).toEqual(levels);
});

const rule = { field: 'severity', operator: '=', value: 'E1', level: 'error' } as const;

test.each<[string, LevelSettings, string | undefined, object]>([
  ['the default', {}, 'e1', {}],
  ['a rule that names it', { levelRules: [rule] }, 'error', {}],
  ['it as the level field', { levelField: 'severity' }, 'e1', { severity: 'E1' }],
  ['another level field', { levelField: 'a.b' }, undefined, { severity: 'E1' }],
])('a column of levels, with %s', (_name, levels, level, labels) => {
  const columns = [
    column('timestamp', 'time', [1n]),
    column('event_message', 'string', ['m']),
    column('severity', 'string', ['E1']),
  ];
  const { fields } = decodeFrame(encodeFrame(shape(columns, { format: 'logs', levels })));
  const valueOf = (wanted: string): unknown => fields.find(({ name }) => name === wanted)?.values[0];
  expect([valueOf('severity'), valueOf('labels')]).toEqual([level, labels]);
});

test('the text of a line without a message is neither its id nor its level, if there is another', () => {
  const columns = ['id', 'level', 'url'].map((name) => column(name, 'string', [name]));
  const bodyOf = (texts: readonly Column[]): unknown =>
    decodeFrame(encodeFrame(shape([column('timestamp', 'time', [1n]), ...texts], { format: 'logs' }))).field('body')
      .values[0];
  expect([bodyOf(columns), bodyOf(columns.slice(0, 1))]).toEqual(['url', 'id']);
});

test.each<[string, readonly Column[], readonly object[]]>([
  [
    'series',
    [column('t', 'time', [1n]), column('total_rest_requests', 'integer', [1n]), column('b', 'integer', [2n])],
    [{ series: 'Rest' }, { series: 'b' }],
  ],
  [
    'series with labels',
    [
      column('t', 'time', [1n]),
      column('series', 'string', ['x']),
      column('a', 'number', [1]),
      column('b', 'number', [2]),
    ],
    [
      { series: 'x', value: 'a' },
      { series: 'x', value: 'b' },
    ],
  ],
  [
    'numbers with both labels',
    [
      column('series', 'string', ['x', 'x']),
      column('value', 'string', ['y', 'z']),
      column('a', 'number', [1, 3]),
      column('b', 'number', [2, 4]),
    ],
    [
      { series: 'x', value: 'y', value_2: 'a' },
      { series: 'x', value: 'y', value_2: 'b' },
      { series: 'x', value: 'z', value_2: 'a' },
      { series: 'x', value: 'z', value_2: 'b' },
    ],
  ],
  ['numbers', [column('a', 'number', [1]), column('b', 'number', [2])], [{ series: 'a' }, { series: 'b' }]],
  ['one number', [column('a', 'number', [1])], [{}]],
])('in an alert rule %s differ by their labels alone', (_name, columns, labels) => {
  const { fields } = decodeFrame(encodeFrame(shape(columns, { needsNumbers: true })));
  expect(fields.filter(({ type }) => type === 'number').map((field) => field.labels)).toEqual(labels);
  const inPanel = decodeFrame(encodeFrame(shape(columns, { format: 'table' }))).fields;
  expect(inPanel.every((field) => Object.keys(field.labels).length === 0)).toBe(true);
});

test.each<[string, readonly Column[], object]>([
  ['a series', [column('t', 'time', []), column('n', 'integer', [])], { type: 'timeseries-wide' }],
  [
    'series with labels',
    [column('t', 'time', []), column('path', 'string', []), column('n', 'integer', [])],
    { type: 'timeseries-wide' },
  ],
  ['numbers', [column('n', 'integer', [])], { type: 'numeric-wide' }],
])('in an alert rule %s without rows is no data: a frame of the type without fields', (_name, columns, meta) => {
  const frame = decodeFrame(encodeFrame(shape(columns, { needsNumbers: true })));
  expect(frame).toMatchObject({ fields: [], meta: { ...meta, typeVersion: [0, 1] } });
});

test('in an alert rule a series of buckets without rows is zero, where the query fills them', () => {
  const columns = [column('t', 'time', []), column('n', 'integer', [])];
  const buckets = { seconds: 60, zeros: { fromMs: 0, toMs: 60_000 } };
  const frame = decodeFrame(encodeFrame(shape(columns, { needsNumbers: true, buckets })));
  expect(frame.field('n').values).toEqual([0n, 0n]);
});

test('empty buckets that are not filled have a notice in a panel, and are an error in an alert rule', () => {
  const columns = [column('t', 'time', [0n, 3_600_000_000_000n]), column('n', 'integer', [1n, 2n])];
  const buckets = { seconds: 1, zeros: { fromMs: 0, toMs: 3_600_000 }, maxCount: 1_000 };
  const { length, meta } = shape(columns, { format: 'time_series', buckets });
  expect(length).toBe(2);
  expect(meta?.notices).toEqual([
    { severity: 'warning', text: expect.stringMatching(/^Empty buckets are not filled with zeros: /) },
  ]);
  expect(() => shape(columns, { needsNumbers: true, buckets })).toThrow(/too many to fill with zeros/);
  expect(() => shape(columns, { needsNumbers: true, buckets: { seconds: 1 } })).not.toThrow();
});

test('in an alert rule averages of no rows are no data, also where the query fills buckets', () => {
  const columns = [column('t', 'time', []), column('mean', 'number', [])];
  const buckets = { seconds: 60, zeros: { fromMs: 0, toMs: 60_000 }, additivity: [false] };
  const of = (all: readonly Column[], additivity: readonly boolean[]) =>
    decodeFrame(encodeFrame(shape(all, { needsNumbers: true, buckets: { ...buckets, additivity } })));
  expect(of(columns, [false]).fields).toEqual([]);
  expect(of([...columns, column('n', 'integer', [])], [false, true]).field('n').values).toEqual([0n, 0n]);
});

test.each([
  ['integers that browsers round are texts', [2n ** 53n + 1n, null, 1n], ['9007199254740993', null, '1']],
  ['so are negative ones', [-(2n ** 53n)], ['-9007199254740992']],
  ['others stay numbers', [2n ** 53n - 1n, -(2n ** 53n) + 1n, null], [2n ** 53n - 1n, -(2n ** 53n) + 1n, null]],
])('in a table %s', (_name, integers, expected) => {
  const columns = [column('n', 'integer', integers)];
  expect(decodeFrame(encodeFrame(shape(columns, { format: 'table' }))).fields[0]?.values).toEqual(expected);
});

test('log lines without an id get one made from their content', () => {
  const idsOf = (body: string) =>
    decodeFrame(
      encodeFrame(
        shape([column('timestamp', 'time', [1n]), column('event_message', 'string', [body])], { format: 'logs' })
      )
    ).field('id').values[0];
  expect(idsOf('a')).toBe(idsOf('a'));
  expect(idsOf('a')).not.toBe(idsOf('b'));
});

const labelsOf = (json: string, wanted: readonly string[] = []) => {
  const writer = new LabelWriter(new Set(wanted));
  writer.begin();
  writer.addRecord('metadata', Buffer.from(json));
  const line = writer.end();
  return { labels: JSON.parse(Buffer.from(line.json).toString()) as Record<string, string>, kept: line.kept };
};

test.each([
  [
    '[{"a":[{"b":1}],"list":["x","y"],"none":null,"empty":"","yes":true}]',
    { 'a.b': '1', 'list.0': 'x', 'list.1': 'y', yes: 'true' },
  ],
  ['no json', { metadata: 'no json' }],
  ['"text"', { metadata: 'text' }],
  ['[1,{"a":2}]', { '0': '1', '1.a': '2' }],
  ['{"a":{"a":{"a":0}},"a.b":"\\"\\u0007"}', { 'a.a.a': '0', 'a.b': '"\u0007' }],
  ['{"a.b":1,"a":{"b":2}}', { 'a.b': '2' }],
  ['{}', {}],
  ['null', {}],
  ['{"a":"\\q"}', { metadata: '{"a":"\\q"}' }],
  ['{"a":"\\u12g4"}', { metadata: '{"a":"\\u12g4"}' }],
  ['{"a":"tab\t"}', { metadata: '{"a":"tab\t"}' }],
  ['{"a":1}x', { metadata: '{"a":1}x' }],
  ['{"a":"x\\', { metadata: '{"a":"x\\' }],
  ['{"a":tru', { metadata: '{"a":tru' }],
  ['{"a":-}', { metadata: '{"a":-}' }],
  ['{"a":-1.5e+3,"b":[[]],"c":[[1,2]]}', { a: '-1.5e+3', 'c.0': '1', 'c.1': '2' }],
  ['{"schlüssel":"wert ü","\\u0061":"b"}', { schlüssel: 'wert ü', a: 'b' }],
])('the labels of %s', (json, labels) => {
  expect(labelsOf(json).labels).toEqual(labels);
});

test('lists and records of several columns keep the names of their columns', () => {
  const columns = [
    column('timestamp', 'time', [1n]),
    column('event_message', 'string', ['m']),
    column('ports', 'json', ['[80,443]']),
    column('codes', 'json', ['[1, 2]']),
    column('one', 'json', ['["x"]']),
    column('parsed', 'json', ['{"error_severity":"PANIC"}']),
  ];
  const { fields } = decodeFrame(encodeFrame(shape(columns, { format: 'logs' })));
  const valueOf = (wanted: string): unknown => fields.find(({ name }) => name === wanted)?.values[0];
  expect(valueOf('labels')).toEqual({
    ...{ 'ports.0': '80', 'ports.1': '443', 'codes.0': '1', 'codes.1': '2', one: 'x' },
    'parsed.error_severity': 'PANIC',
  });
  expect(valueOf('severity')).toBe('critical');
});

test.each(['[', '{"a":'])('a record that is nested twenty thousand deep is one label: %s', (open) => {
  const json = open.repeat(20_000) + (open === '[' ? ']' : '1}').repeat(20_000);
  expect(labelsOf(json).labels).toEqual({ metadata: json });
});

test('a record has at most 300 labels, and the next line its own', () => {
  const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`k${at}`, at])));
  expect(Object.keys(labelsOf(wide).labels)).toHaveLength(300);
  expect(Object.keys(labelsOf(`[${wide},1]`).labels)).toHaveLength(300);
});

test('lines of one writer do not mix, with any members and sizes', () => {
  const anyLines = fc.array(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 }), {
    minLength: 1,
  });
  fc.assert(
    fc.property(anyLines, (records) => {
      const writer = new LabelWriter(new Set());
      for (const record of records) {
        writer.begin();
        writer.addRecord('metadata', Buffer.from(JSON.stringify(record)));
        writer.end();
      }
      const { valueOffsets, data } = writer.buffers();
      const lines = records.map((_, at) =>
        Buffer.from(data.subarray(valueOffsets[at], valueOffsets[at + 1])).toString()
      );
      const alone = records.map((record) => labelsOf(JSON.stringify(record)).labels);
      expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(alone);
    })
  );
});

test('requested labels are stored while the line is read, and do not apply to another line', () => {
  const writer = new LabelWriter(new Set(['a.b', 'c']));
  for (const [json, kept] of [
    ['{"a":{"b":1,"x":2},"c":"d"}', { 'a.b': '1', c: 'd' }],
    ['{"a":{"x":2}}', {}],
    ['{"a":[{"b":1},{"b":2}]}', {}],
    ['{"a":[{"b":"\\u0041"}]}', { 'a.b': 'A' }],
  ] as const) {
    writer.begin();
    writer.addRecord('metadata', Buffer.from(json));
    expect(writer.end().kept).toEqual(kept);
  }
});

/** The same by objects: slower and plain. */
function flattened(one: unknown, path: string, labels: Map<string, string>): Map<string, string> {
  if (one === null || one === '') return labels;
  if (Array.isArray(one) && one.length === 1) return flattened(one[0], path, labels);
  if (typeof one !== 'object') return labels.set(path === '' ? 'metadata' : path, String(one));
  for (const [name, inner] of Object.entries(one)) flattened(inner, path === '' ? name : `${path}.${name}`, labels);
  return labels;
}

test('the labels of any record are those of its leaves', () => {
  const anyRecord = fc
    .tuple(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(0, 0, 0, 1))
    .map(([value, indent]) => JSON.stringify(value, null, indent));
  fc.assert(
    fc.property(anyRecord, (json) => {
      const expected = flattened(JSON.parse(json), '', new Map());
      fc.pre(expected.size <= 300);
      expect(new Map(Object.entries(labelsOf(json).labels))).toEqual(expected);
    })
  );
});

test('times that do not fit into nanoseconds are null, not another year', () => {
  const year = (text: string) => BigInt(Date.parse(text)) * 1000n;
  const values = [year('1600-01-01'), year('2026-01-01'), year('2300-01-01')];
  const type = new TimestampMicrosecond('UTC');
  const fields = [new Field('t', type, true)];
  const children = [makeData({ type, length: 3, data: BigInt64Array.from(values) })];
  const writer = new RecordBatchStreamWriter();
  writer.write(
    new RecordBatch(new Schema(fields), makeData({ type: new Struct(fields), length: 3, nullCount: 0, children }))
  );
  const { columns } = readResult(writer.finish().toUint8Array(true), 100);
  expect([0, 1, 2].map(valueAt(columns[0]!))).toEqual([null, values[1]! * 1000n, null]);
  const table = decodeFrame(encodeFrame(shape(columns, { format: 'table' })));
  expect(table.fields[0]?.values).toEqual([
    '1600-01-01T00:00:00.000Z',
    '2026-01-01T00:00:00.000Z',
    '2300-01-01T00:00:00.000Z',
  ]);
});

test.each([
  ['9999-12-31T23:59:59.999999Z', 253402300799999999n],
  ['0001-01-01T00:00:00.000001Z', -62135596799999999n],
])('a time that does not fit into nanoseconds is a text with its microseconds: %s', (text, micros) => {
  const type = new TimestampMicrosecond('UTC');
  const fields = [new Field('t', type, true)];
  const children = [makeData({ type, length: 1, data: BigInt64Array.from([micros]) })];
  const writer = new RecordBatchStreamWriter();
  writer.write(
    new RecordBatch(new Schema(fields), makeData({ type: new Struct(fields), length: 1, nullCount: 0, children }))
  );
  const { columns } = readResult(writer.finish().toUint8Array(true), 100);
  expect(decodeFrame(encodeFrame(shape(columns, { format: 'table' }))).fields[0]?.values).toEqual([text]);
});

test('bytes are texts in base64, in columns and inside of records', () => {
  const type = new Binary();
  const bytes = makeData({
    type,
    length: 2,
    valueOffsets: Int32Array.from([0, 2, 3]),
    data: Uint8Array.from([255, 0, 97]),
  });
  const record = new Struct([new Field('b', type, true)]);
  const nested = makeData({ type: record, length: 2, nullCount: 0, children: [bytes] });
  const fields = [new Field('x', type, true), new Field('r', record, true)];
  const data = makeData({ type: new Struct(fields), length: 2, nullCount: 0, children: [bytes, nested] });
  const writer = new RecordBatchStreamWriter();
  writer.write(new RecordBatch(new Schema(fields), data));
  const { columns } = readResult(writer.finish().toUint8Array(true), 100);
  expect(columns.map(({ kind }) => kind)).toEqual(['string', 'json']);
  expect([0, 1].map(valueAt(columns[0]!))).toEqual(['/wA=', 'YQ==']);
  expect([0, 1].map(valueAt(columns[1]!))).toEqual(['{"b":"/wA="}', '{"b":"YQ=="}']);
});

test.each([
  ['table', 'day', ['2026-03-01', null, '1969-12-31']],
  ['logs', 'labels', [{ day: '2026-03-01' }, {}, { day: '1969-12-31' }]],
  ['time_series', 'day', [-86_400_000_000_000n, 1_772_323_200_000_000_000n]],
] as const)('days in the format %s', (format, name, expected) => {
  const type = new DateDay();
  const days = makeData({
    type,
    length: 3,
    nullCount: 1,
    nullBitmap: Uint8Array.of(0b101),
    data: Int32Array.from([20_513, 0, -1]),
  });
  const fields = [new Field('day', type, true)];
  const data = makeData({ type: new Struct(fields), length: 3, nullCount: 0, children: [days] });
  const writer = new RecordBatchStreamWriter();
  writer.write(new RecordBatch(new Schema(fields), data));
  const [day] = readResult(writer.finish().toUint8Array(true), 100).columns;
  const others = [
    column('timestamp', 'time', [1n, 2n, 3n]),
    column('body', 'string', ['a', 'b', 'c']),
    column('n', 'integer', [1n, 2n, 3n]),
  ];
  const used = { table: [day!], logs: [...others.slice(0, 2), day!], time_series: [day!, others[2]!] }[format];
  const frame = decodeFrame(encodeFrame(shape(used, { format })));
  expect(frame.field(name).values).toEqual(expected);
});

test('times in lists and records are ISO 8601', () => {
  const stamp = new TimestampMicrosecond('UTC');
  const micros = BigInt64Array.from([1_000_001n, -1n]);
  const record = new Struct([
    new Field<DataType>('t', stamp, true),
    new Field<DataType>('local', new TimestampMicrosecond(null), true),
    new Field<DataType>('d', new DateDay(), true),
    new Field<DataType>('n', new Float64(), true),
  ]);
  const children = [
    makeData({ type: stamp, length: 2, data: micros }),
    makeData({ type: new TimestampMicrosecond(null), length: 2, data: BigInt64Array.from([1_000_000n, 0n]) }),
    makeData({ type: new DateDay(), length: 2, data: Int32Array.from([1, 0]) }),
    makeData({ type: new Float64(), length: 2, data: Float64Array.from([1.5, 2]) }),
  ];
  const records = makeData({ type: record, length: 2, nullCount: 0, children });
  const list = new List(new Field('item', stamp, true));
  const lists = makeData({
    type: list,
    length: 2,
    valueOffsets: Int32Array.from([0, 2, 2]),
    child: makeData({ type: stamp, length: 2, data: micros }),
  });
  const fields = [new Field<DataType>('r', record, true), new Field<DataType>('l', list, true)];
  const data = makeData({ type: new Struct(fields), length: 2, nullCount: 0, children: [records, lists] });
  const writer = new RecordBatchStreamWriter();
  writer.write(new RecordBatch(new Schema(fields), data));
  const { columns } = readResult(writer.finish().toUint8Array(true), 100);
  const rowsOf = (column: Column): unknown[] =>
    [0, 1].map((row) => JSON.parse(String(valueAt(column)(row))) as unknown);
  expect(columns.map(rowsOf)).toEqual([
    [
      { t: '1970-01-01T00:00:01.000001Z', local: '1970-01-01T00:00:01.000', d: '1970-01-02', n: 1.5 },
      { t: '1969-12-31T23:59:59.999999Z', local: '1970-01-01T00:00:00.000', d: '1970-01-01', n: 2 },
    ],
    [['1970-01-01T00:00:01.000001Z', '1969-12-31T23:59:59.999999Z'], []],
  ]);
});

test('a streamed frame has its schema, and milliseconds with the rest beside them', () => {
  const frame = shape([column('t', 'time', [1_000_001n, 2_000_000n]), column('n', 'integer', [1n, null])]);
  expect(JSON.parse(frameJson(frame))).toMatchObject({
    schema: {
      refId: 'A',
      fields: [
        { name: 't', type: 'time', typeInfo: { frame: 'time.Time' } },
        { name: 'n', typeInfo: { frame: 'int64', nullable: true } },
      ],
    },
    data: {
      values: [
        [1, 2],
        [1, null],
      ],
      nanos: [[1, 0], null],
    },
  });
});
