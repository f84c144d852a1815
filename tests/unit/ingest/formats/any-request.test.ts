/** Both forms of OTLP are read alike, and random bytes are either refused or read, without other effects. */
import fc from 'fast-check';
import { ServiceError } from '#contract/errors';
import { SourceChooser } from '#server/ingest/formats/events/choose-source';
import { EventBatches } from '#server/ingest/formats/events/event-batches';
import { LOKI_NAMES } from '#server/ingest/formats/loki/push-entry';
import { readLokiProtobuf } from '#server/ingest/formats/loki/read-protobuf';
import { readLokiPush } from '#server/ingest/formats/loki/read-push';
import { OTLP_NAMES } from '#server/ingest/formats/otlp/log-record';
import { readOtlpJson } from '#server/ingest/formats/otlp/read-json';
import { readOtlpProtobuf } from '#server/ingest/formats/otlp/read-protobuf';
import type { EventStream, SourceNames } from '#server/ingest/formats/events/sent-event';
import { anyOtlpRequest } from '../../../support/arbitrary/otlp';
import { FORMAT_SOURCES, readEntries } from '../../../support/cases/http/formats';
import { encodeRequest } from '../../../support/references/otlp-messages';

type Read = (body: Buffer, maxEvents: number) => EventStream;

/** Entries as the store gets them, and why others are refused; a code when the body cannot be read. */
function outcomeOf(read: Read, body: Buffer, names: SourceNames = OTLP_NAMES): unknown {
  const chooser = new SourceChooser({
    sources: FORMAT_SOURCES,
    fallback: FORMAT_SOURCES[0]!,
    names,
    showsSources: true,
  });
  const batches = new EventBatches(chooser, {
    maxEvents: 1000,
    maxBytes: 10_000_000,
    maxRefused: 100,
  });
  try {
    for (const event of read(body, 1000)) if (event !== null) batches.add(event);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status >= 500) throw error;
    return error.code;
  }
  return {
    entries: batches
      .finish()
      .map(({ source, slices, places }) => [
        source,
        readEntries(Buffer.concat(slices.map(({ bytes }) => bytes))),
        places,
      ]),
    refused: batches.refused,
  };
}

it('protobuf and JSON of one request become the same entries', () => {
  fc.assert(
    fc.property(anyOtlpRequest, (request) => {
      const fromJson = outcomeOf(readOtlpJson, Buffer.from(JSON.stringify(request)));
      expect(outcomeOf(readOtlpProtobuf, encodeRequest(request))).toEqual(fromJson);
      expect(fromJson).toHaveProperty('entries');
    }),
    { numRuns: 300 }
  );
});

it('attributes with plain names are stored as they were sent', () => {
  const name = fc.stringMatching(/^[a-z]{1,8}$/).filter((key) => key !== 'project' && key !== 'identifier');
  const value = fc.oneof(fc.string({ unit: 'binary' }), fc.boolean(), fc.maxSafeInteger());
  const wrap = (one: unknown) =>
    typeof one === 'string'
      ? { stringValue: one }
      : typeof one === 'boolean'
        ? { boolValue: one }
        : { intValue: String(one) };
  fc.assert(
    fc.property(fc.dictionary(name, value, { maxKeys: 20, noNullPrototype: true }), (sent) => {
      const attributes = Object.entries(sent).map(([key, one]) => ({ key, value: wrap(one) }));
      const request = { resourceLogs: [{ scopeLogs: [{ logRecords: [{ attributes }] }] }] };
      for (const outcome of [
        outcomeOf(readOtlpJson, Buffer.from(JSON.stringify(request))),
        outcomeOf(readOtlpProtobuf, encodeRequest(request)),
      ])
        expect(outcome).toEqual({ entries: [['edge_requests', [{ metadata: sent }], [0]]], refused: [] });
    }),
    { numRuns: 100 }
  );
});

const READERS: [string, Read, SourceNames][] = [
  ['protobuf', readOtlpProtobuf, OTLP_NAMES],
  ['OTLP-JSON', readOtlpJson, OTLP_NAMES],
  ['Loki', readLokiPush, LOKI_NAMES],
  ['Loki in protobuf', readLokiProtobuf, LOKI_NAMES],
];

it.each(READERS)('random bytes are read or refused: %s', (_name, read, names) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      outcomeOf(read, Buffer.from(bytes), names);
    }),
    { numRuns: 500 }
  );
});

it.each(READERS.slice(0, 2))(
  'requests with changed, missing or doubled bytes are read or refused: %s',
  (name, read) => {
    const change = fc.record({ at: fc.nat(), byte: fc.integer({ min: 0, max: 255 }), kind: fc.nat(2) });
    fc.assert(
      fc.property(anyOtlpRequest, fc.array(change, { minLength: 1, maxLength: 5 }), (request, changes) => {
        let bytes = name === 'protobuf' ? encodeRequest(request) : Buffer.from(JSON.stringify(request));
        for (const { at, byte, kind } of changes) {
          const place = bytes.length === 0 ? 0 : at % bytes.length;
          const middle = [Buffer.from([byte]), Buffer.alloc(0), Buffer.from([byte, byte])][kind]!;
          bytes = Buffer.concat([bytes.subarray(0, place), middle, bytes.subarray(place + 1)]);
        }
        outcomeOf(read, bytes);
      }),
      { numRuns: 500 }
    );
  }
);
