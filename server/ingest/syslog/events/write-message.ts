/** Writes a syslog message as an entry of its source. */
import type { Source } from '#contract/events/source';
import { jsonString } from '../../../common/json/json-tree';
import type { SharedFacts } from '../../formats/events/sent-event';
import { syslogFields } from '../../formats/syslog-fields';
import { writeEntry } from '../../formats/events/write-entry';
import type { SyslogMessage } from '../parse/message';

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
  const { nanos, text } = message;
  const fields = syslogFields(message);
  const set = (name: string, value: string): void => void fields.set(name, jsonString(value));
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
