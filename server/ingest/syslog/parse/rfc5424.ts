/** RFC 5424: `VERSION TIMESTAMP HOSTNAME APP-NAME PROCID MSGID STRUCTURED-DATA MSG`, after the priority. */
import type { Header, StructuredData } from './message';
import { readStructuredData } from './structured-data';
import { readRfc3339, type TimeContext } from './times';

interface ReadMessage {
  readonly header: Header;
  readonly structuredData: StructuredData;
  readonly text: string;
}

const VERSION = '1 ';
/** Longer texts than those of the RFC are taken: Docker's ids and names of pods are longer than 48 characters. */
const FIELD = /([^ ]{1,255})(?: |$)/y;
const NIL = '-';
const NOTHING: StructuredData = new Map();

/** @param start offset of the version @returns null when the header is not that of RFC 5424 */
export function readRfc5424(text: string, start: number, { zone }: TimeContext): ReadMessage | null {
  if (!text.startsWith(VERSION, start)) return null;
  let at = start + VERSION.length;
  let nanos: bigint | null = null;
  if (text.startsWith('- ', at)) at += 2;
  else {
    const time = readRfc3339(text, at, zone, true);
    if (time === null || text[time.end] !== ' ') return null;
    nanos = time.nanos;
    at = time.end + 1;
  }
  const fields: (string | null)[] = [];
  while (fields.length < 4) {
    FIELD.lastIndex = at;
    const match = FIELD.exec(text);
    if (match === null) return null;
    fields.push(match[1] === NIL ? null : match[1]!);
    at = FIELD.lastIndex;
  }
  const [hostname = null, appName = null, procid = null, msgid = null] = fields;
  const header: Header = { nanos, hostname, appName, procid, msgid };
  if (text[at] === NIL && (at + 1 === text.length || text[at + 1] === ' '))
    return { header, structuredData: NOTHING, text: withoutMark(text.slice(at + 2)) };
  // Logplex and others leave the structured data out.
  const data = readStructuredData(text, at);
  if (data === null) return { header, structuredData: NOTHING, text: withoutMark(text.slice(at)) };
  return { header, structuredData: data.data, text: withoutMark(text.slice(data.end + 1)) };
}

/** Removes the byte order mark, which says that the text is UTF-8. */
function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}
