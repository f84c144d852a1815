/** Creates, parses and recognizes the text of access tokens. */
import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { TOKEN_PATTERN } from '#contract/tokens/token';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export interface TokenParts {
  readonly id: string;
  readonly secret: string;
}

/** 43 characters of a 62-letter alphabet: 256 bits. */
export function createSecret(): string {
  return randomText(43);
}

/** Bytes from here on would make some characters more likely than others. */
const UNBIASED_BYTES = 256 - (256 % 62);

/** A secret from uniformly distributed bytes: the same for the same bytes. @param bytes of each round, from 0 */
export function secretOfBytes(bytes: (round: number) => Uint8Array): string {
  let text = '';
  for (let round = 0; text.length < 43; round += 1)
    for (const byte of bytes(round)) if (byte < UNBIASED_BYTES && text.length < 43) text += ALPHABET[byte % 62]!;
  return text;
}

export function createTokenId(): string {
  return randomText(8);
}

export function formatToken({ id, secret }: TokenParts): string {
  const body = `lqe_${id}_${secret}`;
  return `${body}_${checksum(body)}`;
}

/** @returns null when the form or the checksum is wrong; the service never issued such a token */
export function parseToken(text: string): TokenParts | null {
  const match = TOKEN_PATTERN.exec(text);
  if (!match || checksum(text.slice(0, -7)) !== match[3]) return null;
  return { id: match[1]!, secret: match[2]! };
}

/** A character or its percent escape, escaped any number of times (`%5F`, `%255f`, `%25255f`). */
const UNIT = '(?:[0-9a-z_-]|%(?:25)*[2-7][0-9a-f])';
const UNDERSCORE = '(?:_|%(?:25)*5f)';
const START = `(?:l|%(?:25)*[46]c)(?:q|%(?:25)*[57]1)(?:e|%(?:25)*[46]5)${UNDERSCORE}${UNIT}{8}${UNDERSCORE}`;
const WHOLE = new RegExp(`${START}${UNIT}{40}`, 'i');
/** Also matches truncated tokens with at least eight characters of the secret. */
const ANY_PART = new RegExp(`${START}${UNIT}{8,}`, 'gi');

/** Whether the text contains a possible token, in any letter case, escaped or not. The checksum is not verified. */
export function holdsTokenText(text: string): boolean {
  return WHOLE.test(text);
}

/** Replaces tokens, for text that is logged or returned and may repeat the caller's input. */
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
