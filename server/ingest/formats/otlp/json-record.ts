/** OTLP messages in a JSON tree. A value of the wrong type makes the whole request invalid. */
import { ServiceError } from '#contract/errors';
import { Token } from '../../../common/json/json-token';
import { type JsonNode, type JsonObject, jsonString, writtenText } from '../../../common/json/json-tree';
import { tooDeep } from '../record-refusal';
import { MAX_NANOS, type SharedFacts } from '../events/sent-event';
import {
  type Attributes,
  emptyRecord,
  idText,
  type LogRecord,
  MAX_VALUE_DEPTH,
  NULL,
  numberNode,
  shareResource,
  withScope,
} from './log-record';

/** Null equals absent. @param node an object */
export function readJsonResource(node: JsonNode | undefined): SharedFacts {
  const attributes: Attributes = new Map();
  readKeyValues(member(node, 'attributes', 'attributes'), attributes, 'resource.attributes', 0);
  return shareResource(attributes);
}

export function readJsonScope(node: JsonNode | undefined, shared: SharedFacts): SharedFacts {
  const attributes: Attributes = new Map();
  readKeyValues(member(node, 'attributes', 'attributes'), attributes, 'scope.attributes', 0);
  const name = readText(member(node, 'name', 'name'), 'scope.name');
  const version = readText(member(node, 'version', 'version'), 'scope.version');
  return withScope(shared, { name, version, attributes });
}

export function readJsonRecord(node: JsonNode): LogRecord {
  const body = member(node, 'body', 'body');
  const record: LogRecord = {
    ...emptyRecord(),
    timeUnixNano: readNanos(member(node, 'timeUnixNano', 'time_unix_nano'), 'timeUnixNano'),
    observedTimeUnixNano: readNanos(
      member(node, 'observedTimeUnixNano', 'observed_time_unix_nano'),
      'observedTimeUnixNano'
    ),
    severityNumber: readInt32(member(node, 'severityNumber', 'severity_number'), 'severityNumber'),
    severityText: readText(member(node, 'severityText', 'severity_text'), 'severityText'),
    body: body === undefined ? null : readAnyValue(body, 'body', 0),
    droppedAttributesCount: readInt32(
      member(node, 'droppedAttributesCount', 'dropped_attributes_count'),
      'droppedAttributesCount'
    ),
    flags: readInt32(member(node, 'flags', 'flags'), 'flags'),
    traceId: idText(readText(member(node, 'traceId', 'trace_id'), 'traceId')),
    spanId: idText(readText(member(node, 'spanId', 'span_id'), 'spanId')),
    eventName: readText(member(node, 'eventName', 'event_name'), 'eventName'),
  };
  readKeyValues(member(node, 'attributes', 'attributes'), record.attributes, 'attributes', 0);
  return record;
}

/** @returns undefined for an absent or null member */
function member(node: JsonNode | undefined, name: string, protoName: string): JsonNode | undefined {
  if (node === undefined || node.token === Token.null) return undefined;
  if (node.token !== Token.object) throw wrong('a message', 'an object');
  const value = node.members.get(name) ?? node.members.get(protoName);
  return value?.token === Token.null ? undefined : value;
}

function readText(node: JsonNode | undefined, what: string): string {
  if (node === undefined) return '';
  if (node.token !== Token.string) throw wrong(what, 'text');
  return node.text;
}

function readNanos(node: JsonNode | undefined, what: string): bigint {
  if (node === undefined) return 0n;
  const value = wholeNumber(node);
  if (value === null || value < 0n || value > MAX_NANOS) throw wrong(what, 'nanoseconds since 1970, as text or number');
  return value;
}

const INT32_MIN = -(2n ** 31n);
const UINT32_MAX = 2n ** 32n - 1n;

/** Reads numbers of 32 bits, signed or not. */
function readInt32(node: JsonNode | undefined, what: string): number {
  if (node === undefined) return 0;
  const value = wholeNumber(node);
  if (value === null || value < INT32_MIN || value > UINT32_MAX) throw wrong(what, 'a whole number of 32 bits');
  return Number(value);
}

