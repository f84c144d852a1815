/** Writes a sent event as an entry of its source: the JSON object that the store reads. */
import { type Source, tenantPlaceOf } from '#contract/events/source';
import { Token } from '../../../common/json/json-token';
import { type JsonNode, jsonString, writeJsonTree } from '../../../common/json/json-tree';
import { placeFields } from './place-fields';
import type { SentEvent, SharedFacts } from './sent-event';

/**
 * Own columns of the source and its tenant come from the group, otherwise from a field of that name: a label of the
 * sender outranks the line's own fields. An outranked field stays in metadata. Other declared fields come from the
 * event first: queries find them at the same path wherever a shipper puts them.
 * A field that is a record or a list stays in metadata, since no column takes it.
 */
export function writeEntry(source: Source, event: SentEvent, shared: SharedFacts): string {
  const { fields } = event;
  const entry = new Map<string, JsonNode>();
  if (event.id !== null) entry.set('id', jsonString(event.id));
  if (event.nanos !== null) entry.set('timestamp', jsonString(isoTime(event.nanos)));
  else if (event.time !== undefined) entry.set('timestamp', event.time);
  if (event.message !== null) entry.set('event_message', jsonString(event.message));
  for (const column of Object.keys(source.columns)) {
    const outranking = shared.attributes.get(column);
    const value = outranking ?? fields.get(column);
    if (outranking === undefined && value !== undefined && !('text' in value)) continue;
    if (value !== undefined) entry.set(column, value);
    if (outranking === undefined || isSameText(outranking, fields.get(column))) fields.delete(column);
  }
  const tenantPath = pathOf(source);
  const tenant = tenantPath === null ? undefined : shared.attributes.get(tenantPath.join('.'));
  for (const [name, value] of shared.attributes)
    if (Object.hasOwn(source.fields, name) && !fields.has(name)) fields.set(name, value);
  const members = placeBeside(fields, shared.records);
  if (tenantPath !== null && tenant !== undefined) setPath(members, tenantPath, tenant);
  entry.set('metadata', { token: Token.object, members });
  return writeJsonTree({ token: Token.object, members: entry });
}

function pathOf(source: Source): readonly string[] | null {
  const place = tenantPlaceOf(source);
  return place !== null && 'path' in place ? place.path : null;
}

function isSameText(a: JsonNode, b: JsonNode | undefined): boolean {
  return b !== undefined && 'text' in a && 'text' in b && a.text === b.text;
}

/** Sets a value at a path and replaces values that conflict with it. */
function setPath(members: Map<string, JsonNode>, path: readonly string[], value: JsonNode): void {
  const [key, ...rest] = path;
  if (rest.length === 0) return void members.set(key!, value);
  const found = members.get(key!);
  const below = new Map(found?.token === Token.object ? found.members : []);
  setPath(below, rest, value);
  members.set(key!, { token: Token.object, members: below });
}

/** Shared records are placed next to the event's fields, or merged into fields of the same name. */
function placeBeside(fields: Map<string, JsonNode>, records: SharedFacts['records']): Map<string, JsonNode> {
  const isTaken = (name: string): boolean =>
    fields.has(name) || [...fields.keys()].some((field) => field.startsWith(`${name}.`));
  const apart = records.filter(([name]) => !isTaken(name));
  for (const [name, { members }] of records.filter(([other]) => isTaken(other)))
    for (const [key, value] of members) if (!fields.has(`${name}.${key}`)) fields.set(`${name}.${key}`, value);
  const placed = placeFields(fields);
  for (const [name, value] of apart) placed.set(name, value);
  return placed;
}

const NANOS_PER_MICRO = 1000n;
const MICROS_PER_MILLI = 1000n;

/** RFC 3339 in UTC with microseconds, the precision of the store. */
function isoTime(nanos: bigint): string {
  const micros = nanos / NANOS_PER_MICRO;
  const millis = new Date(Number(micros / MICROS_PER_MILLI)).toISOString().slice(0, -1);
  return `${millis}${String(micros % MICROS_PER_MILLI).padStart(3, '0')}Z`;
}
