/**
 * Bulk requests of Elasticsearch: newline-delimited JSON of actions and documents.
 * @see https://www.elastic.co/docs/api/doc/elasticsearch/operation/operation-bulk
 */
import { SOURCE_FIELD, takeMessage, takeSource } from '../documents/document-fields';
import { readObject } from '../documents/read-object';
import { Token } from '../../../common/json/json-token';
import type { JsonNode, JsonObject } from '../../../common/json/json-tree';
import { RecordRefusal } from '../record-refusal';
import type { EventStream, SentEvent, SharedFacts, SourceNames } from '../events/sent-event';
import { type BulkItem, findActions } from './bulk-actions';

export const BULK_NAMES: SourceNames = { source: SOURCE_FIELD, service: '_index' };

export class BulkReader {
  private readonly defaultIndex: string | null;
  private found: readonly BulkItem[] = [];
  private shared: readonly [index: string | null, facts: SharedFacts] | null = null;

  /** @param defaultIndex index of the path */
  constructor(defaultIndex: string | null) {
    this.defaultIndex = defaultIndex;
  }

  /** Items of the request, in its order; known once the first event was read. */
  get items(): readonly BulkItem[] {
    return this.found;
  }

  *read(body: Buffer, maxEvents: number): EventStream {
    this.found = yield* findActions(body, this.defaultIndex, maxEvents);
    for (const item of this.found) yield { shared: this.sharedBy(item.index), event: readItem(body, item) };
  }

  /** Items with one index follow each other. */
  private sharedBy(index: string | null): SharedFacts {
    if (this.shared === null || this.shared[0] !== index)
      this.shared = [
        index,
        { attributes: new Map(), records: [], source: null, service: index === null ? null : sourceNameOf(index) },
      ];
    return this.shared[1];
  }
}

/** Names of data streams (`logs-<dataset>-<namespace>`), and of indexes of one day or month. */
const DATA_STREAM = /^logs-([^-]+)-[^-]+$/;
const DATED = /^(.+)-\d{4}[.-]\d{2}(?:[.-]\d{2})?$/;

/** Name of the source in the name of an index. Names of sources have no dash. */
function sourceNameOf(index: string): string {
  return (DATA_STREAM.exec(index) ?? DATED.exec(index))?.[1] ?? index;
}

function readItem(body: Buffer, { action, id, document }: BulkItem): SentEvent | RecordRefusal {
  if (action === 'update' || action === 'delete')
    return new RecordRefusal(
      'unsupported_action',
      `"${action}" is not supported: events are not changed; send "create" or "index"`
    );
  if (document === null)
    return new RecordRefusal('no_document', `the line with the document of "${action}" is missing`);
  const object = readObject(body, document.start, document.end);
  return object instanceof RecordRefusal ? object : toSentEvent(object, id);
}

function toSentEvent(document: JsonObject, id: string | null): SentEvent {
  const fields = new Map(document.members);
  const source = takeSource(fields);
  return { id, nanos: null, time: takeTime(fields), message: takeMessage(fields, document), fields, source };
}

const TIME_FIELD = '@timestamp';
const OTHER_TIME_FIELD = 'timestamp';

/** A `timestamp` that is something else stays a field: only `@timestamp` is the time by definition. */
function takeTime(fields: Map<string, JsonNode>): JsonNode | undefined {
  const named = fields.has(TIME_FIELD) ? TIME_FIELD : OTHER_TIME_FIELD;
  const value = fields.get(named);
  if (value === undefined || (named === OTHER_TIME_FIELD && !looksLikeTime(value))) return undefined;
  fields.delete(named);
  return value;
}

function looksLikeTime(node: JsonNode): boolean {
  if (node.token === Token.string) return /^\d{4}-\d{2}-\d{2}(?:[Tt ]|$)/.test(node.text);
  return (node.token === Token.integer || node.token === Token.float) && /^\d{9,19}(?:\.\d+)?$/.test(node.text);
}
