/** Exports of other log stores and lines of other programs: each line becomes an event as `POST /api/logs` takes it. */
import { keysOf } from '#contract/records';
import { Token } from '../../../common/json/json-token';
import { type JsonNode, type JsonObject, jsonString, writeJsonTree } from '../../../common/json/json-tree';
import { readObject } from '../../../ingest/formats/documents/read-object';
import { placeFields } from '../../../ingest/formats/events/place-fields';
import { RecordRefusal } from '../../../ingest/formats/record-refusal';
import type { InputEvent } from '../input/input';
import { readDockerLine } from './docker';
import { readHit } from './elasticsearch';
import type { ExportedEvent } from './exported-event';
import { readEntry } from './journald';
import { readLine } from './loki';
import { readLoggerLine } from './pino';
import { readRow } from './victorialogs';

/** @returns null for a line that is not of this form */
type ReadExport = (line: JsonObject) => ExportedEvent | null;

const FORMS = {
  docker: { read: readDockerLine, words: 'a line of Docker with "log", "stream" and "time"' },
  elasticsearch: { read: readHit, words: 'a hit of Elasticsearch with "_source"' },
  journald: { read: readEntry, words: 'an entry of journald with "__REALTIME_TIMESTAMP"' },
  loki: { read: readLine, words: 'a line of Loki with "labels" and "line", as logcli --output=jsonl writes it' },
  pino: { read: readLoggerLine, words: 'a line of pino or bunyan with "level" and "time"' },
  victorialogs: { read: readRow, words: 'a row of VictoriaLogs with "_time"' },
} satisfies Record<string, { readonly read: ReadExport; readonly words: string }>;

export type ExportForm = keyof typeof FORMS;
export const EXPORT_FORMS = keysOf(FORMS);

/**
 * Lines that are no JSON objects are passed on as they are: the server says what is wrong with them, by their place. It
 * would store objects of another form, such as a whole answer of a store, with the time of their arrival.
 */
export async function* readExport(
  pieces: AsyncIterable<readonly InputEvent[]>,
  form: ExportForm
): AsyncGenerator<readonly InputEvent[]> {
  for await (const piece of pieces) yield piece.map((line) => convert(line, form));
}

function convert(line: InputEvent, form: ExportForm): InputEvent {
  const { json } = line;
  const object = json === null ? null : readObject(json, 0, json.length);
  if (object === null || object instanceof RecordRefusal) return line;
  const { read, words } = FORMS[form];
  const event = read(object);
  // Its text counts for the ids of the events behind it.
  if (event === null) return { ...line, refused: { code: 'format_mismatch', message: `the event is not ${words}` } };
  return { ...line, json: Buffer.from(writeJsonTree(write(event))) };
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
