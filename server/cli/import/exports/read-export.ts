/** Exports of other log stores: each line becomes an event as `POST /api/logs` takes it. */
import { keysOf } from '#contract/records';
import { Token } from '../../../common/json/json-token';
import { type JsonNode, type JsonObject, jsonString, writeJsonTree } from '../../../common/json/json-tree';
import { readObject } from '../../../ingest/formats/documents/read-object';
import { placeFields } from '../../../ingest/formats/events/place-fields';
import { RecordRefusal } from '../../../ingest/formats/record-refusal';
import type { InputEvent } from '../input/input';
import { readHit } from './elasticsearch';
import type { ExportedEvent } from './exported-event';
import { readLine } from './loki';
import { readRow } from './victorialogs';

/** @returns null for a line that is not of this form */
type ReadExport = (line: JsonObject) => ExportedEvent | null;

const READERS = { elasticsearch: readHit, loki: readLine, victorialogs: readRow } satisfies Record<string, ReadExport>;

export type ExportForm = keyof typeof READERS;
export const EXPORT_FORMS = keysOf(READERS);

/** Lines that cannot be read are passed on as they are: the server says what is wrong with them, by their place. */
export async function* readExport(
  pieces: AsyncIterable<readonly InputEvent[]>,
  form: ExportForm
): AsyncGenerator<readonly InputEvent[]> {
  for await (const piece of pieces)
    yield piece.map((line) => (line.json === null ? line : { ...line, json: convert(line.json, READERS[form]) }));
}

function convert(json: Buffer, read: ReadExport): Buffer {
  const line = readObject(json, 0, json.length);
  const event = line instanceof RecordRefusal ? null : read(line);
  return event === null ? json : Buffer.from(writeJsonTree(write(event)));
}

/** Members of an event that mean something else at the server. */
const RESERVED: ReadonlySet<string> = new Set([
  ...['id', 'timestamp', 'event_message', 'message', 'log_entry', 'metadata'],
  ...['source', 'source_name', 'collection_name'],
]);

/** Fields stand beside the message, where own columns of the source are found; reserved names below `metadata`. */
function write({ id, time, message, fields }: ExportedEvent): JsonObject {
  const members = new Map<string, JsonNode>();
  if (id !== null) members.set('id', jsonString(id));
  if (time !== undefined) members.set('timestamp', time);
  members.set('event_message', jsonString(message));
  const below = new Map<string, JsonNode>();
  for (const [name, value] of placeFields(fields)) (RESERVED.has(name) ? below : members).set(name, value);
  if (below.size > 0) members.set('metadata', { token: Token.object, members: below });
  return { token: Token.object, members };
}
