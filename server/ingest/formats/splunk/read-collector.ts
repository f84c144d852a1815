/**
 * Events of Splunk's HTTP Event Collector: JSON objects one behind the other, with white space between them or none.
 * @see https://help.splunk.com/en/splunk-enterprise/get-data-in/collect-http-event-data/format-events-for-http-event-collector
 */
import { isUtf8 } from 'node:buffer';
import { SOURCE_FIELD, takeMessage, takeSource } from '../documents/document-fields';
import { badUtf8 } from '../documents/read-object';
import { Token } from '../../../common/json/json-token';
import { ensureObject, type JsonNode, type JsonObject, writeJsonTree } from '../../../common/json/json-tree';
import { asBodyError } from '../json/body-error';
import { type JsonPart, JsonWalk } from '../json/json-walk';
import { orRefusal, RecordRefusal } from '../record-refusal';
import { tooManyEvents } from '../slice-list';
import { type EventStream, type SentEvent, type SharedFacts, type SourceNames, textOf } from '../events/sent-event';

export const COLLECTOR_NAMES: SourceNames = { source: SOURCE_FIELD, service: 'index' };

/** Keys of an event that may name its source, by precedence. */
export const NAMING_KEYS = ['index', 'sourcetype', 'source'] as const;

export type IsSource = (name: string) => boolean;

export function* readCollectorEvents(body: Buffer, maxEvents: number, isSource: IsSource): EventStream {
  try {
    const walk = new JsonWalk(body);
    for (const part of yield* findObjects(walk, body, maxEvents)) {
      const read = orRefusal(() => {
        if (part.refusal === null && !isUtf8(body.subarray(part.start, part.end))) throw badUtf8();
        return readEvent(ensureObject(walk.tree(part)), isSource);
      });
      yield read instanceof RecordRefusal ? { shared: sharedBy(null), event: read } : read;
    }
  } catch (error) {
    throw yield* asBodyError(error, body);
  }
}

/** @throws ServiceError `body_too_large` with the number of objects */
function* findObjects(walk: JsonWalk, body: Buffer, maxEvents: number): Generator<null, readonly JsonPart[]> {
  const found: JsonPart[] = [];
  let count = 0;
  for (;;) {
    yield* walk.passBlanks();
    if (walk.position >= body.length) break;
    if (walk.peek() !== 0x7b) walk.fail('an object with "event"');
    const part = walk.pass() ?? (yield* walk.passLarge(true));
    // Beyond the limit, objects are only counted.
    if (++count <= maxEvents) found.push(part);
    yield null;
  }
  if (count > maxEvents) throw tooManyEvents(maxEvents, count);
  return found;
}

interface ReadObject {
  readonly shared: SharedFacts;
  readonly event: SentEvent;
}

function sharedBy(service: string | null): SharedFacts {
  return { attributes: new Map(), records: [], source: null, service };
}

/** Fields in order of precedence: `fields`, those of an event that is an object, then `host`, `source` and others. */
function readEvent({ members }: JsonObject, isSource: IsSource): ReadObject {
  const event = members.get('event');
  if (event === undefined || event.token === Token.null)
    throw new RecordRefusal('no_event', 'the field "event" is missing');
  if (event.token === Token.string && event.text === '')
    throw new RecordRefusal('blank_event', 'the field "event" is blank');
  const ofEvent = new Map(event.token === Token.object ? event.members : []);
  const message = event.token === Token.object ? takeMessage(ofEvent, event) : messageOf(event);
  const fields = new Map(fieldsOf(members.get('fields')));
  for (const [name, value] of ofEvent) if (!fields.has(name)) fields.set(name, value);
  const named = takeSource(fields);
  for (const name of ['host', ...NAMING_KEYS]) {
    const value = members.get(name);
    if (value !== undefined && !fields.has(name)) fields.set(name, value);
  }
  const names = NAMING_KEYS.map((key) => textOf(members.get(key)));
  const source = named ?? names.find((name) => name !== null && isSource(name)) ?? null;
  const time = members.get('time');
  return {
    shared: sharedBy(names.find((name) => name !== null) ?? null),
    event: { id: null, nanos: null, time, message, fields, source },
  };
}

function messageOf(event: JsonNode): string {
  return event.token === Token.array || event.token === Token.object ? writeJsonTree(event) : event.text;
}

function fieldsOf(node: JsonNode | undefined): Iterable<readonly [string, JsonNode]> {
  if (node === undefined || node.token === Token.null) return [];
  if (node.token !== Token.object) throw new RecordRefusal('not_an_object', '"fields" must be an object');
  return node.members;
}
