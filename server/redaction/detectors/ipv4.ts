/**
 * IPv4 addresses: four numbers of 0 to 255 with dots between, leading zeros allowed; a port, a prefix length, brackets and punctuation beside
 * them stay.
 *
 * Not an address: five or more numbers with dots between (an object identifier, a long version); a version that says so by what stands
 * before (`v1.2.3.4`, `version 1.2.3.4`) or after (`1.2.3.4-rc1`, `1.2.3.4b2`, `1.2.3.4-1ubuntu2`); a browser's version
 * (`Chrome/120.0.0.0`).
 */
import type { Detector, Report } from '../detector';
import { DIGIT, DOT, ESCAPES_BEFORE } from '../escapes';

const DOTTED = /(?<!\d|\d\.)(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})(?!\d|\.\d)/g;

/** How much text before a find can make it a version. */
const LEAD = 24;
const VERSION_BEFORE =
  /(?:(?:^|[^A-Za-z0-9])v|(?:^|[^A-Za-z])(?:ver|vers|version|release|rel|rev|revision|build)[.:]?[ =/]{1,2}v?)$/i;
const BROWSER_BEFORE =
  /(?:Chrome|Chromium|CriOS|Edge?|EdgA|EdgiOS|OPR|Opera|OPT|Vivaldi|Whale|YaBrowser|Brave|Electron|SamsungBrowser|Firefox|FxiOS|Safari|Version|GSA|MiuiBrowser|UCBrowser|QQBrowser|MicroMessenger)\/$/;
const PRODUCT_BEFORE = /[A-Za-z]\/$/;
const VERSION_AFTER =
  /^(?:[-+_.~]?(?:rc|alpha|beta|dev|pre|preview|post|snapshot|nightly|canary|build|git|release|final|ga|sp|hotfix|patch)[-.]?\d*(?![A-Za-z])|[-_]?[abpr]\d+(?![A-Za-z0-9])|[-+_~](?:alpine|bookworm|bullseye|buster|slim|jammy|noble|amd64|arm64|x86|linux|windows|win)|-\d+(?:\.\d+)*[.~+]?(?:ubuntu|deb|el|fc|build|bpo|nmu))/i;

export const ipv4: Detector = {
  kind: 'ip',
  seesThroughEscapes: true,
  find: findIpv4,
  source: [{ before: ESCAPES_BEFORE, secret: `${DIGIT}{1,3}(?:${DOT}${DIGIT}{1,3}){3}` }],
};

function findIpv4(text: string, report: Report): void {
  for (const match of text.matchAll(DOTTED)) {
    const end = match.index + match[0].length;
    if (hasOctets(match) && !isVersion(text, match.index, end, match[0])) report(match.index, end);
  }
}

function hasOctets(match: RegExpExecArray): boolean {
  return Number(match[1]) < 256 && Number(match[2]) < 256 && Number(match[3]) < 256 && Number(match[4]) < 256;
}

function isVersion(text: string, start: number, end: number, address: string): boolean {
  const lead = text.slice(Math.max(0, start - LEAD), start);
  if (VERSION_BEFORE.test(lead) || BROWSER_BEFORE.test(lead)) return true;
  // Browsers that hide their version: Chrome/120.0.0.0. A path can end so too, but no host has such an address.
  if (address.endsWith('.0.0.0') && PRODUCT_BEFORE.test(lead)) return true;
  return VERSION_AFTER.test(text.slice(end, end + LEAD));
}
