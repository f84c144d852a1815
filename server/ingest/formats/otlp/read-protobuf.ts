/**
 * `ExportLogsServiceRequest` in protobuf. Records are located first and decoded one by one, so that a request needs the
 * memory of one decoded record. Field numbers are those of opentelemetry-proto 1.x: logs.proto, common.proto,
 * resource.proto.
 * @see https://github.com/open-telemetry/opentelemetry-proto
 */
import { ServiceError } from '#contract/errors';
import { MAX_ENTRY_BYTES } from '#contract/events/source';
import { Token } from '../../../common/json/json-token';
import { type JsonNode, jsonString } from '../../../common/json/json-tree';
import { orRefusal, RecordRefusal, tooDeep, tooLarge, ValueBudget } from '../record-refusal';
import type { EventStream, SentEvent, SharedFacts } from '../events/sent-event';
import { tooManyEvents } from '../slice-list';
import {
  type Attributes,
  emptyRecord,
  idText,
  type LogRecord,
  MAX_VALUE_DEPTH,
  NULL,
  numberNode,
  type Scope,
  shareResource,
  toSentEvent,
  withScope,
} from './log-record';
import { BYTES, FIXED32, FIXED64, tagOf, VARINT, WireError, WireReader } from '../wire-reader';

const REQUEST = { resourceLogs: tagOf(1, BYTES) };
const RESOURCE_LOGS = { resource: tagOf(1, BYTES), scopeLogs: tagOf(2, BYTES) };
const RESOURCE = { attributes: tagOf(1, BYTES) };
const SCOPE_LOGS = { scope: tagOf(1, BYTES), logRecords: tagOf(2, BYTES) };
const SCOPE = { name: tagOf(1, BYTES), version: tagOf(2, BYTES), attributes: tagOf(3, BYTES) };
const LOG_RECORD = {
  timeUnixNano: tagOf(1, FIXED64),
  severityNumber: tagOf(2, VARINT),
  severityText: tagOf(3, BYTES),
  body: tagOf(5, BYTES),
  attributes: tagOf(6, BYTES),
  droppedAttributesCount: tagOf(7, VARINT),
  flags: tagOf(8, FIXED32),
  traceId: tagOf(9, BYTES),
  spanId: tagOf(10, BYTES),
  observedTimeUnixNano: tagOf(11, FIXED64),
  eventName: tagOf(12, BYTES),
};
const KEY_VALUE = { key: tagOf(1, BYTES), value: tagOf(2, BYTES) };
const ANY_VALUE = {
  string: tagOf(1, BYTES),
  bool: tagOf(2, VARINT),
  int: tagOf(3, VARINT),
  double: tagOf(4, FIXED64),
  array: tagOf(5, BYTES),
  kvlist: tagOf(6, BYTES),
  bytes: tagOf(7, BYTES),
};
/** Tag of a list of values, and of a list of pairs. */
const LIST = { values: tagOf(1, BYTES) };

/** @param maxEvents limit of the request */
export function* readOtlpProtobuf(body: Buffer, maxEvents: number): EventStream {
  try {
    yield* new RequestReader(maxEvents).read(body);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    throw new ServiceError('body_invalid', `The request body is not an ExportLogsServiceRequest: ${error.message}.`, {
      reason: 'bad_protobuf',
    });
  }
}

/** Maximum fields of a request, its resources and its scopes, per allowed event: they are read before any record. */
const GROUP_FIELDS_PER_EVENT = 4;

class RequestReader {
  private readonly maxEvents: number;
  private fieldCount = 0;

  constructor(maxEvents: number) {
    this.maxEvents = maxEvents;
  }

  *read(body: Buffer): EventStream {
    for (const resourceLogs of this.messages(body, REQUEST.resourceLogs)) {
      if (resourceLogs === null) yield null;
      else yield* this.readResourceLogs(resourceLogs);
    }
  }

  private *readResourceLogs(bytes: Buffer): EventStream {
    const resource = yield* this.readResource(bytes);
    for (const scopeLogs of this.messages(bytes, RESOURCE_LOGS.scopeLogs)) {
      if (scopeLogs === null) {
        yield null;
        continue;
      }
      const shared = combine(resource, yield* this.readScope(scopeLogs));
      for (const record of this.messages(scopeLogs, SCOPE_LOGS.logRecords))
        yield record === null ? null : { shared, event: readEvent(record) };
    }
  }

  private *readResource(bytes: Buffer): Generator<null, SharedFacts | RecordRefusal> {
    // A turn for each resource: an empty one yields nothing else.
    yield null;
    const attributes: Attributes = new Map();
    const budget = new ValueBudget();
    const refusal = yield* this.readParts(bytes, RESOURCE_LOGS.resource, (part) => {
      const reader = new WireReader(part);
      while (reader.next()) {
        if (reader.tag === RESOURCE.attributes) readKeyValue(reader.bytes(), attributes, 0, budget);
        else reader.skip();
      }
    });
    return refusal ?? shareResource(attributes);
  }

  private *readScope(bytes: Buffer): Generator<null, Scope | RecordRefusal> {
    yield null;
    const scope: Scope = { name: '', version: '', attributes: new Map() };
    const budget = new ValueBudget();
    const refusal = yield* this.readParts(bytes, SCOPE_LOGS.scope, (part) => {
      const reader = new WireReader(part);
      while (reader.next()) {
        if (reader.tag === SCOPE.name) scope.name = reader.text();
        else if (reader.tag === SCOPE.version) scope.version = reader.text();
        else if (reader.tag === SCOPE.attributes) readKeyValue(reader.bytes(), scope.attributes, 0, budget);
        else reader.skip();
      }
    });
    return refusal ?? scope;
  }

