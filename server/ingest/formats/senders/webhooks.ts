/** Webhooks: any JSON, and those of GitHub. */
import { Token } from '../../../common/json/json-token';
import { type JsonNode, type JsonObject, jsonString } from '../../../common/json/json-tree';
import type { SentEvent } from '../events/sent-event';
import { fieldsOf, idInRequest, jsonText, type SenderHeaders, textAt } from './sender-event';

/** The object is the metadata as it is; its own names have no meaning, a time among them neither. */
export function readAnyJson(object: JsonObject): SentEvent {
  return { id: null, nanos: null, message: jsonText(object), fields: fieldsOf(object), source: null };
}

/**
 * Addresses of the API (`*_url`), which are most of a delivery, are left out. A delivery that is sent again has the id
 * of the first.
 * @see https://docs.github.com/en/webhooks/webhook-events-and-payloads
 */
export function readGithub(object: JsonObject, headers: SenderHeaders, index: number): SentEvent {
  const event = headers.get('x-github-event') ?? null;
  const fields = fieldsOf(withoutAddresses(object));
  if (event !== null) fields.set('event', jsonString(event));
  const parts = [
    textAt(object, 'repository.full_name') ?? textAt(object, 'organization.login'),
    textAt(object, 'sender.login'),
    [event, textAt(object, 'action')].filter((part) => part !== null).join('.') || null,
  ];
  return {
    id: idInRequest(headers.get('x-github-delivery') ?? null, index),
    nanos: null,
    message: parts.filter((part) => part !== null).join(' | '),
    fields,
    source: null,
  };
}

function withoutAddresses(object: JsonObject): JsonObject {
  const members = new Map<string, JsonNode>();
  for (const [key, value] of object.members) if (!key.endsWith('_url')) members.set(key, cleaned(value));
  return { token: Token.object, members };
}

function cleaned(node: JsonNode): JsonNode {
  if (node.token === Token.object) return withoutAddresses(node);
  return node.token === Token.array ? { token: Token.array, items: node.items.map(cleaned) } : node;
}
