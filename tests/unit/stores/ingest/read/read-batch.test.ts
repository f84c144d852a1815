/** Reading bodies into rows: the values of good entries, and the errors of bad ones. */
import fc from 'fast-check';
import { ServiceError } from '#contract/errors';
import { MAX_REPORTED_ERRORS } from '#contract/queries/result';
import type { BodyForm, EventIdentity, TenantRule } from '#contract/events/ingest';
import { MAX_ENTRY_BYTES, MAX_ENTRY_VALUES, type Source, sourceSchema } from '#contract/events/source';
import { declareFields } from '#server/stores/ingest/fields/declared-fields';
import { EventReader } from '#server/stores/ingest/read/event-reader';
import type { EventRow } from '#server/stores/ingest/event/event-row';
import { NUMBERED_NAMES } from '#server/stores/duckdb/tables/field-name';
import { FieldTree } from '#server/stores/ingest/fields/field-tree';
import { type BatchToRead, readBatch, readBatchInTurns } from '#server/stores/ingest/read/read-batch';
import { numberAsStored } from '../../../../support/arbitrary/event';
import { ingestBatch } from '../../../../support/stores/ingest-batch';
import { decodeBytes, decodeLines, ingestCases } from '../../../../support/cases/ingest';

const NOW = Date.UTC(2026, 10, 20, 12) * 1000;
const SOURCE = sourceSchema.parse({
  name: 'events',
  retention_days: 90,
  columns: { project: 'STRING', code: 'INT64', ratio: 'FLOAT64', ok: 'BOOL' },
});

const newReader = (): EventReader => new EventReader(SOURCE, new FieldTree([], NUMBERED_NAMES));
const read = (body: string | Buffer, reader = newReader()): ReturnType<typeof readBatch> =>
  readBatch(reader, ingestBatch({ source: 'events', body: Buffer.from(body), nowMicros: NOW }));
const metadataOf = (row: EventRow): string => row.buffer.toString('utf8', row.metadataStart, row.metadataEnd);
const repeated = (count: number, item: string): string =>
  Array.from({ length: count }, (_, i) => item.replace('#', String(i))).join(',');
const texts = (body: string | Buffer, reader = newReader()): string[] => read(body, reader).rows.map(metadataOf);

