/** A sent event as an entry of its source: the JSON object that the store reads. */
import type { Source } from '#contract/source';
import { Token } from '../json/json-token';
import { type JsonNode, jsonString, writeJsonTree } from '../json/json-tree';
import { placeFields } from './place-fields';
import type { SentEvent, SharedFacts } from './sent-event';

/**
 * Own columns of the source come from a field of that name, or else from what the group says. So do fields that the source declares: where
 * queries look for them does not depend on where a shipper puts them.
 */
export function writeEntry(source: Source, event: SentEvent, shared: SharedFacts): string {
  const { fields } = event;
  const entry = new Map<string, JsonNode>();
  if (event.id !== null) entry.set('id', jsonString(event.id));
  if (event.nanos !== null) entry.set('timestamp', jsonString(isoTime(event.nanos)));
  if (event.message !== null) entry.set('event_message', jsonString(event.message));
  for (const column of Object.keys(source.columns)) {
    const value = fields.get(column) ?? shared.attributes.get(column);
    if (value !== undefined) entry.set(column, value);
    fields.delete(column);
  }
  for (const [name, value] of shared.attributes)
    if (Object.hasOwn(source.fields, name) && !fields.has(name)) fields.set(name, value);
  entry.set('metadata', { token: Token.object, members: placeBeside(fields, shared.records) });
  return writeJsonTree({ token: Token.object, members: entry });
}

/** What the group shares stands beside the fields of the event, or among them where they have the same name. */
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

/** RFC 3339 in UTC with microseconds, which is what is kept. */
function isoTime(nanos: bigint): string {
  const micros = nanos / NANOS_PER_MICRO;
  const millis = new Date(Number(micros / MICROS_PER_MILLI)).toISOString().slice(0, -1);
  return `${millis}${String(micros % MICROS_PER_MILLI).padStart(3, '0')}Z`;
}
