/** What the readers of all senders' forms share: values of an object by their path, times and messages. */
import { Token } from '../../../common/json/json-token';
import { type JsonNode, type JsonObject, type JsonScalar, writeJsonTree } from '../../../common/json/json-tree';
import type { SentEvent } from '../events/sent-event';

/** Headers of the request that belong to the event, by name in lower case. */
export type SenderHeaders = ReadonlyMap<string, string>;

/** @param index of the object in the request, from 0 */
export type ReadSender = (object: JsonObject, headers: SenderHeaders, index: number) => SentEvent;

/** Id from a header, which is that of the first event of a request only. */
export function idInRequest(id: string | null, index: number): string | null {
  return id === null || index === 0 ? id : `${id}-${index}`;
}

export function at(object: JsonObject, path: string): JsonNode | undefined {
  let node: JsonNode | undefined = object;
  for (const key of path.split('.')) node = node?.token === Token.object ? node.members.get(key) : undefined;
  return node;
}

/** Text of a scalar; null for an empty text, null, objects and arrays. */
export function textAt(object: JsonObject, path: string): string | null {
  const node = at(object, path);
  const isText = node !== undefined && 'text' in node && node.token !== Token.null;
  return isText && node.text !== '' ? node.text : null;
}

/** The first of these members that is a text or a number. */
export function timeAt(object: JsonObject, names: readonly string[]): JsonScalar | undefined {
  for (const name of names) {
    const node = object.members.get(name);
    if (node !== undefined && 'text' in node && TIMES.has(node.token) && node.text !== '') return node;
  }
  return undefined;
}

const TIMES: ReadonlySet<Token> = new Set([Token.string, Token.integer, Token.float, Token.oddNumber]);

/** The texts at these paths, without those that are absent; null when all are. */
export function joinTexts(object: JsonObject, paths: readonly string[]): string | null {
  const texts = paths.map((path) => textAt(object, path)).filter((text) => text !== null);
  return texts.length === 0 ? null : texts.join(' | ');
}

/** Members as fields of the event, without some of them. */
export function fieldsOf({ members }: JsonObject, without: readonly string[] = []): Map<string, JsonNode> {
  const fields = new Map(members);
  for (const name of without) fields.delete(name);
  return fields;
}

export function jsonText(object: JsonObject): string {
  return writeJsonTree(object);
}
