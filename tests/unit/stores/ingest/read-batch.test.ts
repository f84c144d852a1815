/** Bodies into rows: what is kept of good entries, and how bad ones are refused. */
import fc from 'fast-check';
import { ServiceError } from '#contract/errors';
import { MAX_ENTRY_BYTES, sourceSchema } from '#contract/source';
import { EventReader } from '#server/stores/ingest/event-reader';
import type { EventRow } from '#server/stores/ingest/event-row';
import { NUMBERED_NAMES } from '#server/stores/duckdb/field-name';
import { FieldTree } from '#server/stores/ingest/field-tree';
import { MAX_REPORTED_ERRORS } from '#server/stores/ingest/limits';
import { readBatch } from '#server/stores/ingest/read-batch';
import { decodeBytes, decodeLines, ingestCases } from '../../../support/ingest-cases';

const NOW = Date.UTC(2026, 10, 20, 12) * 1000;
const SOURCE = sourceSchema.parse({
  name: 'events',
  retention_days: 90,
  columns: { project: 'STRING', code: 'INT64', ratio: 'FLOAT64', ok: 'BOOL' },
});

const newReader = (): EventReader => new EventReader(SOURCE, new FieldTree([], NUMBERED_NAMES));
const read = (body: string | Buffer, reader = newReader()): ReturnType<typeof readBatch> =>
  readBatch(reader, Buffer.from(body), NOW);
const metadataOf = (row: EventRow): string => row.buffer.toString('utf8', row.metadataStart, row.metadataEnd);
const texts = (body: string | Buffer, reader = newReader()): string[] => read(body, reader).rows.map(metadataOf);

describe('an entry', () => {
  it.each(ingestCases('entries.txt', decodeBytes))('$written', ({ input, expected }) => {
    const { rows, errors } = read(Buffer.concat([Buffer.from('['), input, Buffer.from(']')]));
    const outcome = rows.length > 0 ? `ok ${metadataOf(rows[0]!)}` : errors[0]?.code;
    expect(outcome).toBe(expected);
  });

  it.each(ingestCases('entries.txt', decodeBytes).filter(({ expected }) => expected.startsWith('ok')))(
    'reads the same when its fields are known: $written',
    ({ input, expected }) => {
      const reader = newReader();
      const body = Buffer.concat([Buffer.from('['), input, Buffer.from(']')]);
      read(body, reader);
      expect(`ok ${texts(body, reader)[0]}`).toBe(expected);
    }
  );

  it('is refused when it is too long, and the next one is not', () => {
    const { rows, errors } = read(`{"event_message":"${'x'.repeat(MAX_ENTRY_BYTES)}"}\n{"id":"b"}`);
    expect(rows.map((row) => row.id)).toEqual(['b']);
    expect(errors).toEqual([expect.objectContaining({ index: 0, code: 'too_large' })]);
  });

  it.each([
    ['records', (depth: number) => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth)],
    ['lists', (depth: number) => `{"a":${'['.repeat(depth)}1${']'.repeat(depth)}}`],
    ['wrapped records', (depth: number) => '[{"a":'.repeat(depth) + '1' + '}]'.repeat(depth)],
  ])('is refused when its %s are nested too deep, at any depth', (_, nest) => {
    for (const depth of [100, 10_000, 100_000]) {
      expect(read(`{"metadata":${nest(depth)}}\n{"id":"b"}`)).toMatchObject({
        rows: [{ id: 'b' }],
        errors: [{ index: 0, code: 'too_deep' }],
      });
    }
    expect(read(`{"metadata":${nest(15)}}`).rejected).toBe(0);
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

  it('without a time has that of its arrival', () => {
    expect(read('{"id":"a"}').rows[0]).toMatchObject({ micros: NOW, hasOwnTime: false });
  });
});

describe('an id made from the content', () => {
  const idOf = (entry: string): string => read(entry).rows[0]!.id;

  it('is the same for the same content in any form of body, and looks like a UUID', () => {
    const id = idOf('{"message":"m","metadata":{"a":1}}');
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(idOf('{ "message": "m",\n "metadata": [ { "a": 1 } ] }')).toBe(id);
    const reader = newReader();
    read('{"metadata":{"a":1}}', reader);
    expect(read('[{"message":"m","metadata":{"a":1}}]', reader).rows[0]!.id).toBe(id);
  });

  it('differs when anything differs', () => {
    const entries = [
      '{}',
      '{"message":""}',
      '{"message":"m"}',
      '{"project":"m"}',
      '{"message":"m","project":"m"}',
      '{"timestamp":1795172400,"message":"m"}',
      '{"timestamp":1795172401,"message":"m"}',
      '{"message":"m","metadata":{"a":1}}',
    ];
    expect(new Set(entries.map(idOf)).size).toBe(entries.length);
  });
});

describe('a body', () => {
  it.each(ingestCases('bodies.txt', decodeLines))('$written', ({ input, expected }) => {
    expect(outcomeOf(input)).toBe(expected);
  });

  it('tells of a hundred refusals at most, and counts all', () => {
    const batch = read('{}\n' + '5\n'.repeat(300));
    expect(batch.errors).toHaveLength(MAX_REPORTED_ERRORS);
    expect(batch.rejected).toBe(300);
  });

  it('gives the same rows when it is split into batches anywhere', () => {
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
  it('comes back equal but for the wrapping of single records, before and after its fields are known', () => {
    fc.assert(
      fc.property(fc.object({ maxDepth: 4, maxKeys: 5 }), fc.boolean(), (value, isSpaced) => {
        const metadata = JSON.parse(JSON.stringify(value)) as unknown;
        const body = JSON.stringify([{ id: 'a', metadata }], null, isSpaced ? 2 : 0);
        const reader = newReader();
        const first = texts(body, reader);
        expect(unwrapped(JSON.parse(first[0]!))).toEqual(unwrapped(metadata));
        expect(first[0]).not.toContain('\n');
        expect(unwrapped(JSON.parse(texts(body, reader)[0]!))).toEqual(unwrapped(metadata));
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