describe('an entry', () => {
  it.each(ingestCases('entries.txt', decodeBytes))('is read: $written', ({ input, expected }) => {
    const { rows, errors } = read(Buffer.concat([Buffer.from('['), input, Buffer.from(']')]));
    const outcome = rows.length > 0 ? `ok ${metadataOf(rows[0]!)}` : errors[0]?.code;
    expect(outcome).toBe(expected);
  });

  it.each(ingestCases('entries.txt', decodeBytes).filter(({ expected }) => expected.startsWith('ok')))(
    'is read the same when its fields are known: $written',
    ({ input, expected }) => {
      const reader = newReader();
      const body = Buffer.concat([Buffer.from('['), input, Buffer.from(']')]);
      read(body, reader);
      expect(`ok ${texts(body, reader)[0]}`).toBe(expected);
    }
  );

  it.each([
    ['a quote', '{"a\\"b":1}', '{"a"b":1}'],
    ['a backslash', '{"a\\\\":1}', '{"a\\":1}'],
    ['a line feed', '{"a\\nb":1}', '{"a\nb":1}'],
  ])('is rejected when it has a known key with %s as it is', (_, escaped, asItIs) => {
    const reader = newReader();
    const body = (metadata: string): string => `[{"metadata":${metadata}}]`;
    expect(texts(body(escaped), reader)).toEqual([escaped]);
    expect(texts(body(escaped), reader)).toEqual([escaped]);
    expect(() => read(body(asItIs), reader)).toThrow(ServiceError);
  });

  it('is rejected when it is too long, and the next one is not', () => {
    const { rows, errors } = read(`{"event_message":"${'x'.repeat(MAX_ENTRY_BYTES)}"}\n{"id":"b"}`);
    expect(rows.map((row) => row.id)).toEqual(['b']);
    expect(errors).toEqual([expect.objectContaining({ index: 0, code: 'too_large' })]);
  });

  it.each([
    ['records', (depth: number) => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth)],
    ['lists', (depth: number) => `{"a":${'['.repeat(depth)}1${']'.repeat(depth)}}`],
    ['wrapped records', (depth: number) => '[{"a":'.repeat(depth) + '1' + '}]'.repeat(depth)],
  ])('is rejected when its %s are nested too deep, at any depth', (_, nest) => {
    for (const depth of [100, 10_000, 100_000]) {
      expect(read(`{"metadata":${nest(depth)}}\n{"id":"b"}`)).toMatchObject({
        rows: [{ id: 'b' }],
        errors: [{ index: 0, code: 'too_deep' }],
      });
    }
    expect(read(`{"metadata":${nest(15)}}`).rejected).toBe(0);
  });

  it('is scanned once when arrays in place of its single records have further items, one in the other', () => {
    const reader = newReader();
    const nested = (open: string, inner: string, close: string): string =>
      `{"metadata":{"a":${open.repeat(15)}${inner}${close.repeat(15)}}}`;
    read(nested('{"a":', '1', '}'), reader);
    const scanned = jest.spyOn(reader.scanner, 'scanScalar');
    expect(read(nested('[{"a":', `[${repeated(100, '#')}]`, '},1]'), reader).rejected).toBe(0);
    expect(scanned.mock.calls.length).toBeLessThan(200);
  });

  // The entry and its metadata are values too, and so is what holds those that are repeated.
  it.each([
    ['texts in a list', 3, (count: number) => `{"list":[${repeated(count, '"a"')}]}`],
    ['keys', 2, (count: number) => `{${repeated(count, '"k#":1')}}`],
    ['keys of a wrapped record', 4, (count: number) => `{"r":[{${repeated(count, '"k#":true')}}]}`],
    ['keys of wrapped metadata', 3, (count: number) => `[{${repeated(count, '"k#":null')}}]`],
    ['empty lists in a list', 3, (count: number) => `{"tiny":[${repeated(count, '[]')}]}`],
    ['empty records in a list', 3, (count: number) => `{"records":[${repeated(count, '{}')}]}`],
  ])('may have a limited number of %s, whether its fields are known or not', (_, around, metadata) => {
    const reader = newReader();
    const entry = (count: number): string => `{"metadata":${metadata(count - around)}}`;
    for (const round of ['new', 'known']) {
      expect([round, read(entry(MAX_ENTRY_VALUES), reader).rejected]).toEqual([round, 0]);
      expect(read(`${entry(MAX_ENTRY_VALUES + 1)}\n{"id":"b"}`, reader)).toMatchObject({
        rows: [{ id: 'b' }],
        errors: [{ index: 0, code: 'too_many_values' }],
      });
    }
  });

  it('has its values from the top level', () => {
    const [row] = read(
      '{"id":7,"timestamp":"2026-11-20T11:00:00.5Z","message":"a\\nb","project":8,"code":"9","ratio":1.50,"ok":false}'
    ).rows;
    expect(row).toMatchObject({
      id: '7',
      micros: Date.UTC(2026, 10, 20, 11) * 1000 + 500_000,
      hasOwnTime: true,
      message: 'a\nb',
      own: ['8', '9', '1.50', 'false'],
    });
  });

  it.each([
    ['{"log_entry":"a"}', 'a', '{}'],
    ['{"log_entry":"a","message":"b"}', 'b', '{"log_entry":"a"}'],
    ['{"log_entry":"a","message":"b","event_message":"c"}', 'c', '{"message":"b","log_entry":"a"}'],
    ['{"log_entry":null,"host":"h"}', null, '{"host":"h"}'],
    ['{"log_entry":{"a":1},"metadata":{}}', '{"a":1}', '{}'],
    ['{"level":30,"time":1795176000554,"msg":"a"}', 'a', '{"level":30,"time":1795176000554,"msg":"a"}'],
    ['{"level":30,"time":"noon","msg":"a"}', 'a', '{"level":30,"time":"noon","msg":"a"}'],
    ['{"level":30,"time":1,"msg":"a","message":"b"}', 'b', '{"level":30,"time":1,"msg":"a"}'],
    ['{"time":1795176000554,"msg":"a"}', null, '{"time":1795176000554,"msg":"a"}'],
    ['{"level":30,"time":1,"msg":{"a":1}}', null, '{"level":30,"time":1,"msg":{"a":1}}'],
  ])('has the message of %s', (entry, message, metadata) => {
    const { rows } = read(entry);
    const [{ buffer, metadataStart, metadataEnd, ...row }] = rows as [(typeof rows)[number]];
    expect([row.message, JSON.parse(buffer.toString('utf8', metadataStart, metadataEnd))]).toEqual([
      message,
      JSON.parse(metadata),
    ]);
  });

  it.each([
    ['a number', '{"level":30,"time":1795176000554,"msg":"a"}', 1_795_176_000_554_000],
    [
      'a text',
      '{"level":"INFO","time":"2026-11-20T11:00:00.123456789Z","msg":"a"}',
      Date.UTC(2026, 10, 20, 11) * 1000 + 123_456,
    ],
    ['a number of seconds under "ts"', '{"level":"info","ts":1795176000.5,"msg":"a"}', 1_795_176_000_500_000],
  ])('that is a line of a logger has its time, as %s', (_, entry, micros) => {
    expect(read(entry).rows[0]).toMatchObject({ micros, hasOwnTime: true });
  });

  it('that is a line of a logger has its timestamp, where there is one, or the time of its arrival', () => {
    const line = '"level":30,"msg":"a"';
    expect(read(`{${line},"time":1795176000554,"timestamp":1795176000}`).rows[0]).toMatchObject({
      micros: 1_795_176_000_000_000,
    });
    for (const none of ['"noon"', '12.5', 'null', '{}'])
      expect(read(`{${line},"time":${none}}`).rows[0]).toMatchObject({ micros: NOW, hasOwnTime: false });
  });

  it('without a timestamp has the time of its "@timestamp", which stays in the metadata', () => {
    const at = '"@timestamp":"2026-11-20T11:00:00Z"';
    const [row] = read(`{"message":"a",${at}}`).rows;
    const { buffer, metadataStart, metadataEnd, micros, hasOwnTime } = row!;
    expect([micros, hasOwnTime]).toEqual([Date.UTC(2026, 10, 20, 11) * 1000, true]);
    expect(buffer.toString('utf8', metadataStart, metadataEnd)).toBe(`{${at}}`);
    expect(read(`{${at},"timestamp":1795176000}`).rows[0]).toMatchObject({ micros: 1_795_176_000_000_000 });
    for (const none of ['"noon"', '12.5', 'null', '{}'])
      expect(read(`{"@timestamp":${none}}`).rows[0]).toMatchObject({ micros: NOW, hasOwnTime: false });
  });

  it('without a time gets the time of its arrival', () => {
    expect(read('{"id":"a"}').rows[0]).toMatchObject({ micros: NOW, hasOwnTime: false });
  });
});

