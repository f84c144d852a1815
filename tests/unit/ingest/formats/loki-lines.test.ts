/** Lines of Loki's push that are JSON: the store takes every one, with its fields where it can. */
import { type Source, sourceSchema } from '#contract/events/source';
import { writeEntry } from '#server/ingest/formats/events/write-entry';
import { lineEvent, shareLabels } from '#server/ingest/formats/loki/push-entry';
import { jsonString } from '#server/common/json/json-tree';
import { EventReader } from '#server/stores/ingest/read/event-reader';
import { FieldTree } from '#server/stores/ingest/fields/field-tree';
import { readBatch } from '#server/stores/ingest/read/read-batch';
import { NUMBERED_NAMES } from '#server/stores/duckdb/tables/field-name';

const SOURCE: Source = sourceSchema.parse({
  name: 'edge_requests',
  description: 'Edge',
  tenant: 'project',
  columns: { project: 'STRING', identifier: 'STRING' },
});

/** @returns metadata of the event, or why it is refused */
function stored(line: string): unknown {
  const shared = shareLabels(new Map([['job', jsonString('a')]]));
  const entry = writeEntry(SOURCE, lineEvent(1_764_000_000_000_000_001n, line, new Map(), shared), shared);
  const { rows, errors } = readBatch(new EventReader(SOURCE, new FieldTree([], NUMBERED_NAMES)), {
    form: 'lines',
    body: Buffer.from(`${entry}\n`),
    nowMicros: 1_764_000_000_000_000,
    identity: { base: 'b', firstIndex: 0 },
    tenant: { confinedTo: null, given: 'acme' },
  });
  const [row] = rows;
  if (row === undefined) return errors[0]?.code;
  expect(row.message).toBe(line);
  return JSON.parse(row.buffer.toString('utf8', row.metadataStart, row.metadataEnd));
}

const records = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const LABELS = { labels: { job: 'a' } };

it.each([
  ['with NUL', String.raw`{"a":"x\u0000y"}`, { a: 'x\ufffdy' }],
  ['with NUL in a name', String.raw`{"a\u0000":1}`, { 'a\ufffd': 1 }],
  ['of 21 records', records(21), JSON.parse(records(21))],
  ['of 22 records', records(22), LABELS],
  ['with a dotted name of 20 parts and a record', `{"${Array(20).fill('a').join('.')}":{"b":{"c":1}}}`, LABELS],
  ['with a record in the place of a column', '{"identifier":{"a":1}}', { identifier: { a: 1 } }],
  ['with a list in the place of the tenant', '{"project":["a"]}', { project: ['a'] }],
  ['of half a megabyte of quotes', JSON.stringify({ a: '"'.repeat(200_000) }), LABELS],
  ['of 700 kB', JSON.stringify({ a: 'x'.repeat(700_000) }), LABELS],
  ['of 9,500 values', `{"a":[${'1,'.repeat(9_499)}1]}`, LABELS],
  ['of dotted names', `{${Array.from({ length: 2_000 }, (_, n) => `"${'a.'.repeat(9)}${n}":1`).join()}}`, LABELS],
])('a line %s', (_name, line, fields) => {
  expect(stored(line)).toEqual({ ...(fields as object), ...LABELS });
});
