/**
 * Values that follow the name of a credential, as parts of regular expressions that JavaScript and RE2 interpret alike.
 * In JavaScript each text also matches in only one way.
 */
import { BLANK } from './escapes';
import { quotedValue } from './quotes';

export const CHARACTER = '[^\\s&"\'`<>;,(){}\\[\\]\\\\]';
export const BUT_EQUALS = '[^\\s&"\'`<>;,(){}\\[\\]\\\\=]';
export const OF_COOKIE = '[^\\s;,"\'\\\\=]';

const SCHEMES =
  'bearer|basic|token|digest|negotiate|ntlm|oauth|api-?key|key|jwt|hawk|hmac|mac|aws|splunk|sharedkey|aws4-hmac-sha256';
/** Scheme before the credential in an `Authorization` header. */
export const SCHEME = `(?:${SCHEMES})(?:${BLANK}|\\+|%20){1,4}`;
/** Other scheme; recognized only if parameters follow. */
export const OTHER_SCHEME = `[a-z][0-9a-z_-]{1,31}`;

/** Character in the name of a parameter. */
export const PARAMETER_NAME = '[0-9a-z_.-]';

/** Bounding the length of names keeps backtracking linear. */
const TIMES = '{1,128}';
const QUOTED = quotedValue('text');
const PLAIN = `${BUT_EQUALS}*(?:=${QUOTED}?${BUT_EQUALS}*)*`;
const COOKIE = `${OF_COOKIE}${TIMES}(?:=${QUOTED}?${OF_COOKIE}*)+`;
const PARAMETER = `${PARAMETER_NAME}${TIMES}=`;
const MORE_PARAMETERS = `(?:[,;]${BLANK}{0,8}${PARAMETER}(?:${QUOTED}|${BUT_EQUALS})${PLAIN})*`;

/** Patterns of the final pass. */
export const FINAL_VALUES = {
  /** Characters up to the next blank or mark. Behind `=` a quoted value is part of it: `token="x y"`. May be empty. */
  plain: PLAIN,
  /** `name=value; name="x y"`. */
  cookies: `${COOKIE}(?:; ?${COOKIE})*`,
  /** `name="x y", name=value`, as they follow a scheme. */
  parameters: `${PARAMETER}(?:${QUOTED}|${BUT_EQUALS})${PLAIN}${MORE_PARAMETERS}`,
  /** After another scheme: a blank and parameters, the first of which is quoted. */
  otherParameters: `${BLANK}{1,4}${PARAMETER}${QUOTED}${PLAIN}${MORE_PARAMETERS}`,
} as const;
