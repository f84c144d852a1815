/**
 * Log record of OTLP 1.x, independent of its encoding, and its conversion to an event.
 * @see https://opentelemetry.io/docs/specs/otel/logs/data-model/
 */
import { Token } from '../../../common/json/json-token';
import { type JsonNode, type JsonObject, jsonString, writeJsonTree } from '../../../common/json/json-tree';
import { placeFields } from '../events/place-fields';
import { type SentEvent, type SharedFacts, type SourceNames, textOf } from '../events/sent-event';

/** Attributes by name; of two with one name the last one counts. */
export type Attributes = Map<string, JsonNode>;

/** Absent texts are empty and absent numbers zero, as in protobuf. */
export interface LogRecord {
  timeUnixNano: bigint;
  observedTimeUnixNano: bigint;
  severityNumber: number;
  severityText: string;
  body: JsonNode | null;
  readonly attributes: Attributes;
  droppedAttributesCount: number;
  flags: number;
  /** Hexadecimal. */
  traceId: string;
  spanId: string;
  eventName: string;
}

export interface Scope {
  name: string;
  version: string;
  readonly attributes: Attributes;
}

export function emptyRecord(): LogRecord {
  return {
    timeUnixNano: 0n,
    observedTimeUnixNano: 0n,
    severityNumber: 0,
    severityText: '',
    body: null,
    attributes: new Map(),
    droppedAttributesCount: 0,
    flags: 0,
    traceId: '',
    spanId: '',
    eventName: '',
  };
}

export const NULL: JsonNode = { token: Token.null, text: 'null' };

/** A number node; NaN and infinities, which JSON lacks, become null. */
export function numberNode(value: number): JsonNode {
  return Number.isFinite(value) ? { token: Token.float, text: JSON.stringify(value) } : NULL;
}

export const OTLP_NAMES: SourceNames = { source: 'lqe.source', service: 'service.name' };

/** Maximum nesting of values; the store keeps no deeper ones. */
export const MAX_VALUE_DEPTH = 64;

/** Built once for all scopes of a resource: there may be many scopes, and the resource may be large. */
export function shareResource(resource: Attributes): SharedFacts {
  const attributes = new Map(resource);
  attributes.delete(OTLP_NAMES.source);
  return {
    attributes,
    records: asRecord('resource', attributes),
    source: textOf(resource.get(OTLP_NAMES.source)),
    service: textOf(resource.get(OTLP_NAMES.service)),
  };
}

export function withScope(shared: SharedFacts, { name, version, attributes }: Scope): SharedFacts {
  const facts = new Map(attributes);
  if (name !== '') facts.set('name', jsonString(name));
  if (version !== '') facts.set('version', jsonString(version));
  return { ...shared, records: [...asRecord('scope', facts), ...shared.records] };
}

function asRecord(name: string, fields: Attributes): [string, JsonObject][] {
  return fields.size === 0 ? [] : [[name, { token: Token.object, members: placeFields(fields) }]];
}

/**
 * Fields in order of precedence: attributes, then the fields of a body that is a map, then the other properties of the
 * record.
 */
export function toSentEvent(record: LogRecord): SentEvent {
  const fields = new Map(record.attributes);
  const source = textOf(fields.get(OTLP_NAMES.source));
  fields.delete(OTLP_NAMES.source);
  for (const [name, value] of [...bodyFields(record.body), ...recordFacts(record)])
    if (!fields.has(name)) fields.set(name, value);
  const { timeUnixNano, observedTimeUnixNano } = record;
  const nanos = timeUnixNano === 0n ? observedTimeUnixNano : timeUnixNano;
  return {
    id: textOf(record.attributes.get('log.record.uid')),
    nanos: nanos === 0n ? null : nanos,
    message: messageOf(record),
    fields,
    source,
  };
}

function messageOf({ body, eventName }: LogRecord): string | null {
  if (body === null || body.token === Token.null) return eventName === '' ? null : eventName;
  if (body.token === Token.object || body.token === Token.array) return writeJsonTree(body);
  return body.text;
}

function bodyFields(body: JsonNode | null): Iterable<readonly [string, JsonNode]> {
  if (body?.token === Token.object) return body.members;
  return body?.token === Token.array ? [['body', body]] : [];
}

function recordFacts(record: LogRecord): [string, JsonNode][] {
  const facts: [string, JsonNode][] = [];
  const add = (name: string, value: string | number): void => {
    if (typeof value === 'string' && value !== '') facts.push([name, jsonString(value)]);
    if (typeof value === 'number' && value !== 0) facts.push([name, { token: Token.integer, text: String(value) }]);
  };
  add('level', levelOf(record));
  add('severity_text', record.severityText);
  add('severity_number', record.severityNumber);
  add('trace_id', record.traceId);
  add('span_id', record.spanId);
  // Only eight bits are defined [W3C Trace Context]; the others are reserved.
  add('trace_flags', record.flags & 0xff);
  add('event_name', record.eventName);
  add('dropped_attributes_count', record.droppedAttributesCount);
  return facts;
}

/** One level for each four severity numbers, from 1 on. */
const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'];

/** Level name from the severity number; without a number, the logger's own text. */
function levelOf({ severityNumber, severityText }: LogRecord): string {
  return LEVELS[Math.ceil(severityNumber / 4) - 1] ?? severityText.toLowerCase();
}

/** An id of zeros means no id. */
export function idText(hex: string): string {
  return /^0*$/.test(hex) ? '' : hex.toLowerCase();
}
