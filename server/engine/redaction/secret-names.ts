/**
 * Names of credentials: `password`, `secret`, `token`, `api_key`, `authorization`, `cookie` and variants. Names are
 * matched at their end, ignoring case: prefixes are allowed (`db_password`, `xApiKey`, `http.request.header.cookie`),
 * suffixes are not (`token_type`, `password_changed_at`, `secretary`).
 */
import { BLANK, QUOTE_AFTER_NAME } from './escapes';

/** Names that always mean a credential. Parts of a regular expression that JavaScript and RE2 interpret alike. */
const CLEAR_NAME = '(?:pass(?:word|wd|phrase)s?|pwd|(?:api|secret|private|access)(?:[-_. ]|%20)?keys?|cookies?)';
/** Names that are also words of prose and of parsers: "Unexpected token: }". */
const PLAIN_NAME = '(?:secrets?|token|authorization)';
/** `password2`, `password_hash`. */
const NAME_END = '(?:[-_]?(?:hash|confirm|confirmation))?[0-9]?';

export const CLEAR_SECRET = `${CLEAR_NAME}${NAME_END}`;
/** The name before a scheme and a credential: `Authorization: Token …`. */
export const AUTHORIZATION = `authorization${NAME_END}`;
export const PLAIN_SECRET = `${PLAIN_NAME}${NAME_END}`;
export const SECRET_NAME = `(?:${CLEAR_NAME}|${PLAIN_NAME})${NAME_END}`;

/** Signature in a URL: `X-Amz-Signature=`, `?sig=`. */
export const SIGNATURE_SIGN = '(?:signature|[?&]sig)(?:=|%3d)';

const BLANKS = `${BLANK}{0,8}`;
/** Separator between a name and its value. */
export const ASSIGNED = `${QUOTE_AFTER_NAME}${BLANKS}(?:=>|[:=]|%3[ad])${BLANKS}`;

const WHOLE_NAME = new RegExp(`${SECRET_NAME}$`, 'i');
/** Longer names are not realistic; only the end is matched. */
const MAX_END = 48;

/** Whether the value of a key of this name is a credential. */
export function isSecretName(name: string): boolean {
  return WHOLE_NAME.test(name.slice(-MAX_END));
}
