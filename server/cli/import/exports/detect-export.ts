/**
 * Recognizes exports by their first event, by names that nothing else has: sent as they are, their events would have no
 * message and the time of their arrival.
 */
import { Token } from '../../../common/json/json-token';
import type { JsonObject } from '../../../common/json/json-tree';
import { loggerLineOf } from '../../../common/json/logger-line';
import { readObject } from '../../../ingest/formats/documents/read-object';
import { RecordRefusal } from '../../../ingest/formats/record-refusal';
import type { InputEvent } from '../input/input';
import { EXPORT_FORMS, type ExportForm, readExport } from './read-export';

/** Members of the first event, by their types. */
const SIGNS: Readonly<Record<ExportForm, Readonly<Record<string, readonly Token[]>>>> = {
  docker: { log: [Token.string], stream: [Token.string], time: [Token.string] },
  elasticsearch: { _index: [Token.string], _source: [Token.object] },
  journald: { __REALTIME_TIMESTAMP: [Token.string], __CURSOR: [Token.string] },
  loki: { labels: [Token.object], line: [Token.string], timestamp: [Token.string] },
  pino: { level: [Token.integer], time: [Token.integer, Token.string], pid: [Token.integer], hostname: [Token.string] },
  victorialogs: { _time: [Token.string], _stream: [Token.string], _stream_id: [Token.string] },
};

/** Members with a time in events of other programs. */
const TIMES = ['time', 'ts', '_time', 'datetime', 'date', '@t'];

/** @param note gets a sentence for the user about what was recognized, or what the events lack */
export async function* detectExport(
  pieces: AsyncIterable<readonly InputEvent[]>,
  note: (sentence: string) => void
): AsyncGenerator<readonly InputEvent[]> {
  const iterator = pieces[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done) return;
  const rest = chain(first.value, iterator);
  const object = firstObject(first.value);
  const form = object === null ? null : formOf(object);
  if (form !== null) {
    note(`The events are read as --format ${form}. With --format events they are sent as they are.`);
    yield* readExport(rest, form);
    return;
  }
  const isTimed =
    object === null ||
    ['timestamp', '@timestamp'].some((name) => object.members.has(name)) ||
    loggerLineOf(object.members) !== null;
  const time = isTimed ? undefined : TIMES.find((name) => object.members.has(name));
  if (time !== undefined)
    note(
      `The events have "${time}" but no "timestamp": they get the time of their arrival. Rename it with a tool like jq.`
    );
  yield* rest;
}

async function* chain<T>(first: T, rest: AsyncIterator<T>): AsyncGenerator<T> {
  try {
    yield first;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

function firstObject(events: readonly InputEvent[]): JsonObject | null {
  const json = events[0]?.json ?? null;
  const object = json === null ? null : readObject(json, 0, json.length);
  return object instanceof RecordRefusal ? null : object;
}

function formOf({ members }: JsonObject): ExportForm | null {
  const hasSigns = (form: ExportForm): boolean =>
    Object.entries(SIGNS[form]).every(([name, tokens]) => tokens.some((token) => members.get(name)?.token === token));
  return EXPORT_FORMS.find(hasSigns) ?? null;
}
