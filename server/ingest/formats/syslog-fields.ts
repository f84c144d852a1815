/** Fields of an event from a syslog message. */
import type { StructuredData, SyslogMessage } from '../syslog/parse/message';
import { priorityNames } from '../syslog/parse/priority';
import { Token } from '../../common/json/json-token';
import { type JsonNode, jsonString } from '../../common/json/json-tree';

export function syslogFields(message: SyslogMessage): Map<string, JsonNode> {
  const { priority, hostname, appName, procid, msgid, structuredData } = message;
  const names = priority === null ? null : priorityNames(priority);
  const texts = {
    hostname,
    app_name: appName,
    procid,
    msgid,
    facility: names?.facility ?? null,
    severity: names?.severity ?? null,
    level: names?.level ?? null,
  };
  const fields = new Map<string, JsonNode>();
  for (const [name, value] of Object.entries(texts)) if (value !== null) fields.set(name, jsonString(value));
  if (structuredData.size > 0) fields.set('structured_data', nodeOf(structuredData));
  return fields;
}

function nodeOf(data: StructuredData): JsonNode {
  const elements = [...data].map(([id, parameters]): [string, JsonNode] => {
    const members = [...parameters].map(([name, values]): [string, JsonNode] => [name, valueOf(values)]);
    return [id, { token: Token.object, members: new Map(members) }];
  });
  return { token: Token.object, members: new Map(elements) };
}

/** A parameter that occurs several times in its element is a list. */
function valueOf(values: readonly string[]): JsonNode {
  const items = values.map(jsonString);
  return items.length === 1 ? items[0]! : { token: Token.array, items };
}
