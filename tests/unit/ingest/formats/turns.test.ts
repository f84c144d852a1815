/** Long bodies of every form are read in turns, so that other requests are served between. */
import { asBodyError } from '#server/ingest/formats/json/body-error';
import { readBodySource } from '#server/ingest/formats/json/body-source';
import { readLokiProtobuf } from '#server/ingest/formats/loki/read-protobuf';
import { readLokiPush } from '#server/ingest/formats/loki/read-push';
import { readOtlpJson } from '#server/ingest/formats/otlp/read-json';
import { splitBody } from '#server/ingest/formats/json/split-body';
import { JsonSyntaxError } from '#server/common/json/json-lexer';

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
  ['unknown names of OTLP', () => readOtlpJson(Buffer.from(`{"resourceLogs":[]${times(',"a":1')}}`), ENTRIES)],
  ['unknown names of Loki', () => readLokiPush(Buffer.from(`{"streams":[]${times(',"a":1')}}`), ENTRIES)],
  ['one line before an error', () => asBodyError(new JsonSyntaxError('x', MEBIBYTE), Buffer.from(times('é')))],
  ['empty lines before an error', () => asBodyError(new JsonSyntaxError('x', MEBIBYTE), Buffer.from(times('\n')))],
];

function countTurns(work: Generator): number {
  let turns = 0;
  while (!work.next().done) turns++;
  return turns;
}

it.each(bodies)('a mebibyte of %s is read in at least three turns', (_name, read) => {
  expect(countTurns(read())).toBeGreaterThanOrEqual(3);
});

const blanks = ' '.repeat(4 * MEBIBYTE);
const READERS: readonly (readonly [string, (body: Buffer) => Generator, string])[] = [
  ['a batch', (body) => splitBody(body, ENTRIES), 'batch'],
  ['a body that names its source', readBodySource, 'batch'],
  ['OTLP', (body) => readOtlpJson(body, ENTRIES), 'resourceLogs'],
  ['Loki', (body) => readLokiPush(body, ENTRIES), 'streams'],
];

describe.each(READERS)('four mebibytes of blanks are read in at least three turns in %s', (_name, read, list) => {
  it.each([
    ['before it', `${blanks}{"${list}":[]}`],
    ['after its name', `{"source":1,"${list}"${blanks}:[]}`],
    ['before its list', `{"${list}":${blanks}[]}`],
    ['in its list', `{"${list}":[${blanks}]}`],
    ['before a comma', `{"${list}":[]${blanks},"source":1}`],
    ['before a name', `{"${list}":[],${blanks}"source":1}`],
    ['before the end', `{"${list}":[]${blanks}}`],
    ['behind it', `{"${list}":[]}${blanks}`],
  ])('%s', (_place, body) => {
    expect(countTurns(read(Buffer.from(body)))).toBeGreaterThanOrEqual(3);
  });
});