/**
 * Value of text or a number. Encoders of languages with one type of numbers write `9.0`, and large ones with an
 * exponent, as protobuf's JSON mapping allows. Null: no whole number.
 */
function wholeNumber(node: JsonNode): bigint | null {
  const text = writtenText(node) ?? '';
  if (/^-?\d{1,20}$/.test(text)) return BigInt(text);
  const value = NUMBER.test(text) ? Number(text) : NaN;
  return Number.isInteger(value) ? BigInt(value) : null;
}

const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;

/** @param depth of the values in it */
function readKeyValues(node: JsonNode | undefined, into: Attributes, what: string, depth: number): void {
  if (node === undefined) return;
  if (node.token !== Token.array) throw wrong(what, 'an array of objects with "key" and "value"');
  for (const item of node.items) {
    if (item.token !== Token.object) throw wrong(what, 'an array of objects with "key" and "value"');
    const value = member(item, 'value', 'value');
    into.set(readText(member(item, 'key', 'key'), `${what}.key`), value ? readAnyValue(value, what, depth) : NULL);
  }
}

/** Reads an AnyValue: the last of several members counts; without a member it is null. */
function readAnyValue(node: JsonNode, what: string, depth: number): JsonNode {
  if (depth > MAX_VALUE_DEPTH) throw tooDeep();
  if (node.token !== Token.object) throw wrong(what, 'an object like {"stringValue":"…"}');
  let value = NULL;
  for (const [name, given] of node.members) {
    const read = VALUE_READERS.get(name);
    if (read && given.token !== Token.null) value = read(given, what, depth);
  }
  return value;
}

type ValueReader = (node: JsonNode, what: string, depth: number) => JsonNode;

const readString: ValueReader = (node, what) => jsonString(readText(node, what));

const readBool: ValueReader = (node, what) => {
  if (node.token !== Token.true && node.token !== Token.false) throw wrong(what, 'true or false');
  return node;
};

const INT64_MAX = 2n ** 63n - 1n;

const readInt: ValueReader = (node, what) => {
  const value = wholeNumber(node);
  if (value === null || value > INT64_MAX || value < -INT64_MAX - 1n) throw wrong(what, 'a whole number of 64 bits');
  return { token: Token.integer, text: String(value) };
};

const readDouble: ValueReader = (node, what) => {
  const text = writtenText(node) ?? '';
  if (['NaN', 'Infinity', '-Infinity'].includes(text)) return NULL;
  if (!NUMBER.test(text)) throw wrong(what, 'a number');
  return numberNode(Number(text));
};

/** Accepts base64 in either alphabet, and writes the standard one. */
const readBytes: ValueReader = (node, what) =>
  jsonString(Buffer.from(readText(node, what), 'base64').toString('base64'));

const readArray: ValueReader = (node, what, depth) => {
  const values = member(node, 'values', 'values');
  if (values === undefined) return { token: Token.array, items: [] };
  if (values.token !== Token.array) throw wrong(what, 'an array');
  const items = values.items.map((item) => (item.token === Token.null ? NULL : readAnyValue(item, what, depth + 1)));
  return { token: Token.array, items };
};

const readKvlist: ValueReader = (node, what, depth) => {
  const members: Attributes = new Map();
  readKeyValues(member(node, 'values', 'values'), members, what, depth + 1);
  return { token: Token.object, members } satisfies JsonObject;
};

const VALUE_READERS: ReadonlyMap<string, ValueReader> = new Map([
  ['stringValue', readString],
  ['string_value', readString],
  ['boolValue', readBool],
  ['bool_value', readBool],
  ['intValue', readInt],
  ['int_value', readInt],
  ['doubleValue', readDouble],
  ['double_value', readDouble],
  ['arrayValue', readArray],
  ['array_value', readArray],
  ['kvlistValue', readKvlist],
  ['kvlist_value', readKvlist],
  ['bytesValue', readBytes],
  ['bytes_value', readBytes],
]);

function wrong(what: string, expected: string): ServiceError {
  return new ServiceError('body_invalid', `"${what}" of a record must be ${expected}.`, { reason: 'bad_value' });
}
