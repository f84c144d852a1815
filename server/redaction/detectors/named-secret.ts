/**
 * Credentials that show by the name before them: `password=…`, `"api_key":"…"`, `Authorization: Token …`, `Cookie: sid=…`, `X-Amz-Signature=…`.
 * Quotes may be escaped, as in JSON inside a text of JSON. The name stays.
 *
 * Not a credential: values of fewer than six characters without quotes, unless a digit says otherwise; words of messages
 * (`password: required`); flags; values that are masked already.
 */
import { replacementOf, type Detector, type Report, type SourcePattern } from '../detector';
import { BLANK, QUOTE_AFTER_NAME } from '../escapes';
import { AUTHORIZATION, CLEAR_SECRET, PLAIN_SECRET, SECRET_NAME } from '../secret-names';

const BLANKS = `${BLANK}{0,8}`;
const SIGN = '(?:=>|[:=]|%3[ad])';
const ASSIGNED = `${QUOTE_AFTER_NAME}${BLANKS}${SIGN}${BLANKS}`;

const CHARACTER = '[^\\s&"\'`<>;,(){}\\[\\]\\\\]';
const PAIR = '[^\\s=;,"\'\\\\]+=[^\\s;,"\'\\\\]*';
const PAIRS = `${PAIR}(?:; ?${PAIR})*`;
const SCHEME = `(?:bearer|basic|token|digest|negotiate|ntlm|oauth|api-?key|key|jwt|hawk|mac|splunk|sharedkey|aws4-hmac-sha256)(?:${BLANK}|\\+|%20){1,4}`;
const SIGNATURE_NAME = '(?:signature|[?&]sig)';
const SIGNATURE = '[0-9a-z%+/=_-]{16,}';

/** How many backslashes stand before the quotes of a text: JSON in a text has none, JSON in JSON in a text one, one level deeper three. */
const DEPTHS = { '"': [0, 1, 3], "'": [0, 1] } as const;
type Quote = keyof typeof DEPTHS;

/**
 * What stands between quotes with `depth` backslashes. Of a run of backslashes each `2 * (depth + 1)` are one backslash of the quoted text; what
 * is left over tells a quote in the text from the quote that ends it. Each text matches in one way only: linear.
 */
function quoted(quote: Quote, depth: number): string {
  const period = 2 * (depth + 1);
  const plain = `[^${quote}\\\\]`;
  return `(?:${plain}|\\\\{${period}}|\\\\{${period / 2},${period - 1}}${quote}|\\\\{1,${period - 1}}${plain})+`;
}

const HEAD = new RegExp(
  `(?:${CLEAR_SECRET}|(${PLAIN_SECRET}))${ASSIGNED}(?:(\\\\{0,3})(["']))?|(${SIGNATURE_NAME}(?:=|%3d))`,
  'gi'
);
/** Cheaper to look for, and in every name. */
const HINT = /pass(?:w|phr)|pwd|key|secret|token|cookie|authorization|sig(?:nature)?(?:=|%3d)/i;

const sticky = (pattern: string): RegExp => new RegExp(pattern, 'iy');
const VALUE = sticky(`${CHARACTER}+`);
const COOKIES = sticky(PAIRS);
const AFTER_SCHEME = sticky(SCHEME);
const SIGNATURES = sticky(SIGNATURE);
const QUOTES = (Object.keys(DEPTHS) as Quote[]).flatMap((quote) => DEPTHS[quote].map((depth) => ({ quote, depth })));
const QUOTED = new Map(QUOTES.map(({ quote, depth }) => [`${depth}${quote}`, sticky(quoted(quote, depth))]));

const MASKED =
  /^(?:\*+|x{3,}|\.{3}|(?:\[|<|\()?(?:filtered|redacted|masked|hidden|secret|removed)(?:\]|>|\))?|\[REDACTED:[a-z]+\]|null|nil|none|undefined|true|false)$/i;
const WORD =
  /^(?:access|auth|authentication|authorization|authorized|bearer|cannot|change|changed|check|cookies?|correct|credentials?|denied|disabled|does|empty|enabled|error|expired|failed|failure|format|granted|header|incorrect|invalid|issued|length|login|match|mismatch|missing|must|needed|never|not|optional|password|provided|received|refreshed|rejected|required|reset|revoked|secure|should|specified|strength|string|unknown|unset|updated|user|using|valid|validated|validation|verified|was|weak|were|will|with|without|wrong)[.:!?]*$/i;