  /**
   * A message may be split into several parts that are merged; fields come in any order, so the records are read after
   * all parts.
   */
  private *readParts(
    bytes: Buffer,
    wanted: number,
    read: (part: Buffer) => void
  ): Generator<null, RecordRefusal | null> {
    let length = 0;
    let refusal: RecordRefusal | null = null;
    for (const part of this.messages(bytes, wanted)) {
      yield null;
      if (part === null || refusal !== null) continue;
      length += part.length;
      refusal = length > MAX_ENTRY_BYTES ? tooLarge() : (orRefusal(() => read(part)) ?? null);
    }
    return refusal;
  }

  /** Messages of one field; null for each other field, as a turn. */
  private *messages(bytes: Buffer, wanted: number): Generator<Buffer | null, void> {
    const reader = new WireReader(bytes);
    while (reader.next()) {
      if (++this.fieldCount > GROUP_FIELDS_PER_EVENT * this.maxEvents) throw tooManyEvents(this.maxEvents, null);
      if (reader.tag === wanted) {
        yield reader.bytes();
      } else {
        reader.skip();
        yield null;
      }
    }
  }
}

function combine(resource: SharedFacts | RecordRefusal, scope: Scope | RecordRefusal): SharedFacts | RecordRefusal {
  if (resource instanceof RecordRefusal) return resource;
  return scope instanceof RecordRefusal ? scope : withScope(resource, scope);
}

function readEvent(bytes: Buffer): SentEvent | RecordRefusal {
  if (bytes.length > MAX_ENTRY_BYTES) return tooLarge();
  return orRefusal(() => toSentEvent(readRecord(new WireReader(bytes))));
}

function readRecord(reader: WireReader): LogRecord {
  const record = emptyRecord();
  const budget = new ValueBudget();
  while (reader.next()) {
    switch (reader.tag) {
      case LOG_RECORD.timeUnixNano:
        record.timeUnixNano = reader.fixed64();
        break;
      case LOG_RECORD.observedTimeUnixNano:
        record.observedTimeUnixNano = reader.fixed64();
        break;
      case LOG_RECORD.severityNumber:
        record.severityNumber = reader.int32();
        break;
      case LOG_RECORD.severityText:
        record.severityText = reader.text();
        break;
      case LOG_RECORD.body:
        record.body = readAnyValue(reader.bytes(), 0, budget);
        break;
      case LOG_RECORD.attributes:
        readKeyValue(reader.bytes(), record.attributes, 0, budget);
        break;
      case LOG_RECORD.droppedAttributesCount:
        record.droppedAttributesCount = reader.uint32();
        break;
      case LOG_RECORD.flags:
        record.flags = reader.fixed32();
        break;
      case LOG_RECORD.traceId:
        record.traceId = idText(reader.bytes().toString('hex'));
        break;
      case LOG_RECORD.spanId:
        record.spanId = idText(reader.bytes().toString('hex'));
        break;
      case LOG_RECORD.eventName:
        record.eventName = reader.text();
        break;
      default:
        reader.skip();
    }
  }
  return record;
}

function readKeyValue(bytes: Buffer, into: Attributes, depth: number, budget: ValueBudget): void {
  budget.spend();
  const reader = new WireReader(bytes);
  let key = '';
  let value = NULL;
  while (reader.next()) {
    if (reader.tag === KEY_VALUE.key) key = reader.text();
    else if (reader.tag === KEY_VALUE.value) value = readAnyValue(reader.bytes(), depth, budget);
    else reader.skip();
  }
  into.set(key, value);
}

/** Reads an AnyValue: the last of several members counts; without a member it is null. */
function readAnyValue(bytes: Buffer, depth: number, budget: ValueBudget): JsonNode {
  if (depth > MAX_VALUE_DEPTH) throw tooDeep();
  const reader = new WireReader(bytes);
  let value = NULL;
  while (reader.next()) {
    switch (reader.tag) {
      case ANY_VALUE.string:
        value = jsonString(reader.text());
        break;
      case ANY_VALUE.bool:
        value = reader.int64() === '0' ? { token: Token.false, text: 'false' } : { token: Token.true, text: 'true' };
        break;
      case ANY_VALUE.int:
        value = { token: Token.integer, text: reader.int64() };
        break;
      case ANY_VALUE.double:
        value = numberNode(reader.double());
        break;
      case ANY_VALUE.array:
        value = readArray(reader.bytes(), depth + 1, budget);
        break;
      case ANY_VALUE.kvlist:
        value = readKvlist(reader.bytes(), depth + 1, budget);
        break;
      case ANY_VALUE.bytes:
        value = jsonString(reader.bytes().toString('base64'));
        break;
      default:
        reader.skip();
    }
  }
  return value;
}

function readArray(bytes: Buffer, depth: number, budget: ValueBudget): JsonNode {
  const items: JsonNode[] = [];
  const reader = new WireReader(bytes);
  while (reader.next()) {
    if (reader.tag === LIST.values) {
      budget.spend();
      items.push(readAnyValue(reader.bytes(), depth, budget));
    } else reader.skip();
  }
  return { token: Token.array, items };
}

function readKvlist(bytes: Buffer, depth: number, budget: ValueBudget): JsonNode {
  const members: Attributes = new Map();
  const reader = new WireReader(bytes);
  while (reader.next()) {
    if (reader.tag === LIST.values) readKeyValue(reader.bytes(), members, depth, budget);
    else reader.skip();
  }
  return { token: Token.object, members };
}
