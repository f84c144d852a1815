/** Decodes bytes and percent escapes strictly: invalid UTF-8 and NUL are refused, not repaired. */
import { isUtf8 } from 'node:buffer';
import { ServiceError } from '#contract/errors';

/**
 * Decodes the body of a request, without the byte order mark that some programs write at the start of a file.
 * @throws ServiceError `encoding_invalid`
 */
export function decodeBody(bytes: Buffer): string {
  const text = decode(bytes, 'The request body');
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

const BYTE_ORDER_MARK = '\ufeff';

function decode(bytes: Buffer, what: string): string {
  if (!isUtf8(bytes)) throw new ServiceError('encoding_invalid', `${what} is not valid UTF-8.`);
  return ensureNoNul(bytes.toString('utf8'), what);
}

export function ensureNoNul(text: string, what: string): string {
  if (text.includes('\0')) throw new ServiceError('encoding_invalid', `${what} holds a NUL character.`);
  return text;
}

/** Refuses unpaired surrogates such as `"\ud800"` in JSON: they have no UTF-8 encoding. */
export function ensureWellFormed(text: string, what: string): string {
  if (/\p{Surrogate}/u.test(text))
    throw new ServiceError('encoding_invalid', `${what} holds half of a surrogate pair.`);
  return ensureNoNul(text, what);
}

/** Decodes a path segment: `%41` is a byte, `+` is a plus. */
export function decodePathSegment(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new ServiceError('encoding_invalid', 'The path holds a "%" that does not start an escape of valid UTF-8.');
  }
}

const PERCENT = 0x25;
const PLUS = 0x2b;
const BLANK = 0x20;

/** ASCII text without escapes, as most names and values are. */
const LITERAL = /^[!-$&-*,-~]*$/;

/**
 * Decodes a part of a query string: `+` is a space, `%41` a byte.
 *
 * @param text from a request target, in which each character is one byte
 */
export function decodeQueryText(text: string): string {
  if (LITERAL.test(text)) return text;
  const bytes = Buffer.from(text, 'latin1');
  const decoded = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    let byte = bytes[at]!;
    if (byte === PLUS) byte = BLANK;
    else if (byte === PERCENT) {
      const digits = text.slice(at + 1, at + 3);
      if (!/^[0-9A-Fa-f]{2}$/.test(digits))
        throw new ServiceError(
          'encoding_invalid',
          'The query string holds a "%" that does not start an escape like "%41".'
        );
      byte = parseInt(digits, 16);
      at += 2;
    }
    decoded[length] = byte;
    length += 1;
  }
  // A mark at the start of a value is a character of it.
  return decode(decoded.subarray(0, length), 'The query string');
}
