/**
 * IPv6 addresses (RFC 4291, 5952): eight groups, or fewer around one `::`; upper or lower case; an IPv4 address as the
 * last two groups; a zone (`%eth0`). Brackets, a port behind them or behind a dot, a prefix length, and words at either
 * side (`2001:db8::7_443.pcap`) stay.
 *
 * Not an address: `::` alone; times (`12:34:56`); hardware addresses, fingerprints and other dumps of bytes (only
 * groups of two digits); names of programs (`std::vector`, `Foo::Bar`, and `dead::beef`, where no digit and no single
 * colon says otherwise) and keys (`user::42`).
 */
import type { Detector, Report } from '../detector';
import { COLON, DIGIT, DOT, ESCAPES_BEFORE, HEX_DIGIT } from '../escapes';

/** Candidate: the longest run of characters of an address. */
const RUN = /[0-9A-Fa-f:.]+/y;
/** Two colons together or six groups: without these a run is no address. */
const HINT = /::|(?:[0-9A-Fa-f]{1,4}:){6}/g;
/** Cheap test that every address passes. */
const GROUP_BETWEEN_COLONS = /:[0-9A-Fa-f]{0,4}:/;
const ZONE = /%(?:25)?(?![2-7][0-9A-Fa-f])[0-9A-Za-z][0-9A-Za-z._~-]{0,31}/y;
const IN_RUN = /[0-9A-Fa-f:.]/;
const LETTER = /[G-Zg-z]/;
const WORD = /[G-Zg-z_]/;
const HAS_GROUPS = /::|(?:[0-9A-Fa-f]{1,4}:){6}/;
const QUAD = /\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}(?!\d)/y;
const SINGLE_COLON = /[0-9A-Fa-f]:[0-9A-Fa-f]/;
/**
 * A first group that names of programs do not have: names begin with no digit, and these prefixes are those of assigned
 * addresses.
 */
const ASSIGNED_PREFIX = /^(?:[23][0-9A-Fa-f]{3}|[Ff][CDEFcdef][0-9A-Fa-f]{2}|64):/;

const ANY = `(?:${HEX_DIGIT}|${COLON}|${DOT})*`;
const PART = `(?:${HEX_DIGIT}|${COLON})*`;
const DOUBLE = `${COLON}${COLON}`;
const SINGLE = `${HEX_DIGIT}${COLON}${HEX_DIGIT}`;
const GROUP = `${HEX_DIGIT}{1,4}`;
/**
 * What `find` never takes for a name of a program: a digit or a single colon is in it, on either side of the double
 * one.
 */
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
      hint: `${COLON}(?:${COLON}|(?:${HEX_DIGIT}+${COLON}){3})`,
    },
  ],
};

function findIpv6(text: string, report: Report): void {
  if (!GROUP_BETWEEN_COLONS.test(text)) return;
  let from = 0;
  HINT.lastIndex = 0;
  for (let hint = HINT.exec(text); hint !== null; hint = HINT.exec(text)) {
    let start = hint.index;
    while (start > from && IN_RUN.test(text.charAt(start - 1))) start -= 1;
    RUN.lastIndex = start;
    from = start + (RUN.exec(text)?.[0].length ?? 0);
    reportRun(text, start, from, report);
    HINT.lastIndex = Math.max(from, HINT.lastIndex);
  }
}

/** Reports the addresses in a run. A dot ends an address, except in an IPv4 address at its end. */
function reportRun(text: string, runStart: number, runEnd: number, report: Report): void {
  const run = text.slice(runStart, runEnd);
  for (let start = runStart; start < runEnd;) {
    const dot = run.indexOf('.', start - runStart);
    let end = dot === -1 ? runEnd : runStart + dot;
    const piece = text.slice(start, end);
    let hasQuad = false;
    if (HAS_GROUPS.test(piece)) {
      QUAD.lastIndex = start + piece.lastIndexOf(':') + 1;
      hasQuad = QUAD.test(text);
      if (hasQuad) end = QUAD.lastIndex;
      const found = addressIn(text, start, end, hasQuad);
      if (found !== undefined) report(found.start, withZone(text, found.end));
    }
    start = end + 1;
  }
}

/** An address in a piece of a run, without characters that belong to an adjacent word, number or sentence. */
function addressIn(
  text: string,
  runStart: number,
  runEnd: number,
  hasQuad: boolean
): { start: number; end: number } | undefined {
  const isGlued = LETTER.test(text[runStart - 1] ?? '');
  const start = withoutFirst(text, runStart, isGlued);
  const end = hasQuad ? runEnd : withoutLast(text, start, runEnd, LETTER.test(text[runEnd] ?? ''));
  const address = text.slice(start, end);
  if (!isAddress(address)) return undefined;
  const hasSingleColon = SINGLE_COLON.test(address);
  if (isGlued && address.startsWith('::') && !(hasSingleColon && /^::\d/.test(address))) return undefined;
  const isInWord = WORD.test(text[start - 1] ?? '') || WORD.test(text[end] ?? '');
  return isInWord && !hasSingleColon && !isAssigned(address) ? undefined : { start, end };
}

function isAssigned(address: string): boolean {
  return ASSIGNED_PREFIX.test(address) && /\d/.test(address.slice(address.indexOf('::')));
}

/**
 * Where an address may begin: behind a group that is a word or a number of its own (`addr:2001::1`), or in it
 * (`addr2001::1`).
 */
function withoutFirst(text: string, start: number, isGlued: boolean): number {
  const colon = text.indexOf(':', start);
  const length = colon - start;
  if (colon !== -1 && (isGlued || length > 4)) {
    const group = text.slice(Math.max(start, colon - 4), colon);
    const isPart = /\d/.test(group) && (isGlued ? length > 2 : /[A-Fa-f]/.test(text.slice(start, start + 5)));
    if (isPart) return colon - group.length;
    return text.startsWith('::', colon) ? colon : colon + 1;
  }
  if (text[start] === ':' && text[start + 1] !== ':') return start + 1;
  return text.startsWith(':::', start) ? start + 1 : start;
}

/**
 * Where an address may end: before a group that is a word or a number of its own (`2001::1:port`, `2001::1:51234`), or
 * in it (`2001::7z`).
 */
function withoutLast(text: string, start: number, runEnd: number, isGlued: boolean): number {
  let end = runEnd;
  const colon = text.lastIndexOf(':', end - 1);
  const group = text.slice(colon + 1, end);
  if (colon >= start && (group.length > 4 || (isGlued && !/\d/.test(group)))) {
    if (text[colon - 1] !== ':') end = colon;
    else end = isGlued && !/\d/.test(group) ? colon + 1 : colon + 5;
  }
  if (text[end - 1] === ':' && text[end - 2] !== ':') end -= 1;
  if (text.endsWith(':::', end) && end - start > 3) end -= 1;
  return end;
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