describe('the generated id of an event', () => {
  const batch = (body: string, identity: EventIdentity, form: BodyForm = 'any'): BatchToRead => ({
    body: Buffer.from(body),
    form,
    nowMicros: NOW,
    identity,
    tenant: null,
  });
  const idsOf = (...given: Parameters<typeof batch>): string[] =>
    readBatch(newReader(), batch(...given)).rows.map(({ id }) => id);

  it('differs for equal events of one body', () => {
    expect(idsOf('{}\n{}\n{"id":"own"}\n{}', { base: 'b', firstIndex: 0 })).toEqual(['b-0', 'b-1', 'own', 'b-3']);
  });

  it('depends on the index in the body, not on the slice of the event', () => {
    const body = '{"a":1}\n{"a":2}\n{"a":3}';
    const whole = idsOf(body, { base: 'b', firstIndex: 40 });
    expect(body.split('\n').flatMap((line, i) => idsOf(line, { base: 'b', firstIndex: 40 + i }))).toEqual(whole);
  });

  it('stays the same when rejected entries are left out', () => {
    const whole = readBatch(newReader(), batch('{"a":1}\n5\n{"a":3}', { base: 'b', firstIndex: 7 }));
    const kept = batch('{"a":1},{"a":3}', { base: 'b', firstIndex: 7, indexes: [7, 9] }, 'items');
    expect(readBatch(newReader(), kept).rows.map(({ id }) => id)).toEqual(whole.rows.map(({ id }) => id));
  });
});

