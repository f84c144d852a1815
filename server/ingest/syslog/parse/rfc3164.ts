/**
 * RFC 3164, `TIMESTAMP HOSTNAME TAG[PID]: MSG` after the priority, and what devices send in its place: other times, no
 * host, and the messages of Cisco's systems, `SEQUENCE: HOST: *TIMESTAMP ZONE: %FACILITY-SEVERITY-MNEMONIC: TEXT` and
 * of IOS XR `SEQUENCE: HOST NODE:TIMESTAMP ZONE: PROCESS[PID]: %FACILITY-SEVERITY-MNEMONIC : TEXT`.
 */
import type { Header } from './message';
import { NO_HEADER } from './message';
import { type TimeZone, timeZoneOf } from './time-zone';
import { readEpoch, readMonthFirst, readRfc3339, type ReadTime, type TimeContext } from './times';

interface ReadMessage {
  readonly header: Header;
  readonly text: string;
}

/**
 * What Cisco's systems write before the time: the count of messages, the name of the host that some set, and the
 * sequence number. IOS may have both numbers; the EMBLEM format of ASA begins with a colon.
 */
const CISCO_START =
  /(?::(?: |(?=[A-Z])))?(?:\d{1,12}: ){0,2}(?:((?!\d+:)[\w.-]{1,255}|[\dA-Fa-f.:]{3,45}): (?:\d{1,12}: )?)?[*.]?(?=[A-Z\d])/y;
/** A zone by its abbreviation. Only UTC is unambiguous; others are left to the zone of the listener. */
const ZONE = / (?:(UTC|GMT)|[A-Z]{1,5}(?=: %))(?=:)/y;
const UTC: TimeZone = { toUtcMs: (localMs) => localMs };
/**
 * What IOS XR writes before the time. The node is a card of the router, such as `RP/0/RSP0/CPU0` and `0/RP0/ADMIN0`.
 */
const XR_START =
  /(?:\d{1,12}: )?(?:([\w.-]{1,255}):? )?((?:[A-Z]{2,3}\/)?\d{1,3}\/[A-Z\d]{1,6}\/[A-Z]{1,8}\d{0,3}): ?[*.]?/y;
/** Zones without an abbreviation are written as their offset. */
const XR_ZONE = /(?: (?:(UTC|GMT)|([+-]\d{2}):?(\d{2})?|[A-Za-z]{1,5}))? ?: /y;
const VERSION_OF_EPOCH = /(?:1 )?(?=\d{10}\.)/y;
/** A name of a program that is followed by its process, by a colon, or by both. */
const TAG = /([^\s:[\]]{1,255})(?:\[([^\s\]]{0,128})\](?:: ?| |$)|:(?: |$))/y;
const HOST = /([^\s[\]]{1,255}) +(?=[^\s])/y;
/** The EMBLEM format has the class of the message in lower case: `%ASA-session-6-302013`. */
const CISCO_MNEMONIC = /:? ?(%[A-Z][A-Z\d_]*(?:-[A-Za-z\d_]+)*-[0-7]-[A-Z\d_]+)(?= ?:)/y;

/** @param start offset after the priority @returns null when there is no header */
export function readRfc3164(text: string, start: number, context: TimeContext): ReadMessage | null {
  const stamped = readStamp(text, start, context);
  if (stamped === null) return readIosXr(text, start, context) ?? readUnstamped(text, start);
  let { hostname } = stamped;
  let at = passBlanks(text, stamped.end);
  const nanos = stamped.nanos;
  if (hostname === null && match(TAG, text, at) === null && match(CISCO_MNEMONIC, text, at) === null) {
    const host = match(HOST, text, at);
    if (host !== null) {
      hostname = host.groups[0]!;
      at = host.end;
    }
  }
  return readContent(text, at, { ...NO_HEADER, nanos, hostname });
}

