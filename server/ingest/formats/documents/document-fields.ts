/** Takes the parts of an event from a document whose form the application chose: its message, its source. */
import { Token } from '../../../common/json/json-token';
import { type JsonNode, type JsonObject, writeJsonTree } from '../../../common/json/json-tree';
import { textOf } from '../events/sent-event';

/** Keys of the message, by precedence: those of log shippers and of loggers. */
const MESSAGE_KEYS = ['message', 'event_message', 'msg', 'log'];

/**
 * Removes the message from the fields.
 *
 * @param document the text of which is the message when no field is one
 */
export function takeMessage(fields: Map<string, JsonNode>, document: JsonObject): string {
  for (const key of MESSAGE_KEYS) {
    const value = fields.get(key);
    if (value?.token !== Token.string) continue;
    fields.delete(key);
    return value.text;
  }
  return writeJsonTree(document);
}

export const SOURCE_FIELD = 'lqe.source';
const [SOURCE_RECORD, SOURCE_KEY] = ['lqe', 'source'];

/** Removes the name of the source, written with a dot or as a record. */
export function takeSource(fields: Map<string, JsonNode>): string | null {
  const dotted = textOf(fields.get(SOURCE_FIELD));
  fields.delete(SOURCE_FIELD);
  const record = fields.get(SOURCE_RECORD);
  if (record?.token !== Token.object || !record.members.has(SOURCE_KEY)) return dotted;
  const members = new Map(record.members);
  members.delete(SOURCE_KEY);
  if (members.size === 0) fields.delete(SOURCE_RECORD);
  else fields.set(SOURCE_RECORD, { token: Token.object, members });
  return dotted ?? textOf(record.members.get(SOURCE_KEY));
}
