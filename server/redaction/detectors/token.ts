/**
 * Credentials that show by their form: those of known makers, JSON web tokens, private keys, what follows `Bearer` and `Basic`, and the user name
 * and password of a URL. The words around a find stay.
 */
import type { Detector, Report } from '../detector';
import { BLANK } from '../escapes';
import { KEY_BLOCK, TOKEN_HINT, TOKEN_SHAPES } from './token-shapes';

/** A prefix begins a word, or comes right after an escape: `task-…` holds no `sk-…`. */
const SHAPES = new RegExp(`(?:(?<![0-9A-Za-z])|(?<=\\\\[bfnrt]|%[2-7][0-9A-Fa-f]))(?:${TOKEN_SHAPES})`, 'g');
const KEY_BLOCKS = new RegExp(KEY_BLOCK, 'g');

const SCHEME = `(?:[Bb]earer|BEARER|[Bb]asic|BASIC)(?:${BLANK}|\\+|%20){1,4}`;
const CREDENTIAL = '[0-9A-Za-z._~+/-]';
const CREDENTIALS = new RegExp(`${SCHEME}(${CREDENTIAL}+=*)`, 'g');

/** The last `@` before the path belongs to the host, as browsers read it: `user:p@ss@host`. */
const USER_INFO = '[^\\s/@:"\'`<>\\[\\]\\\\]*:[^\\s/"\'`<>\\[\\]\\\\]+';
const URLS = new RegExp(`://(${USER_INFO})@`, 'g');
/** Without a scheme one `@` may be an e-mail address behind a label; a second one is part of a password. */
const BARE_START = '[^0-9A-Za-z._%+-]';
const BARE_USER_INFO = '[0-9A-Za-z._%+-]+:[^\\s/@:"\'`<>\\[\\]\\\\]+@[^\\s/:"\'`<>,;\\[\\]\\\\]*';
const BARE = new RegExp(`(?:^|${BARE_START})(${BARE_USER_INFO})@[0-9A-Za-z]`, 'g');

export const token: Detector = {
  kind: 'token',
  seesThroughEscapes: false,
  find: findTokens,
  source: [
    { secret: KEY_BLOCK },
    [
      { before: '://', secret: USER_INFO, after: '@' },
      { before: `(?:^|${BARE_START})`, secret: BARE_USER_INFO, after: '@[0-9A-Za-z]' },
    ],
    { secret: TOKEN_SHAPES },
    {
      before: SCHEME,
      secret: `(?:${CREDENTIAL}*(?:[0-9]|[a-z][A-Z])${CREDENTIAL}*=*|${CREDENTIAL}+=+|${CREDENTIAL}{20,})`,
    },
  ],
};

function findTokens(text: string, report: Report): void {
  if (TOKEN_HINT.test(text)) {
    for (const match of text.matchAll(SHAPES)) report(match.index, match.index + match[0].length);
  }
  if (text.includes('-----BEGIN')) {
    for (const match of text.matchAll(KEY_BLOCKS)) report(match.index, match.index + match[0].length);
  }
  if (text.includes('@')) {
    reportGroups(text, URLS, report);
    reportGroups(text, BARE, report);
  }
  reportGroups(text, CREDENTIALS, report, isCredential);
}

/** The one group of each match; whatever follows it is known to the pattern. */
function reportGroups(text: string, pattern: RegExp, report: Report, isWanted?: (secret: string) => boolean): void {
  for (const match of text.matchAll(pattern)) {
    const secret = match[1] as string;
    const start = match.index + match[0].lastIndexOf(secret);
    if (isWanted === undefined || isWanted(secret)) report(start, start + secret.length);
  }
}

/** `Bearer of news` and `Basic authentication` are words. */
function isCredential(secret: string): boolean {
  return secret.length >= 8 && (/[0-9=]|[a-z][A-Z]/.test(secret) || secret.length >= 20);
}
