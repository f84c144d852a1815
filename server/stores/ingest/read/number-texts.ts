/**
 * Numbers that neither INT64 nor FLOAT64 holds, such as `18446744073709551616` and `1e999`, as texts with the same
 * digits. Their fields are texts, and ClickHouse reads nothing of a JSON text with such a number.
 */
import { Token } from '../../../common/json/json-token';
import { type JsonNode, type JsonObject, jsonString } from '../../../common/json/json-tree';
import { typeOfScalar } from '../fields/field-types';

/** @returns the same object when it has no such number */
export function withNumberTexts(record: JsonObject): JsonObject {
  const members = new Map<string, JsonNode>();
  let isSame = true;
  for (const [key, value] of record.members) {
    const written = textOfNumber(value);
    members.set(key, written);
    isSame &&= written === value;
  }
  return isSame ? record : { token: Token.object, members };
}

function textOfNumber(node: JsonNode): JsonNode {
  switch (node.token) {
    case Token.object:
      return withNumberTexts(node);
    case Token.array: {
      const items = node.items.map(textOfNumber);
      return items.every((item, index) => item === node.items[index]) ? node : { token: Token.array, items };
    }
    case Token.oddNumber:
      return typeOfScalar(node) === 'STRING' ? jsonString(node.text) : node;
    default:
      return node;
  }
}