describe('a batch that is read in turns', () => {
  const entry = fc.oneof(
    fc.record({ id: fc.string({ minLength: 1, maxLength: 8 }), n: fc.integer() }).map((value) => JSON.stringify(value)),
    fc.constantFrom('{}', '5', '[1, 2]', '{"event_message":"' + 'x'.repeat(20_000) + '"}', '{ "a" : [ {"b":1} ] }')
  );
  const broken = fc.constantFrom('{"a":', '}', '{"a":1}{"a":2}', '"\u0001"', '');
  const bodies = fc.oneof(
    fc.tuple(fc.constant('lines' as const), fc.array(fc.oneof(entry, broken), { minLength: 1 }), fc.constant('\n')),
    fc.tuple(fc.constant('items' as const), fc.array(entry, { minLength: 1 }), fc.constantFrom(',', ' ,\n'))
  );
  const toRead = (form: BodyForm, body: string): BatchToRead => ({
    body: Buffer.from(body),
    form,
    nowMicros: NOW,
    identity: { base: 'b', firstIndex: 3 },
    tenant: null,
  });

  it('has the same rows and errors as a batch that is read at once', async () => {
    await fc.assert(
      fc.asyncProperty(bodies, fc.integer({ min: 1, max: 25 }), async ([form, entries, separator], times) => {
        const body = Array.from({ length: times }, () => entries.join(separator)).join(separator);
        const whole = readBatch(newReader(), toRead(form, body));
        expect(await readBatchInTurns(newReader(), toRead(form, body))).toEqual(whole);
        expect(whole.rows.length + whole.rejected).toBe(times * entries.filter((text) => text !== '').length);
      }),
      { numRuns: 25 }
    );
  });

  it('lets other work run between the turns', async () => {
    let turns = 0;
    const count = setInterval(() => turns++, 0);
    await readBatchInTurns(newReader(), toRead('lines', '{"event_message":"0123456789"}\n'.repeat(20_000)));
    clearInterval(count);
    expect(turns).toBeGreaterThan(3);
  });

  it('fails where it is broken after the first turn', async () => {
    const body = `${'{"event_message":"0123456789"},'.repeat(10_000)}{"a"`;
    await expect(readBatchInTurns(newReader(), toRead('items', body))).rejects.toMatchObject({ code: 'body_invalid' });
  });
});

describe('the tenant of an event', () => {
  const OF_COLUMN = sourceSchema.parse({ name: 'edge', columns: { project: 'STRING' }, tenant: 'project' });
  const OF_FIELD = sourceSchema.parse({
    name: 'functions',
    fields: { project_ref: 'STRING' },
    tenant: 'metadata.project_ref',
  });
  const outcomeOf = (source: Source, entry: string, rule: TenantRule): unknown => {
    const tree = new FieldTree([], NUMBERED_NAMES);
    declareFields(tree, source.fields);
    const identity = { base: 'b', firstIndex: 0 };
    const reader = new EventReader(source, tree);
    const { rows, errors } = readBatch(reader, {
      body: Buffer.from(entry),
      form: 'lines',
      nowMicros: NOW,
      identity,
      tenant: rule,
    });
    const [row] = rows;
    if (row === undefined) return errors[0]!.code;
    return { tenant: row.tenant, own: row.own, metadata: JSON.parse(metadataOf(row)) as unknown };
  };
  const OPEN: TenantRule = { confinedTo: null, given: null };
  const ACME: TenantRule = { confinedTo: 'acme', given: null };
  const GIVEN: TenantRule = { confinedTo: null, given: 'acme' };

  it.each<[string, Source, string, TenantRule, unknown]>([
    ['is read from its column', OF_COLUMN, '{"project":"a"}', OPEN, { tenant: 'a', own: ['a'], metadata: {} }],
    ['is missing', OF_COLUMN, '{}', OPEN, 'tenant_missing'],
    ['is missing when it is empty', OF_COLUMN, '{"project":""}', OPEN, 'tenant_missing'],
    ['is that of the token', OF_COLUMN, '{}', ACME, { tenant: 'acme', own: ['acme'], metadata: {} }],
    ['is not another than that of the token', OF_COLUMN, '{"project":"victim"}', ACME, 'tenant_mismatch'],
    ['is the one of the request', OF_COLUMN, '{}', GIVEN, { tenant: 'acme', own: ['acme'], metadata: {} }],
    [
      'is the one of the request; the one of the event is kept in metadata',
      OF_COLUMN,
      '{"project":"victim","metadata":{"a":1}}',
      GIVEN,
      { tenant: 'acme', own: ['acme'], metadata: { a: 1, project: 'victim' } },
    ],
    [
      'is read from its field',
      OF_FIELD,
      '{"metadata":{"project_ref":"a"}}',
      OPEN,
      { tenant: 'a', own: [], metadata: { project_ref: 'a' } },
    ],
    ['is read from an escaped text', OF_FIELD, '{"metadata":{"project_ref":"\\u0061"}}', ACME, 'tenant_mismatch'],
    [
      'is the last of several',
      OF_FIELD,
      '{"metadata":{"project_ref":"acme","project_ref":"victim"}}',
      ACME,
      'tenant_mismatch',
    ],
    ['is read from a record in an array', OF_FIELD, '{"metadata":[{"project_ref":"victim"}]}', ACME, 'tenant_mismatch'],
    [
      'is read from a top-level key that belongs to metadata',
      OF_FIELD,
      '{"project_ref":"victim"}',
      ACME,
      'tenant_mismatch',
    ],
    ['is no list', OF_FIELD, '{"metadata":{"project_ref":["acme"]}}', ACME, 'bad_value'],
    ['is no record', OF_FIELD, '{"metadata":{"project_ref":{"a":"acme"}}}', ACME, 'bad_value'],
    [
      'fills its field',
      OF_FIELD,
      '{"metadata":{"a":1}}',
      ACME,
      { tenant: 'acme', own: [], metadata: { a: 1, project_ref: 'acme' } },
    ],
    [
      'fills its field where it is null',
      OF_FIELD,
      '{"metadata":{"project_ref":null}}',
      ACME,
      { tenant: 'acme', own: [], metadata: { project_ref: 'acme' } },
    ],
    [
      'takes the place of another in its field',
      OF_FIELD,
      '{"metadata":{"project_ref":"victim"}}',
      GIVEN,
      { tenant: 'acme', own: [], metadata: { project_ref: 'acme' } },
    ],
    [
      'may be missing where the source allows it',
      { ...OF_COLUMN, tenant_optional: true },
      '{}',
      OPEN,
      { tenant: null, own: [null], metadata: {} },
    ],
    ['does not exist in a source without tenants', SOURCE, '{}', ACME, 'tenant_mismatch'],
  ])('%s', (_, source, entry, rule, expected) => {
    expect(outcomeOf(source, entry, rule)).toEqual(expected);
  });
});

