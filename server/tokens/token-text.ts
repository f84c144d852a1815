/** The text of an access token: made, taken apart, recognised. */
import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { TOKEN_PATTERN } from '#contract/token';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export interface TokenParts {
  readonly id: string;
  readonly secret: string;
}

/** 43 characters of 62 hold 256 bits. */
export function createSecret(): string {
  return randomText(43);
}

export function createTokenId(): string {
  return randomText(8);
}

export function formatToken({ id, secret }: TokenParts): string {
  const body = `lqe_${id}_${secret}`;
  return `${body}_${checksum(body)}`;
}

/** @returns null when the form or the checksum is wrong: such a text was never a token of ours. */
export function parseToken(text: string): TokenParts | null {
  const match = TOKEN_PATTERN.exec(text);
  if (!match || checksum(text.slice(0, -7)) !== match[3]) return null;
  return { id: match[1]!, secret: match[2]! };
}

/** Each character as itself or as a percent escape, which may be escaped again any number of times (`%5F`, `%255f`, `%25255f`). */
const UNIT = '(?:[0-9a-z_-]|%(?:25)*[2-7][0-9a-f])';
const UNDERSCORE = '(?:_|%(?:25)*5f)';
const START = `(?:l|%(?:25)*[46]c)(?:q|%(?:25)*[57]1)(?:e|%(?:25)*[46]5)${UNDERSCORE}${UNIT}{8}${UNDERSCORE}`;
const WHOLE = new RegExp(`${START}${UNIT}{40}`, 'i');
/** A part that was cut off is hidden, too: from the eighth character of the secret on. */
const ANY_PART = new RegExp(`${START}${UNIT}{8,}`, 'gi');

/** Whether a text holds what could be a token, with or without a right checksum, in any letter case, escaped or not. */
export function holdsTokenText(text: string): boolean {
  return WHOLE.test(text);
}

/** The text without its tokens: for everything that is logged or sent back and may repeat words of a caller. */
export function hideTokenTexts(text: string): string {
  return text.replace(ANY_PART, HIDDEN_TOKEN);
}

const HIDDEN_TOKEN = 'lqe_[hidden]';

function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let place = 0; place < 6; place += 1) {
    text = ALPHABET[rest % 62]! + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

function randomText(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
