/**
 * IPv6 addresses (RFC 4291, 5952): eight groups, or fewer around one `::`; upper or lower case; an IPv4 address as the last two groups; a zone
 * (`%eth0`). Brackets, a port behind them and a prefix length stay.
 *
 * Not an address: `::` alone; times (`12:34:56`); hardware addresses, fingerprints and other dumps of bytes (only groups of two digits); names
 * of programs (`std::vector`, `Foo::Bar`, and `dead::beef`, where no digit and no single colon says otherwise).
 */
import type { Detector, Report } from '../detector';
import { COLON, DIGIT, DOT, ESCAPES_BEFORE, HEX_DIGIT } from '../escapes';

/** What may be an address, the longest run of its characters. */
const RUN = /[0-9A-Fa-f:.]+/y;
/** Two colons together or six groups: without these a run is no address. */
const HINT = /::|(?:[0-9A-Fa-f]{1,4}:){6}/g;
/** Cheaper to look for, and in every address. */
const GROUP_BETWEEN_COLONS = /:[0-9A-Fa-f]{0,4}:/;
const ZONE = /%(?:25)?(?![2-7][0-9A-Fa-f])[0-9A-Za-z][0-9A-Za-z._~-]{0,31}/y;
const IN_RUN = /[0-9A-Fa-f:.]/;
const LETTER = /[G-Zg-z_]/;

const ANY = `(?:${HEX_DIGIT}|${COLON}|${DOT})*`;
const PART = `(?:${HEX_DIGIT}|${COLON})*`;
const DOUBLE = `${COLON}${COLON}`;
const SINGLE = `${HEX_DIGIT}${COLON}${HEX_DIGIT}`;
const GROUP = `${HEX_DIGIT}{1,4}`;
/** What `find` never takes for a name of a program: a digit or a single colon is in it, on either side of the double one. */
const COMPRESSED = [
  `${PART}(?:${DIGIT}|${SINGLE})${PART}${DOUBLE}${ANY}`,
  `${PART}${DOUBLE}${ANY}(?:${DIGIT}|${SINGLE})${ANY}`,
  `${DIGIT}${DOUBLE}${ANY}`,
];
const FULL = `(?:${GROUP}${COLON}){6}(?:${COLON}|${GROUP}|${DOT})*`;

export const ipv6: Detector = {
  kind: 'ip',
  seesThroughEscapes: true,
  find: findIpv6,
  source: [
    {
      before: ESCAPES_BEFORE,
      secret: `(?:${FULL}|${COMPRESSED.join('|')})(?:%(?:25)?[0-9A-Za-z][0-9A-Za-z._~-]{0,31})?`,
    },
  ],
};

function findIpv6(text: string, report: Report): void {
  if (!GROUP_BETWEEN_COLONS.test(text)) return;
  let from = 0;
  HINT.lastIndex = 0;
  for (let hint = HINT.exec(text); hint !== null; hint = HINT.exec(text)) {
    let start = hint.index;
    while (start > from && IN_RUN.test(text[start - 1] as string)) start -= 1;
    RUN.lastIndex = start;
    from = start + (RUN.exec(text)?.[0].length ?? 0);
    const found = addressIn(text, start, from);
    if (found !== undefined) report(found.start, withZone(text, found.end));
    HINT.lastIndex = Math.max(from, HINT.lastIndex);
  }
}

/** A run without what belongs to a word or to the sentence beside it. */
function addressIn(text: string, runStart: number, runEnd: number): { start: number; end: number } | undefined {
  let start = runStart;
  let end = runEnd;
  if (LETTER.test(text[start - 1] ?? '')) {
    // `addr:2001::1`: the word ends at a single colon. `std::abs` goes on after two: a name of a program.
    const colon = text.indexOf(':', start);
    if (text.startsWith('::', colon) && !text.startsWith(':::', colon)) return undefined;
    start = colon + 1;
  }
  if (LETTER.test(text[end] ?? '')) {
    const colon = text.lastIndexOf(':', end - 1);
    const dot = text.lastIndexOf('.', end - 1);
    if (dot <= colon && (colon < start || text[colon - 1] === ':')) return undefined;
    end = Math.max(colon, dot);
  }
  if (text[start] === ':' && text[start + 1] !== ':') start += 1;
  if (text.startsWith(':::', start)) start += 1;
  while (end > start && text[end - 1] === '.') end -= 1;
  if (text[end - 1] === ':' && text[end - 2] !== ':') end -= 1;
  if (text.endsWith(':::', end) && end - start > 3) end -= 1;
  return isAddress(text.slice(start, end)) ? { start, end } : undefined;
}

function isAddress(run: string): boolean {
  const v4 = run.lastIndexOf(':') + 1;
  const dotted = run.slice(v4);
  if (run.includes('.')) {
    if (run.indexOf('.') < v4 || !/^(?:\d{1,3}\.){3}\d{1,3}$/.test(dotted)) return false;
    return isAddress(`${run.slice(0, v4)}0:0`);
  }
  const groups = run.split(':');
  if (groups.some((group) => group.length > 4)) return false;
  const written = groups.filter((group) => group !== '');
  const isByteDump = written.every((group) => group.length === 2);
  if (!run.includes('::')) return groups.length >= 8 && written.length === groups.length && !isByteDump;
  if (written.length === 0 || (isByteDump && written.length > 7)) return false;
  return /\d/.test(run) || /[0-9A-Fa-f]:[0-9A-Fa-f]/.test(run);
}

function withZone(text: string, end: number): number {
  ZONE.lastIndex = end;
  return end + (ZONE.exec(text)?.[0].length ?? 0);
}