/** "Unexpected token: }", as parsers say it. */
const PARSER_BEFORE = /(?:un|)expected (?:\w{1,16} )?$|illegal $/i;
const LEAD = 32;
const HIDDEN = replacementOf('token');
/** Two placeholders that replacements left side by side look like the name of a cookie. */
const ONLY_HIDDEN = /^(?:\[REDACTED:[a-z]+\])+=$/;
const FROM_HIDDEN = /^\[REDACTED:[a-z]+\].*=$/s;
const QUOTE_FOLLOWS = /["'`\\]/;
/** A working directory is called `pwd`, too. */
const DIRECTORY = /^(?:[/~]|[a-z]:)/i;

export const namedSecret: Detector = {
  kind: 'token',
  seesThroughEscapes: false,
  find: findNamedSecrets,
  source: sourcePatterns(),
};

/** What replacements left of cookies: placeholders alone, or with a name whose quoted value was replaced. */
function isLeftover(text: string, { start, end }: { readonly start: number; readonly end: number }): boolean {
  const value = text.slice(start, end);
  return ONLY_HIDDEN.test(value) || (FROM_HIDDEN.test(value) && QUOTE_FOLLOWS.test(text[end] ?? ''));
}

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
    // A later replacement may have taken the closing quote: what is left is no new find.
    if (text.startsWith(HIDDEN, at)) return undefined;
    const pattern = QUOTED.get(`${slashes?.length ?? 0}${quote}`);
    const found = pattern && matchAt(pattern, text, at);
    return found && !isMasked(text, found) ? found : undefined;
  }
  if (/^cookie/i.test(name)) {
    const found = matchAt(COOKIES, text, at);
    if (found !== undefined) return isLeftover(text, found) ? undefined : found;
  }
  if (/^authorization/i.test(name)) {
    const scheme = matchAt(AFTER_SCHEME, text, at);
    if (scheme !== undefined) {
      // A scheme alone is no credential: a store has replaced the one that followed, or there was none.
      const found = matchAt(VALUE, text, scheme.end);
      return found && !isWord(text, found) ? found : undefined;
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

function isWord(text: string, { start, end }: { start: number; end: number }): boolean {
  const value = text.slice(start, Math.min(end, start + LEAD));
  return WORD.test(value) || MASKED.test(value);
}

/** A value without quotes. After a colon, a plain name (`token: …`) is as often prose as an assignment. */
function isSecret(value: string, name: string, isPlain: boolean): boolean {
  const start = value.slice(0, LEAD);
  if (WORD.test(start) || MASKED.test(start)) return false;
  if (/^pwd/i.test(name) && DIRECTORY.test(start)) return false;
  if (!isPlain) return value.length >= 6 || (value.length >= 3 && /[0-9]/.test(value));
  if (value.length < 6) return false;
  return !name.includes(':') || value.length >= 20 || /[0-9]|[a-z][A-Z]|[^A-Za-z.]/.test(value);
}

/** Without the lists of words and masks: an expression sees no value that has such a name. */
function sourcePatterns(): Detector['source'] {
  const any = (pattern: string): string => `(?i:${pattern})`;
  const head = any(`${SECRET_NAME}${ASSIGNED}`);
  const key = any(`${SECRET_NAME}":`);
  const hint = any(`${SECRET_NAME}[\\\\"'%27t \\t]*(?:[:=]|%3)|${SIGNATURE_NAME}(?:=|%3d)`);
  const inJson = { where: 'json', before: key, hint } as const;
  const inQuotes = QUOTES.flatMap(({ quote, depth }): readonly SourcePattern[] => {
    const depthInJson = quote === '"' ? 2 * depth + 1 : 2 * depth;
    return [
      { where: 'text', before: `${head}\\\\{${depth}}${quote}`, secret: quoted(quote, depth), hint },
      { where: 'json', before: `${head}\\\\{${depthInJson}}${quote}`, secret: quotedInJson(quote, depth), hint },
    ];
  });
  const withDigit = `[0-9]${CHARACTER}{2,}|${CHARACTER}[0-9]${CHARACTER}+|${CHARACTER}{2,4}[0-9]${CHARACTER}*`;
  const flatList = '\\[(?:"(?:[^"\\\\]|\\\\[^\\n])*"|[^"\\[\\]{}])+\\]';
  return [
    [
      { ...inJson, secret: '-?[0-9][0-9.eE+-]*', replacement: `"${HIDDEN}"` },
      { ...inJson, secret: flatList, replacement: `"${HIDDEN}"` },
    ],
    // Another list that does not begin with a record: no JSON is left, so that nothing of the record is seen.
    { ...inJson, secret: '\\[[^{\\]]', replacement: '!' },
    [
      { ...inJson, before: `${key}"`, secret: quoted('"', 0) },
      ...inQuotes,
      { before: any(`${AUTHORIZATION}${ASSIGNED}${SCHEME}`), secret: `${CHARACTER}+`, hint },
      // Behind other names the scheme is part of the value: `token=Token+12`.
      { before: any(`${PLAIN_SECRET}${ASSIGNED}`), secret: any(`${SCHEME}${CHARACTER}+`), hint },
      {
        before: any(`(?:${SECRET_NAME}${ASSIGNED}|${SIGNATURE_NAME}(?:=|%3d))`),
        secret: `(?:${PAIRS}|${CHARACTER}{6,}|${withDigit})`,
        hint,
      },
    ],
  ];
}

/** `quoted` in JSON text that holds the text: backslashes are two each there, a quotation mark has one more, and one without any ends the text. */
function quotedInJson(quote: Quote, depth: number): string {
  if (quote === '"') return quoted(quote, 2 * depth + 1);
  const period = 4 * (depth + 1);
  const plain = `[^'"\\\\]`;
  const mark = `\\\\(?:\\\\\\\\){0,${period / 2 - 1}}"`;
  return `(?:${plain}|\\\\{${period}}|\\\\{${period / 2},${period - 1}}'|${mark}|\\\\{1,${period - 1}}${plain})+`;
}
