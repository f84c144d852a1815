/** Long bodies of every form are read in turns, so that other requests are served between. */
import { readBodySource } from '#server/ingest/formats/body-source';
import { readLokiProtobuf } from '#server/ingest/formats/loki/read-protobuf';
import { splitBody } from '#server/ingest/formats/split-body';

const MEBIBYTE = 1024 * 1024;
const ENTRIES = 1_000_000;

const times = (text: string): string => text.repeat(Math.ceil(MEBIBYTE / text.length));
const bodies: readonly (readonly [string, () => Generator])[] = [
  ['lines', () => splitBody(Buffer.from(times('{"a":1}\n')), ENTRIES)],
  ['blank lines', () => splitBody(Buffer.from(`{}${times('\n')}`), ENTRIES)],
  ['array items', () => splitBody(Buffer.from(`[${times('{"a":1},')}{}]`), ENTRIES)],
  [
    'names of its source beside a batch',
    () => splitBody(Buffer.from(`{"batch":[]${times(',"source":"a"')}}`), ENTRIES),
  ],
  ['names of a source beside an event', () => readBodySource(Buffer.from(`{"a":1${times(',"source":"a"')}}`))],
  ['streams of Loki without entries', () => readLokiProtobuf(Buffer.from(times('\n\0')), ENTRIES)],
];

it.each(bodies)('a mebibyte of %s is read in at least three turns', (_name, read) => {
  let turns = 0;
  const work = read();
  while (!work.next().done) turns++;
  expect(turns).toBeGreaterThanOrEqual(3);
});
