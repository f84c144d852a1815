/**
 * Credentials identified by a preceding name: `password=…`, `"api_key":"…"`, `Authorization: Token …`, `Cookie: sid=…`,
 * `X-Amz-Signature=…`. Quotes may be escaped, as in JSON inside a JSON text. The name is kept.
 *
 * Not a credential: unquoted values of fewer than six characters without a digit; words of messages (`password:
 * required`); flags; values that are masked already.
 */
import { replacementOf, type Detector, type Report } from '../detector';
import { QUOTE_AFTER_NAME } from '../escapes';
import { QUOTES, quotePatterns } from '../quotes';
import { ASSIGNED, CLEAR_SECRET, PLAIN_SECRET, SIGNATURE_SIGN } from '../secret-names';
import { CHARACTER, FINAL_VALUES, OTHER_SCHEME, SCHEME } from '../secret-values';
import { namedSecretPatterns } from './named-secret-patterns';

const SIGNATURE = '[0-9a-z%+/=_-]{16,}';

const HEAD = new RegExp(
  `(?:${CLEAR_SECRET}|(${PLAIN_SECRET}))${ASSIGNED}(?:(\\\\{0,3})(["']))?|(${SIGNATURE_SIGN}${QUOTE_AFTER_NAME})`,
  'gi'
);
/** Cheap test that every name passes. */
const HINT = /pass(?:w|phr)|pwd|key|secret|token|cookie|authorization|sig(?:nature)?(?:=|%3d)/i;

const sticky = (pattern: string): RegExp => new RegExp(pattern, 'iy');
const VALUE = sticky(`(?=${CHARACTER})${FINAL_VALUES.plain}`);
const COOKIES = sticky(FINAL_VALUES.cookies);
const AFTER_SCHEME = sticky(SCHEME);
const PARAMETERS = sticky(FINAL_VALUES.parameters);
const AFTER_OTHER_SCHEME = sticky(OTHER_SCHEME);
const OTHER_PARAMETERS = sticky(FINAL_VALUES.otherParameters);
const SIGNATURES = sticky(SIGNATURE);
const QUOTED = new Map(
  QUOTES.map(({ quote, depth }) => [`${depth}${quote}`, sticky(`${quotePatterns(quote, depth, 'text').unit}+`)])
);

const MASKED =
  /^(?:\*+|x{3,}|\.{3}|(?:\[|<|\()?(?:filtered|redacted|masked|hidden|secret|removed)(?:\]|>|\))?|\[REDACTED:[a-z]+\]|null|nil|none|undefined|true|false)$/i;
const WORD =
  /^(?:access|auth|authentication|authorization|authorized|bearer|cannot|change|changed|check|cookies?|correct|credentials?|denied|disabled|does|empty|enabled|error|expired|failed|failure|format|granted|header|incorrect|invalid|issued|length|login|match|mismatch|missing|must|needed|never|not|optional|password|provided|received|refreshed|rejected|required|reset|revoked|secure|should|specified|strength|string|unknown|unset|updated|user|using|valid|validated|validation|verified|was|weak|were|will|with|without|wrong)[.:!?]*$/i;
/** Messages of parsers such as "Unexpected token: }". */
const PARSER_BEFORE = /(?:un|)expected (?:\w{1,16} )?$|illegal $/i;
const LEAD = 32;
const HIDDEN = replacementOf('token');
/**
 * What replacements left of a cookie: its name, and its value with or without the text behind; or two replacements and
 * the text behind, when a quote ended the first.
 */
const LEFTOVER = /^\[REDACTED:[a-z]+\](?:(?:\[REDACTED:[a-z]+\])+=[^=;]*|[^=]*=["'\\]*(?:\[REDACTED:[a-z]+\][^=;]*)?)$/;
/** A working directory is also called `pwd`. */
const DIRECTORY = /^(?:[/~]|[a-z]:)/i;
const MAX_DIRECTORY = 256;

export const namedSecret: Detector = {
  kind: 'token',
  seesThroughEscapes: false,
  find: findNamedSecrets,
  source: namedSecretPatterns(),
};

function findNamedSecrets(text: string, report: Report): void {
  if (!HINT.test(text)) return;
  HEAD.lastIndex = 0;
  for (let head = HEAD.exec(text); head !== null; head = HEAD.exec(text)) {
    const at = HEAD.lastIndex;
    const secret = secretAfter(text, head, at);
    if (secret === undefined) continue;
    report(secret.start, secret.end);
    HEAD.lastIndex = secret.end;
  }
}

function secretAfter(text: string, head: RegExpExecArray, at: number): { start: number; end: number } | undefined {
  const [name, plain, slashes, quote, signature] = head;
  if (signature !== undefined) return matchAt(SIGNATURES, text, at);
  if (plain !== undefined && PARSER_BEFORE.test(text.slice(Math.max(0, head.index - LEAD), head.index))) {
    return undefined;
  }
  if (quote !== undefined) {
    // A later replacement may have removed the closing quote; the rest is not a new find.
    if (text.startsWith(HIDDEN, at)) return undefined;
    const pattern = QUOTED.get(`${slashes?.length ?? 0}${quote}`);
    const found = pattern && matchAt(pattern, text, at);
    return found && !isMasked(text, found) ? found : undefined;
  }
  if (/^cookie/i.test(name)) {
    const found = matchAt(COOKIES, text, at);
    if (found !== undefined) return LEFTOVER.test(text.slice(found.start, found.end)) ? undefined : found;
  }
  if (/^authorization/i.test(name)) {
    const scheme = matchAt(AFTER_SCHEME, text, at);
    if (scheme !== undefined) {
      // A scheme alone is not a credential: a store has replaced the credential, or there was none.
      const found = matchAt(PARAMETERS, text, scheme.end) ?? matchAt(VALUE, text, scheme.end);
      return found && !isWord(text.slice(found.start, found.end)) ? found : undefined;
    }
    const other = matchAt(AFTER_OTHER_SCHEME, text, at);
    if (other !== undefined && !isWord(text.slice(at, other.end))) {
      // The scheme is hidden too: it may be a token, followed by unrelated parameters.
      const found = matchAt(OTHER_PARAMETERS, text, other.end);
      if (found !== undefined) return { start: at, end: found.end };
    }
  }
  const found = matchAt(VALUE, text, at);
  return found && isSecret(text.slice(found.start, found.end), name, plain !== undefined) ? found : undefined;
}

function matchAt(pattern: RegExp, text: string, at: number): { start: number; end: number } | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? { start: at, end: pattern.lastIndex } : undefined;
}

function isMasked(text: string, { start, end }: { start: number; end: number }): boolean {
  return end - start <= LEAD && MASKED.test(text.slice(start, end));
}

/**
 * Longer values are not words. This bounds the length of values that are skipped, and thereby keeps the search linear.
 */
function isWord(value: string): boolean {
  return value.length <= LEAD && (WORD.test(value) || MASKED.test(value));
}

/**
 * Whether an unquoted value is a credential. After a colon, a plain name (`token: …`) is as often prose as an
 * assignment.
 */
function isSecret(value: string, name: string, isPlain: boolean): boolean {
  if (isWord(value)) return false;
  if (value.length <= MAX_DIRECTORY && /^pwd/i.test(name) && DIRECTORY.test(value)) return false;
  if (!isPlain) return value.length >= 6 || (value.length >= 3 && /[0-9]/.test(value));
  if (value.length < 6) return false;
  return !name.includes(':') || value.length >= 20 || /[0-9]|[a-z][A-Z]|[^A-Za-z.]/.test(value);
}