describe('a body', () => {
  it.each(ingestCases('bodies.txt', decodeLines))('is read: $written', ({ input, expected }) => {
    expect(outcomeOf(input)).toBe(expected);
  });

  it('reports at most a thousand rejections, and counts all', () => {
    const batch = read('{}\n' + '5\n'.repeat(1300));
    expect(batch.errors).toHaveLength(MAX_REPORTED_ERRORS);
    expect(batch.rejected).toBe(1300);
  });

  it('has the same rows when it is split into batches at any place', () => {
    const events = fc.array(fc.object({ maxDepth: 3, maxKeys: 4 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(events, fc.nat(), (metadata, cut) => {
        const lines = metadata.map((value, i) => JSON.stringify({ id: String(i), metadata: value }));
        const at = cut % lines.length;
        const reader = newReader();
        const parts = [lines.slice(0, at), lines.slice(at)].filter((part) => part.length > 0);
        const split = parts.flatMap((part) => texts(`[${part.join(',')}]`, reader));
        expect(split).toEqual(texts(lines.join('\n')));
      })
    );
  });
});

describe('any JSON object', () => {
  it('is read back equal except for wrapped single records, before and after its fields are known', () => {
    fc.assert(
      fc.property(fc.object({ maxDepth: 4, maxKeys: 5 }), fc.boolean(), (value, isSpaced) => {
        const metadata = JSON.parse(JSON.stringify(value)) as unknown;
        const body = JSON.stringify([{ id: 'a', metadata }], null, isSpaced ? 2 : 0);
        const expected = unwrapped(JSON.parse(JSON.stringify(value), numberAsStored));
        const reader = newReader();
        const first = texts(body, reader);
        expect(unwrapped(JSON.parse(first[0]!))).toEqual(expected);
        expect(first[0]).not.toContain('\n');
        expect(unwrapped(JSON.parse(texts(body, reader)[0]!))).toEqual(expected);
      })
    );
  });
});

function outcomeOf(body: Buffer): string {
  try {
    const { rows, errors } = read(body);
    const outcomes: string[] = [];
    for (const row of rows) outcomes[row.index] = 'ok';
    for (const error of errors) outcomes[error.index] = error.code;
    return outcomes.join(' ');
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { line, column } = error.details.position ?? { line: 1, column: 1 };
    return `${error.code} ${line}:${column}`;
  }
}

function unwrapped(value: unknown): unknown {
  if (Array.isArray(value)) {
    const isWrapped = value.length === 1 && typeof value[0] === 'object' && value[0] !== null;
    return isWrapped && !Array.isArray(value[0]) ? unwrapped(value[0]) : value.map(unwrapped);
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unwrapped(item)]));
}
