/**
 * Credentials: those of known makers by their form, JSON web tokens, private keys, what follows `Bearer` and `Basic`, values that an assignment
 * calls a secret (`password=…`, `api_key=…`), and the user name and password of a URL. The words around a find stay.
 */
import type { Detector, Report } from '../detector';
import { KEY_BLOCK, TOKEN_HINT, TOKEN_SHAPES } from './token-shapes';

/** A prefix begins a word, or comes right after an escape: `task-…` holds no `sk-…`. */
const SHAPES = new RegExp(`(?:(?<![0-9A-Za-z])|(?<=\\\\[bfnrt]|%[2-7][0-9A-Fa-f]))(?:${TOKEN_SHAPES})`, 'g');
const KEY_BLOCKS = new RegExp(KEY_BLOCK, 'g');

const SCHEME = '(?:[Bb]earer|BEARER|[Bb]asic|BASIC)(?: |\\t|\\+|%20){1,4}';
const CREDENTIAL = '[0-9A-Za-z._~+/-]';
const CREDENTIALS = new RegExp(`${SCHEME}(${CREDENTIAL}+=*)`, 'g');

const SECRET_NAME =
  '(?:[Pp]assword|[Pp]asswd|PASSWORD|[Pp]wd|[Ss]ecret|SECRET|[Aa]pi[_-]?[Kk]ey|API_KEY|[Ss]ecret[_-]?[Aa]ccess[_-]?[Kk]ey|SECRET_ACCESS_KEY|[Aa]ccess[_-]?[Tt]oken|[Rr]efresh[_-]?[Tt]oken|[Ii]d[_-]?[Tt]oken|[Aa]uth[_-]?[Tt]oken|[Tt]oken|TOKEN)';
const SECRET_VALUE = '[^\\s&"\'`<>;,(){}\\[\\]\\\\]{6,}';
const ASSIGNMENTS = new RegExp(`${SECRET_NAME}(?:=|%3[dD])(${SECRET_VALUE})`, 'g');

/** The last letter of each of the names. */
const ASSIGNMENT_HINT = /[dtynDTYN](?:=|%3[dD])/;

const USER_INFO = '[^\\s/@:"\'`<>\\[\\]\\\\]*:[^\\s/@"\'`<>\\[\\]\\\\]+';
const URLS = new RegExp(`://(${USER_INFO})@`, 'g');

export const token: Detector = {
  kind: 'token',
  seesThroughEscapes: false,
  find: findTokens,
  source: [
    { secret: KEY_BLOCK },
    { before: '://', secret: USER_INFO, after: '@' },
    { secret: TOKEN_SHAPES },
    {
      before: SCHEME,
      secret: `(?:${CREDENTIAL}*(?:[0-9]|[a-z][A-Z])${CREDENTIAL}*=*|${CREDENTIAL}+=+|${CREDENTIAL}{20,})`,
    },
    { before: `${SECRET_NAME}(?:=|%3[dD])`, secret: SECRET_VALUE },
  ],
};

function findTokens(text: string, report: Report): void {
  if (TOKEN_HINT.test(text)) {
    for (const match of text.matchAll(SHAPES)) report(match.index, match.index + match[0].length);
  }
  if (text.includes('-----BEGIN')) {
    for (const match of text.matchAll(KEY_BLOCKS)) report(match.index, match.index + match[0].length);
  }
  if (text.includes('://')) reportGroups(text, URLS, report);
  reportGroups(text, CREDENTIALS, report, isCredential);
  if (ASSIGNMENT_HINT.test(text)) reportGroups(text, ASSIGNMENTS, report);
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