/** The node stays in the text: no field of a header is made for it, and a router has several. */
function readIosXr(text: string, start: number, context: TimeContext): ReadMessage | null {
  const lead = match(XR_START, text, start);
  const time = lead === null ? null : readAnyTime(text, lead.end, context);
  const zone = time === null ? null : match(XR_ZONE, text, time.end);
  if (lead === null || time === null || zone === null) return null;
  const [utc, hours, minutes = '00'] = zone.groups;
  const written = utc !== undefined ? UTC : hours === undefined ? null : timeZoneOf(`${hours}:${minutes}`);
  const { nanos } = written === null ? time : readAnyTime(text, lead.end, { ...context, zone: written })!;
  const [hostname = null, node] = lead.groups;
  const process = match(CISCO_MNEMONIC, text, zone.end) === null ? match(TAG, text, zone.end) : null;
  const at = process?.end ?? zone.end;
  if (match(CISCO_MNEMONIC, text, at) === null) return null;
  const [appName = null, procid = ''] = process?.groups ?? [];
  const read = readContent(text, at, { ...NO_HEADER, nanos, hostname, appName, procid: procid === '' ? null : procid });
  return { ...read, text: `${node}: ${read.text}` };
}

/** Without a time, only a process in brackets and Cisco's mnemonics are no part of a sentence. */
function readUnstamped(text: string, start: number): ReadMessage | null {
  const tag = match(TAG, text, start);
  const isProgram = tag !== null && tag.groups[1] !== undefined;
  if (!isProgram && match(CISCO_MNEMONIC, text, start) === null) return null;
  return readContent(text, start, NO_HEADER);
}

interface Stamp {
  readonly nanos: bigint;
  readonly hostname: string | null;
  readonly end: number;
}

function readStamp(text: string, start: number, context: TimeContext): Stamp | null {
  const stamp = readZoned(text, start, context);
  if (stamp !== null) return { ...stamp, hostname: null };
  const epoch = match(VERSION_OF_EPOCH, text, start);
  const seconds = epoch === null ? null : readEpoch(text, epoch.end);
  if (seconds !== null) return { ...seconds, hostname: null };
  const lead = match(CISCO_START, text, start);
  const after = lead === null ? null : readZoned(text, lead.end, context);
  return after === null ? null : { ...after, hostname: lead!.groups[0] ?? null };
}

/** Reads a time, and the zone and the colon after it where they are there. */
function readZoned(text: string, start: number, context: TimeContext): ReadTime | null {
  const time = readAnyTime(text, start, context);
  if (time === null) return null;
  const zone = match(ZONE, text, time.end);
  if (zone === null) return text[time.end] === ':' ? { ...time, end: time.end + 1 } : time;
  const { nanos } = zone.groups[0] === undefined ? time : readAnyTime(text, start, { ...context, zone: UTC })!;
  return { nanos, end: zone.end + 1 };
}

function readAnyTime(text: string, start: number, context: TimeContext): ReadTime | null {
  return readMonthFirst(text, start, context) ?? readRfc3339(text, start, context.zone, false);
}

function readContent(text: string, start: number, header: Header): ReadMessage {
  const mnemonic = match(CISCO_MNEMONIC, text, start);
  if (mnemonic !== null) {
    const [name = ''] = mnemonic.groups;
    return { header: { ...header, msgid: name.slice(1) }, text: text.slice(mnemonic.end - name.length) };
  }
  const tag = match(TAG, text, start);
  if (tag === null) return { header, text: text.slice(start) };
  const [appName = null, procid = null] = tag.groups;
  return { header: { ...header, appName, procid: procid === '' ? null : procid }, text: text.slice(tag.end) };
}

function passBlanks(text: string, start: number): number {
  let at = start;
  while (text[at] === ' ') at++;
  return at;
}

interface Match {
  readonly groups: readonly (string | undefined)[];
  readonly end: number;
}

function match(pattern: RegExp, text: string, at: number): Match | null {
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  return found === null ? null : { groups: found.slice(1), end: pattern.lastIndex };
}
