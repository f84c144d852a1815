/**
 * E-mail addresses: `local@domain`, letters of any script, the domain with at least one dot and a last label of
 * letters. Not: `user@host`, `package@1.2.3`, `icon@2x.png`, the login of a Git server (`git@github.com`), quoted local
 * parts.
 */
import type { Detector, Report } from '../detector';
import { AT, DOT, ESCAPED_CHARACTER, ESCAPES_BEFORE } from '../escapes';

const LOCAL = /[\p{L}\p{N}\p{M}._%+'~!#$*&^-]/u;
const DOMAIN = /[\p{L}\p{N}\p{M}._-]/u;
/** The longest domain at the start of a run: what follows its last good label belongs to the sentence. */
const DOMAIN_FORM =
  /^[\p{L}\p{N}_][\p{L}\p{N}\p{M}_-]*(?:\.[\p{L}\p{N}_][\p{L}\p{N}\p{M}_-]*)*\.(?:xn--[a-z0-9-]+|\p{L}[\p{L}\p{M}]+)(?![\p{L}\p{N}\p{M}])/iu;
/** `logo@2x.png`, an image for dense screens. */
const DENSE_IMAGE = /^[0-9](?:\.[0-9])?x\.(?:png|jpe?g|gif|webp|svg|avif|ico)$/i;

/** The account of Git servers: the hosts of many, or a path behind the host. */
const GIT_LOGIN = /^['*]*git$/;
const GIT_HOST = /^(?:git|bitbucket|codeberg|ssh\.dev\.azure)/i;

/**
 * ASCII letters and digits, and ranges of other characters with all letters, digits and marks. The exact classes are
 * hundreds of ranges, which RE2 compiles slowly.
 */
export const LETTERS =
  'A-Za-z\u00aa\u00b2-\u00b5\u00b9\u00ba\u00bc-\u00be\u00c0-\u1fff\u2070-\u218f\u2460-\u24ff\u2776-\u2793\u2c00-\u2fff\u3005-\ufeff\uff10-\u{1f10f}\u{1fbf0}-\u{10ffff}';
const LOCAL_ATOM = `(?:[0-9${LETTERS}._%+'~!#$*&^-]|${ESCAPED_CHARACTER})`;
const DOMAIN_ATOM = `(?:[0-9${LETTERS}._%-]|${ESCAPED_CHARACTER})`;

export const email: Detector = {
  kind: 'email',
  seesThroughEscapes: true,
  find: findEmails,
  source: [
    {
      before: ESCAPES_BEFORE,
      secret: `${LOCAL_ATOM}+${AT}${DOMAIN_ATOM}*${DOT}(?:[${LETTERS}]|${ESCAPED_CHARACTER}|%[4-7][0-9A-Fa-f])${DOMAIN_ATOM}*`,
      hint: `${AT}\\S*${DOT}`,
    },
  ],
};

/** Reads each character at most once in each direction, because neither part may contain an `@`. */
function findEmails(text: string, report: Report): void {
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    let start = at;
    while (start > 0 && isOf(LOCAL, text, start - 1)) start -= 1;
    if (text[start - 1] === '\\' && /[nrt]/.test(text.charAt(start))) start += 1;
    if (start === at) continue;
    let end = at + 1;
    while (end < text.length && isOf(DOMAIN, text, end)) end += 1;
    const domain = DOMAIN_FORM.exec(text.slice(at + 1, end))?.[0];
    if (domain === undefined || DENSE_IMAGE.test(domain)) continue;
    const last = at + 1 + domain.length;
    if (!isGitLogin(text, start, at, domain, last)) report(start, last);
  }
}

function isGitLogin(text: string, start: number, at: number, domain: string, end: number): boolean {
  if (at - start > 5 || !GIT_LOGIN.test(text.slice(start, at))) return false;
  return GIT_HOST.test(domain) || /^:[A-Za-z~]/.test(text.slice(end, end + 2));
}

/** By UTF-16 units: letters outside of the basic plane are left to the stores' patterns. */
function isOf(wanted: RegExp, text: string, at: number): boolean {
  return wanted.test(text.charAt(at));
}
