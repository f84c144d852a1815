/**
 * Forms of the values behind the name of a credential. Pieces of regular expressions that JavaScript and RE2 read alike; in JavaScript, too, each
 * text matches in one way only.
 */
import { BLANK } from './escapes';
import { quotedValue, type Place } from './quotes';
import { ASSIGNED, SECRET_NAME } from './secret-names';

export const CHARACTER = '[^\\s&"\'`<>;,(){}\\[\\]\\\\]';
const BUT_EQUALS = '[^\\s&"\'`<>;,(){}\\[\\]\\\\=]';
const OF_COOKIE = '[^\\s;,"\'\\\\=]';

const SCHEMES =
  'bearer|basic|token|digest|negotiate|ntlm|oauth|api-?key|key|jwt|hawk|hmac|mac|aws|splunk|sharedkey|aws4-hmac-sha256';
/** What stands before the credential of a header `Authorization`. */
export const SCHEME = `(?:${SCHEMES})(?:${BLANK}|\\+|%20){1,4}`;
/** A scheme of another name; only with parameters it is one. */
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
  /** Behind another scheme, a blank and parameters of which the first has quotes. */
  readonly otherParameters: string;
}

const CREDENTIAL = '[0-9A-Za-z._~+/=-]';
/** Behind a value that ends in the name of a scheme, as `Bearer abc` and `token=xBearer abc` do, the credential is part of it. */
const WITH_CREDENTIAL = `(?i:bearer|basic)${BLANK}{1,4}(?:${CREDENTIAL}*(?i:${SECRET_NAME}${ASSIGNED})|${CREDENTIAL}+)`;

/** For the final pass. A search that goes back when a name has no value is linear when the length of names is bounded. */
export const FINAL_VALUES = secretValues({
  quoted: quotedValue('text'),
  times: '{1,128}',
  plain: `${BUT_EQUALS}*`,
  ofCookie: `${OF_COOKIE}*`,
});

/** For stores. */
export function sourceValues(place: Place): SecretValues {
  const upTo = (character: string): string => `(?:(?:${character}|=)*${WITH_CREDENTIAL})*${character}*`;
  const quoted = quotedValue(place);
  return secretValues({ quoted, times: '+', plain: upTo(BUT_EQUALS), ofCookie: upTo(OF_COOKIE) });
}

interface Pieces {
  readonly quoted: string;
  /** How long the names of cookies and parameters are. */
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
