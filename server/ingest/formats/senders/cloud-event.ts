/**
 * CloudEvents 1.0 over HTTP. In binary mode the attributes are headers `ce-*` and the body is the data; in structured
 * mode the body is an object of both. Of a batch each object is structured.
 * @see https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/http-protocol-binding.md
 */
import { Token } from '../../../common/json/json-token';
import {
  type JsonNode,
  type JsonObject,
  type JsonScalar,
  jsonString,
  writeJsonTree,
} from '../../../common/json/json-tree';
import type { SentEvent } from '../events/sent-event';
import { fieldsOf, idInRequest, joinTexts, type SenderHeaders, textAt, timeAt } from './sender-event';

export function readCloudEvent(object: JsonObject, headers: SenderHeaders, index: number): SentEvent {
  const isStructured = textAt(object, 'specversion') !== null && object.members.has('type');
  const attributes = isStructured ? structuredAttributes(object) : headerAttributes(headers);
  const data = isStructured ? object.members.get('data') : object;
  const fields = dataFields(data ?? object.members.get('data_base64'));
  fields.set('cloud_event', attributes);
  return {
    id: isStructured ? identityOf(attributes) : idInRequest(identityOf(attributes), index),
    nanos: null,
    time: timeAt(attributes, ['time']),
    message: messageOf(data) ?? joinTexts(attributes, ['type', 'source', 'subject']),
    fields,
    source: null,
  };
}

const DATA = ['data', 'data_base64'];

function structuredAttributes(object: JsonObject): JsonObject {
  return { token: Token.object, members: fieldsOf(object, DATA) };
}

function headerAttributes(headers: SenderHeaders): JsonObject {
  const members = new Map<string, JsonScalar>();
  for (const [name, value] of headers)
    if (name.startsWith('ce-')) members.set(name.slice(3).replaceAll('-', '_'), jsonString(percentDecoded(value)));
  return { token: Token.object, members };
}

function percentDecoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function dataFields(data: JsonNode | undefined): Map<string, JsonNode> {
  if (data === undefined) return new Map();
  return data.token === Token.object ? fieldsOf(data) : new Map([['data', data]]);
}

function messageOf(data: JsonNode | undefined): string | null {
  if (data === undefined || data.token === Token.null) return null;
  if (data.token === Token.object) return textAt(data, 'event_message') ?? textAt(data, 'message');
  return data.token === Token.array ? writeJsonTree(data) : data.text;
}

/** The stores refuse a longer identity. Leaves room for an index. */
const MAX_ID_BYTES = 1000;

/** `source` and `id` together are the identity of an event. */
function identityOf(attributes: JsonObject): string | null {
  const id = joinTexts(attributes, ['source', 'id']);
  const isWhole = textAt(attributes, 'id') !== null && textAt(attributes, 'source') !== null;
  return isWhole && id !== null && Buffer.byteLength(id) <= MAX_ID_BYTES ? id : null;
}
