/** Events in the real store: columns, duplicates and errors. */
import type { IngestResult } from '#contract/queries/result';
import { ingestBatch } from '../../support/stores/ingest-batch';
import { makeSource, NOW_MICROS, openFixture, type StoreFixture, TODAY } from './store-fixture';

let fixture: StoreFixture;

beforeEach(async () => {
  fixture = await openFixture();
});

afterEach(() => fixture.remove());

const at = (time: string): string => `2026-11-20T${time}Z`;
const counts = ({ accepted, duplicates, rejected }: IngestResult): number[] => [accepted, duplicates, rejected];

async function texts(sql: string): Promise<readonly unknown[]> {
  return (await fixture.read(sql, ['STRING'])).columns[0]!;
}

describe('events', () => {
  it('are stored in the part of their UTC day with every typed column', async () => {
    await fixture.ingest([
      {
        id: 'a',
        timestamp: '2026-11-20T01:30:00.123456+02:00',
        project: 'p',
        event_message: 'hello',
        metadata: { request: { path: '/x', port: 80, ms: 1.5, ok: true }, tags: ['a', 'b'] },
      },
    ]);
    expect(fixture.source().parts.map((part) => part.table)).toEqual(['events/2026-11-19']);
    const rows = await fixture.read(
      `SELECT id, "timestamp", event_message, project, "metadata.request.path", "metadata.request.port",
        "metadata.request.ms", "metadata.request.ok", "metadata.request", metadata_json FROM "events/2026-11-19"`,
      ['STRING', 'TIMESTAMP', 'STRING', 'STRING', 'STRING', 'INT64', 'FLOAT64', 'BOOL', 'BOOL', 'RECORD_TEXT']
    );
    expect(rows.columns.map(([value]) => value)).toEqual([
      'a',
      BigInt(Date.UTC(2026, 10, 19, 23, 30)) * 1000n + 123456n,
      'hello',
      'p',
      '/x',
      80n,
      1.5,
      true,
      true,
      '{"request":{"path":"/x","port":80,"ms":1.5,"ok":true},"tags":["a","b"]}',
    ]);
  });

  it('without metadata have an empty record, and absent texts are NULL', async () => {
    await fixture.ingest([{ id: 'a' }, { id: 'b', event_message: '', project: '' }]);
    const rows = await fixture.read(`SELECT event_message, project, metadata_json FROM "${TODAY}" ORDER BY id`, [
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

  it('keep texts of any character', async () => {
    const message = 'tab\t line\n quote" back\\ \u0001 \u001f ünïcode 🦆 \' ; --';
    await fixture.ingest([{ id: message, event_message: message, metadata: { [message]: message } }]);
    expect(await texts(`SELECT event_message FROM "${TODAY}"`)).toEqual([message]);
    const field = fixture.field(message);
    const column = field?.kind === 'leaf' ? field.column : null;
    expect(await texts(`SELECT "${column}" FROM "${TODAY}"`)).toEqual([message]);
  });
});

describe('the same event', () => {
  it('is stored once, within a batch and over batches', async () => {
    const event = { id: 'a', timestamp: at('10:00:00'), event_message: 'm' };
    expect(counts(await fixture.ingest([event, event]))).toEqual([2, 1, 0]);
    expect(counts(await fixture.ingest([event]))).toEqual([1, 1, 0]);
    expect(counts(await fixture.ingest([{ ...event, timestamp: at('10:00:01') }]))).toEqual([1, 0, 0]);
  });

  it('is recognized after the store is opened again', async () => {
    const event = { id: 'a', timestamp: at('10:00:00') };
    await fixture.ingest([event]);
    await fixture.reopen();
    expect(counts(await fixture.ingest([event]))).toEqual([1, 1, 0]);
  });

  it('without an id is recognized by its delivery, also when a retry comes later and without a time', async () => {
    const untimed = { event_message: 'm', metadata: { a: 1 } };
    expect(counts(await fixture.ingest([untimed, untimed]))).toEqual([2, 0, 0]);
    expect(counts(await fixture.ingest([untimed, untimed], NOW_MICROS + 13 * 3_600_000_000))).toEqual([2, 2, 0]);
    expect(counts(await fixture.ingest([untimed]))).toEqual([1, 0, 0]);
  });

  it('without a time is recognized when the clock was set back past midnight', async () => {
    const dayMicros = 86_400_000_000;
    await fixture.ingest([{ id: 'a' }]);
    expect(counts(await fixture.ingest([{ id: 'a' }], NOW_MICROS - dayMicros))).toEqual([1, 1, 0]);
    await fixture.reopen();
    expect(counts(await fixture.ingest([{ id: 'a' }], NOW_MICROS - dayMicros))).toEqual([1, 1, 0]);
    expect(counts(await fixture.ingest([{ id: 'a' }], NOW_MICROS - 2 * dayMicros))).toEqual([1, 0, 0]);
  });

  it('is recognized by its tenant in a field, in every form of JSON that names it', async () => {
    await fixture.remove();
    fixture = await openFixture([makeSource({ tenant: 'metadata.of.org' })]);
    const tenants = ['"a"', '7', '-0', '1.50', '1e2', '1e400', 'true', 'null', '""', '[]', '["a"]', '{"a":1}'];
    const records = [...tenants.map((tenant) => `{"org":${tenant}}`), 'null', '1', '[{"org":"b"}]', '[{},{"org":"b"}]'];
    const lines = records.map((of, i) => `{"id":"${i}","timestamp":"${at('10:00:00')}","metadata":{"of":${of}}}`);
    const all = lines.length;
    expect(counts(await fixture.ingest(lines.join('\n')))).toEqual([all, 0, 0]);
    // The records of this one are in a list.
    const late = lines[0]!.replace('"id":"0"', '"id":"late"');
    expect(counts(await fixture.ingest(late))).toEqual([1, 0, 0]);
    expect(counts(await fixture.ingest([...lines, late].join('\n')))).toEqual([all + 1, all + 1, 0]);
    const other = lines[0]!.replace('"a"', '"c"');
    expect(counts(await fixture.ingest(other))).toEqual([1, 0, 0]);
  });

  it('is recognized when other entries of its body are rejected', async () => {
    const body = '{"event_message":"a"}\nnope\n{"event_message":"b"}';
    expect(counts(await fixture.ingest(body))).toEqual([2, 0, 1]);
    await fixture.reopen();
    expect(counts(await fixture.ingest(body))).toEqual([2, 2, 1]);
  });
});

describe('a bad entry', () => {
  it('is rejected with its place while the good ones are stored', async () => {
    const result = await fixture.ingest('{"id":"a"}\nnope\n{"id":"b"}\n');
    expect(counts(result)).toEqual([2, 0, 1]);
    expect(result.errors).toEqual([{ index: 1, code: 'bad_json', message: expect.any(String) }]);
    expect(await texts(`SELECT id FROM "${TODAY}" ORDER BY id`)).toEqual(['a', 'b']);
  });

  it('that breaks the whole body stores nothing', async () => {
    await expect(fixture.ingest('[{"metadata":{"new_field":1}}, {]')).rejects.toMatchObject({
      code: 'body_invalid',
      details: { position: { line: 1, column: 33 } },
    });
    expect(await fixture.store.isEmpty()).toBe(true);
    await fixture.ingest([{ id: 'a' }]);
    expect(fixture.field('new_field')).toBeUndefined();
  });

  it('for an unknown source is rejected with the nearest name', async () => {
    const batch = ingestBatch({ source: 'evnts', body: Buffer.from('{}'), nowMicros: NOW_MICROS });
    await expect(fixture.store.ingest(batch)).rejects.toMatchObject({
      code: 'source_not_found',
      details: { hint: 'did you mean "events"?' },
    });
  });
});
