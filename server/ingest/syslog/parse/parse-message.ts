/** Reads a syslog message of any form. What cannot be read stays in the text, so nothing of a message is lost. */
import { isUtf8 } from 'node:buffer';
import { type Header, NO_HEADER, type StructuredData, type SyslogMessage } from './message';
import { readPriority } from './priority';
import { readRfc3164 } from './rfc3164';
import { readRfc5424 } from './rfc5424';
import type { TimeContext } from './times';

const NOTHING: StructuredData = new Map();

export function parseMessage(text: string, context: TimeContext): SyslogMessage {
  const priority = readPriority(text);
  if (priority === null) return message('unparsed', null, NO_HEADER, text);
  const { value, end } = priority;
  const modern = readRfc5424(text, end, context);
  if (modern !== null) {
    const { header, structuredData } = modern;
    return { form: 'rfc5424', priority: value, ...header, structuredData, text: modern.text };
  }
  const old = readRfc3164(text, end, context);
  if (old !== null) return message('rfc3164', value, old.header, old.text);
  return message('bare', value, NO_HEADER, text.slice(end));
}

function message(form: SyslogMessage['form'], priority: number | null, header: Header, text: string): SyslogMessage {
  return { form, priority, ...header, structuredData: NOTHING, text };
}

const NUL = '\0';
const REPLACEMENT = '\ufffd';
/** Line ends, and the NUL that C programs and Python's handler send behind a text. */
const TRAILER = /[\r\n\0]$/;

/**
 * Decodes the bytes of a message, without trailing line ends and NULs. What is not UTF-8, and a NUL, which no store
 * keeps, becomes U+FFFD.
 */
export function decodeMessage(bytes: Buffer): { readonly text: string; readonly isIntact: boolean } {
  let end = bytes.length;
  while (end > 0 && TRAILER.test(String.fromCharCode(bytes[end - 1]!))) end--;
  const kept = bytes.subarray(0, end);
  const text = kept.toString('utf8');
  const isIntact = isUtf8(kept) && !text.includes(NUL);
  // Half the time of `replaceAll` for a megabyte of NULs.
  return { text: text.includes(NUL) ? text.split(NUL).join(REPLACEMENT) : text, isIntact };
}
