/**
 * Private keys, and the user name and password of a URL. They hold blanks and marks at which the value behind a name
 * ends, so a store replaces them before such values.
 */
import type { Detector, Report } from '../detector';
import { reportGroups } from './report-groups';

/** A private key in PEM, whole, or as much of it as is there. */
const KEY_START =
  '-----BEGIN [0-9A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[0-9A-Za-z+/=:,. \\t\\r\\n]|\\\\[nrt]|-[0-9A-Za-z])*';
const KEY_HINT = '-----BEGIN [0-9A-Z ]*PRIVATE KEY';
const KEY_END = '-----END[0-9A-Z ]*-----';
const KEY_BLOCKS = new RegExp(`${KEY_START}(?:${KEY_END})?`, 'g');

/** The last `@` before the path belongs to the host, as browsers read it: `user:p@ss@host`. */
const USER_INFO = '[^\\s/@:"\'`<>\\[\\]\\\\]*:[^\\s/"\'`<>\\[\\]\\\\]+';
const URLS = new RegExp(`://(${USER_INFO})@`, 'g');
/** Without a scheme one `@` may be an e-mail address behind a label; a second one is part of a password. */
const BARE_START = '[^0-9A-Za-z._%+-]';
const BARE_USER_INFO = '[0-9A-Za-z._%+-]+:[^\\s/@:"\'`<>\\[\\]\\\\]+@[^\\s/:"\'`<>,;\\[\\]\\\\]*';
const BARE = new RegExp(`(?:^|${BARE_START})(${BARE_USER_INFO})@[0-9A-Za-z]`, 'g');

export const urlAndKey: Detector = {
  kind: 'token',
  seesThroughEscapes: false,
  find: findUrlsAndKeys,
  source: [
    // A key that is cut off may have taken the name of another credential with it: all that follows is hidden.
    { where: 'text', secret: `${KEY_START}(?:${KEY_END}|(?s:.*))`, hint: KEY_HINT },
    { where: 'json', secret: `${KEY_START}(?:${KEY_END}|(?:[^"\\\\]|\\\\.)*)`, hint: KEY_HINT },
    [
      { before: '://', secret: USER_INFO, after: '@', hint: `://${USER_INFO}@` },
      {
        before: `(?:^|${BARE_START})`,
        secret: BARE_USER_INFO,
        after: '@[0-9A-Za-z]',
        hint: `${BARE_USER_INFO}@`,
      },
    ],
  ],
};

function findUrlsAndKeys(text: string, report: Report): void {
  if (text.includes('-----BEGIN')) {
    for (const match of text.matchAll(KEY_BLOCKS)) report(match.index, match.index + match[0].length);
  }
  if (text.includes('@')) {
    reportGroups(text, URLS, report);
    reportGroups(text, BARE, report);
  }
}
