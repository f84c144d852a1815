/** Writes a syslog message as an entry of its source. */
import type { Source } from '#contract/source';
import { Token } from '../../formats/json/json-token';
import { type JsonNode, jsonString } from '../../formats/json/json-tree';
import type { SharedFacts } from '../../formats/sent-event';
import { writeEntry } from '../../formats/write-entry';
import type { StructuredData, SyslogMessage } from '../parse/message';
import { priorityNames } from '../parse/priority';

export interface Arrival {
  readonly nowMs: number;
  /** Address that the message came from. */
  readonly sender: string;
}

const NOTHING_SHARED: SharedFacts = { attributes: new Map(), records: [], source: null, service: null };
const NANOS_PER_MS = 1_000_000n;
const DAY_MS = 86_400_000;
/** Stores refuse a time that is too far away by their own clock: an hour more for a batch that has to wait. */
const MARGIN_MS = 3_600_000;

/**
 * A time that the source would refuse, of a clock that is not set, becomes the time of arrival, and stays as
 * `sent_time`: a syslog sender gets no answer and would not know that its messages are refused.
 *
 * @returns a line of JSON
 */
export function writeMessage(source: Source, message: SyslogMessage, { nowMs, sender }: Arrival): Buffer {
  const { priority, nanos, hostname, appName, procid, msgid, structuredData, text } = message;
  const fields = new Map<string, JsonNode>();
  const set = (name: string, value: string | null): void => {
    if (value !== null) fields.set(name, jsonString(value));
  };
  set('hostname', hostname);
  set('app_name', appName);
  set('procid', procid);
  set('msgid', msgid);
  const names = priority === null ? null : priorityNames(priority);
  if (names !== null) {
    set('facility', names.facility);
    set('severity', names.severity);
    set('level', names.level);
  }
  if (structuredData.size > 0) fields.set('structured_data', nodeOf(structuredData));
  set('sender', sender);
  const isKept = nanos !== null && isNear(Number(nanos / NANOS_PER_MS), nowMs, source);
  if (nanos !== null && !isKept) set('sent_time', new Date(Number(nanos / NANOS_PER_MS)).toISOString());
  const time = isKept ? nanos : BigInt(Math.floor(nowMs)) * NANOS_PER_MS;
  const event = { id: null, nanos: time, message: text, fields, source: null };
  return Buffer.from(`${writeEntry(source, event, NOTHING_SHARED)}\n`);
}

function isNear(ms: number, nowMs: number, { retention_days: days }: Source): boolean {
  return ms > nowMs - days * DAY_MS + MARGIN_MS && ms <= nowMs + DAY_MS;
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
