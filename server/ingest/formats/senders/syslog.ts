/**
 * Syslog messages in the body of a request, as Heroku's drains send them: each behind its length [RFC 6587], or one a
 * line.
 */
import { MAX_ENTRY_BYTES } from '#contract/events/source';
import { decodeMessage, parseMessage } from '../../syslog/parse/parse-message';
import type { TimeContext } from '../../syslog/parse/times';
import { type RecordRefusal, tooLarge } from '../record-refusal';
import type { EventStream, SentEvent, SharedFacts } from '../events/sent-event';
import { tooManyEvents } from '../slice-list';
import { syslogFields } from '../syslog-fields';

const NOTHING_SHARED: SharedFacts = { attributes: new Map(), records: [], source: null, service: null };

/** @throws ServiceError `body_too_large` */
export function* readSyslog(body: Buffer, maxEvents: number, context: TimeContext): EventStream {
  let count = 0;
  for (let at = 0; at < body.length;) {
    if (DELIMITERS.has(body[at]!)) {
      at++;
      if (at % TURN_BYTES === 0) yield null;
      continue;
    }
    if (++count > maxEvents) throw tooManyEvents(maxEvents, null);
    const { start, end } = frameAt(body, at);
    at = end;
    yield { shared: NOTHING_SHARED, event: readMessage(body.subarray(start, end), context) };
  }
}

const TURN_BYTES = 65_536;
const DELIMITERS: ReadonlySet<number> = new Set([0x00, 0x0a, 0x0d, 0x20]);
/** A longer number is no length, but the beginning of a line. */
const LENGTH = /^([1-9]\d{0,9}) </;

function frameAt(body: Buffer, at: number): { readonly start: number; readonly end: number } {
  const length = LENGTH.exec(body.toString('latin1', at, at + 12))?.[1];
  const start = at + (length === undefined ? 0 : length.length + 1);
  // The last message ends with the body, also where its length is larger.
  if (length !== undefined) return { start, end: Math.min(body.length, start + Number(length)) };
  const newline = body.indexOf(0x0a, at);
  return { start, end: newline < 0 ? body.length : newline };
}

function readMessage(bytes: Buffer, context: TimeContext): SentEvent | RecordRefusal {
  if (bytes.length > MAX_ENTRY_BYTES) return tooLarge();
  const message = parseMessage(decodeMessage(bytes).text, context);
  return { id: null, nanos: message.nanos, message: message.text, fields: syslogFields(message), source: null };
}
