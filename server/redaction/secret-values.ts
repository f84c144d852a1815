/**
 * Values that follow the name of a credential, as parts of regular expressions that JavaScript and RE2 interpret alike.
 * In JavaScript each text also matches in only one way.
 */
import { BLANK } from './escapes';
import { quotedValue, type Place } from './quotes';
import { ASSIGNED, SECRET_NAME } from './secret-names';

export const CHARACTER = '[^\\s&"\'`<>;,(){}\\[\\]\\\\]';
const BUT_EQUALS = '[^\\s&"\'`<>;,(){}\\[\\]\\\\=]';
const OF_COOKIE = '[^\\s;,"\'\\\\=]';

const SCHEMES =
  'bearer|basic|token|digest|negotiate|ntlm|oauth|api-?key|key|jwt|hawk|hmac|mac|aws|splunk|sharedkey|aws4-hmac-sha256';
/** Scheme before the credential in an `Authorization` header. */
export const SCHEME = `(?:${SCHEMES})(?:${BLANK}|\\+|%20){1,4}`;
/** Other scheme; recognized only if parameters follow. */
export const OTHER_SCHEME = `[a-z][0-9a-z_-]{1,31}`;

export interface SecretValues {
  /** A value in quotes. */
  readonly quoted: string;
  /** Characters up to the next blank or mark. Behind `=` a quoted value is part of it: `token="x y"`. May be empty. */
  readonly plain: string;
  /** Like `plain`, with a quoted value in it. */
  readonly withQuotes: string;
  /** Like `plain`, up to a credential behind the name of a scheme. */
  readonly withCredential: string;
  /** `name=value; name="x y"`. */
  readonly cookies: string;
  /** `name="x y", name=value`, as they follow a scheme. */
  readonly parameters: string;
  /** After another scheme: a blank and parameters, the first of which is quoted. */
  readonly otherParameters: string;
}

const CREDENTIAL = '[0-9A-Za-z._~+/=-]';
/**
 * If a value ends in the name of a scheme, as in `Bearer abc` and `token=xBearer abc`, the credential after it belongs
 * to the value.
 */
const WITH_CREDENTIAL = `(?i:bearer|basic)${BLANK}{1,4}(?:${CREDENTIAL}*(?i:${SECRET_NAME}${ASSIGNED})|${CREDENTIAL}+)`;

/** Patterns of the final pass. Bounding the length of names keeps backtracking linear. */
export const FINAL_VALUES = secretValues({
  quoted: quotedValue('text'),
  times: '{1,128}',
  plain: `${BUT_EQUALS}*`,
  ofCookie: `${OF_COOKIE}*`,
});

/** Patterns for stores. */
export function sourceValues(place: Place): SecretValues {
  const upTo = (character: string): string => `(?:(?:${character}|=)*${WITH_CREDENTIAL})*${character}*`;
  const quoted = quotedValue(place);
  return secretValues({ quoted, times: '+', plain: upTo(BUT_EQUALS), ofCookie: upTo(OF_COOKIE) });
}

interface Pieces {
  readonly quoted: string;
  /** Repetition of the characters in names of cookies and parameters. */
  readonly times: string;
  /** Characters up to the next `=` or the end of the value. */
  readonly plain: string;
  readonly ofCookie: string;
}

function secretValues({ quoted, times, plain: run, ofCookie }: Pieces): SecretValues {
  const plain = `${run}(?:=${quoted}?${run})*`;
  const cookie = `${OF_COOKIE}${times}(?:=${quoted}?${ofCookie})+`;
  const name = `[0-9a-z_.-]${times}=`;
  const more = `(?:[,;]${BLANK}{0,8}${name}(?:${quoted}|${BUT_EQUALS})${plain})*`;
  return {
    quoted,
    plain,
    withQuotes: `${CHARACTER}*=${quoted}${plain}`,
    withCredential: `${CHARACTER}*${WITH_CREDENTIAL}${plain}`,
    cookies: `${cookie}(?:; ?${cookie})*`,
    parameters: `${name}(?:${quoted}|${BUT_EQUALS})${plain}${more}`,
    otherParameters: `${BLANK}{1,4}${name}${quoted}${plain}${more}`,
  };
}
