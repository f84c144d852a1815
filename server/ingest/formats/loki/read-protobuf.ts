/**
 * Loki's push in protobuf, as Promtail and Alloy send it, without its compression. Entries are located first and
 * decoded one by one. Field numbers are those of `PushRequest` in logproto.
 * @see https://grafana.com/docs/loki/latest/reference/loki-http-api/
 */
import { ServiceError } from '#contract/errors';
import { MAX_ENTRY_BYTES } from '#contract/events/source';
import { type JsonNode, jsonString } from '../../../common/json/json-tree';
import { orRefusal, RecordRefusal, tooLarge, ValueBudget } from '../record-refusal';
import type { EventStream, SentEvent, SharedFacts } from '../events/sent-event';
import { tooManyEvents } from '../slice-list';
import { BYTES, tagOf, VARINT, WireError, WireReader } from '../wire-reader';
import { checkNanos, lineEvent, shareLabels } from './push-entry';
import { readLabels } from './read-labels';

const PUSH = { streams: tagOf(1, BYTES) };
const STREAM = { labels: tagOf(1, BYTES), entries: tagOf(2, BYTES) };
const ENTRY = { timestamp: tagOf(1, BYTES), line: tagOf(2, BYTES), structuredMetadata: tagOf(3, BYTES) };
const TIMESTAMP = { seconds: tagOf(1, VARINT), nanos: tagOf(2, VARINT) };
const PAIR = { name: tagOf(1, BYTES), value: tagOf(2, BYTES) };

/** @param maxEvents limit of the request */
export function* readLokiProtobuf(body: Buffer, maxEvents: number): EventStream {
  try {
    yield* new PushReader(maxEvents).read(body);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    throw new ServiceError('body_invalid', `The request body is not a push request of Loki: ${error.message}.`, {
      reason: 'bad_protobuf',
    });
  }
}

/** Maximum fields of a request and its streams, per allowed event. Those of a stream are counted twice. */
const FIELDS_PER_EVENT = 8;

class PushReader {
  private readonly maxEvents: number;
  private fieldCount = 0;

  constructor(maxEvents: number) {
    this.maxEvents = maxEvents;
  }

  *read(body: Buffer): EventStream {
    for (const stream of this.messages(body, PUSH.streams)) {
      // A turn for each stream: one without entries yields nothing.
      yield null;
      if (stream !== null) yield* this.readStream(stream);
    }
  }

  /** Fields come in any order, so the labels are read before the entries. */
  private *readStream(bytes: Buffer): EventStream {
    let labels: Buffer = Buffer.alloc(0);
    for (const part of this.messages(bytes, STREAM.labels)) {
      if (part !== null) labels = part;
      yield null;
    }
    const shared = orRefusal(() => readShared(labels));
    for (const entry of this.messages(bytes, STREAM.entries))
      yield entry === null ? null : { shared, event: readEntry(entry, shared) };
  }

  /** Messages of one field; null for each other field, as a turn. */
  private *messages(bytes: Buffer, wanted: number): Generator<Buffer | null, void> {
    const reader = new WireReader(bytes);
    while (reader.next()) {
      if (++this.fieldCount > FIELDS_PER_EVENT * this.maxEvents) throw tooManyEvents(this.maxEvents, null);
      if (reader.tag === wanted) {
        yield reader.bytes();
      } else {
        reader.skip();
        yield null;
      }
    }
  }
}

function readShared(labels: Buffer): SharedFacts {
  if (labels.length > MAX_ENTRY_BYTES) throw tooLarge();
  return shareLabels(readLabels(utf8(labels)));
}

function readEntry(bytes: Buffer, shared: SharedFacts | RecordRefusal): SentEvent | RecordRefusal {
  if (bytes.length > MAX_ENTRY_BYTES) return tooLarge();
  return orRefusal(() => {
    const reader = new WireReader(bytes);
    const fields = new Map<string, JsonNode>();
    const budget = new ValueBudget();
    let nanos: bigint | null = null;
    let line = '';
    while (reader.next()) {
      budget.spend();
      if (reader.tag === ENTRY.timestamp) nanos = readTimestamp(reader.bytes());
      else if (reader.tag === ENTRY.line) line = reader.text();
      else if (reader.tag === ENTRY.structuredMetadata) readPair(reader.bytes(), fields);
      else reader.skip();
    }
    return lineEvent(nanos, line, fields, shared);
  });
}

const NANOS_PER_SECOND = 1_000_000_000n;

function readTimestamp(bytes: Buffer): bigint {
  const reader = new WireReader(bytes);
  let seconds = 0n;
  let nanos = 0n;
  while (reader.next()) {
    if (reader.tag === TIMESTAMP.seconds) seconds = BigInt(reader.int64());
    else if (reader.tag === TIMESTAMP.nanos) nanos = BigInt(reader.int32());
    else reader.skip();
  }
  return checkNanos(seconds * NANOS_PER_SECOND + nanos);
}

function readPair(bytes: Buffer, fields: Map<string, JsonNode>): void {
  const reader = new WireReader(bytes);
  let name = '';
  let value = '';
  while (reader.next()) {
    if (reader.tag === PAIR.name) name = reader.text();
    else if (reader.tag === PAIR.value) value = reader.text();
    else reader.skip();
  }
  fields.set(name, jsonString(value));
}

function utf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new RecordRefusal('bad_utf8', 'a text is not valid UTF-8');
  }
}
