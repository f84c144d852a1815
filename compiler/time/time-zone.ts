/** Time zones of the dialect: `UTC`, fixed offsets and IANA names. No other text reaches a store. */
import { MICROS_PER_DAY, MICROS_PER_SECOND, MIN_MICROS } from './parse-iso';

export type TimeZone =
  { readonly kind: 'offset'; readonly minutes: number } | { readonly kind: 'named'; readonly name: string };

export const UTC: TimeZone = Object.freeze({ kind: 'offset', minutes: 0 });

const OFFSET = /^(?:UTC|GMT)?([+-])(\d{1,2})(?::?(\d{2}))?$/i;
/** Offsets of GoogleSQL, which may lack the colon: `+2`, `+02:00`, `+0200`, `+123` (12:03). */
const PLAIN_OFFSET = /^([+-])(\d{1,2})(?::?(\d{1,2}))?$/;
const NAMES_OF_UTC = /^(utc|gmt|gmt0|etc\/utc|etc\/gmt|etc\/uct|uct|zulu|universal|greenwich)$/i;
const WIDEST_OFFSET_MINUTES = 14 * 60;
const MICROS_PER_MINUTE = 60n * MICROS_PER_SECOND;
const FIRST_KNOWN_MICROS = MIN_MICROS + 2n * MICROS_PER_DAY;

/** IANA names by lower-case spelling: zone names are case-insensitive. */
const names: ReadonlyMap<string, string> = new Map(
  Intl.supportedValuesOf('timeZone').map((name) => [name.toLowerCase(), name])
);

/**
 * Names of the IANA database without a slash. The platform knows abbreviations too (`PST`, `IST`, `BST`), which mean
 * different zones to different readers; GoogleSQL refuses those.
 */
const SHORT_NAMES: ReadonlySet<string> = new Set(
  [
    'cet cst6cdt cuba eet egypt eire est est5edt gb gb-eire hongkong hst iceland iran israel jamaica japan kwajalein',
    'libya met mst mst7mdt navajo nz nz-chat poland portugal prc pst8pdt roc rok singapore turkey w-su wet',
  ].flatMap((line) => line.split(' '))
);

/** Parses `UTC`, `Z`, `+02:00`, `UTC-3`, `Europe/Berlin`; undefined for other texts. */
export function parseTimeZone(text: string): TimeZone | undefined {
  if (/^z$/i.test(text)) return UTC;
  const match = OFFSET.exec(text);
  if (match !== null) return offsetOf(match);
  return namedZone(text);
}

/** An IANA name, in any case: `Europe/Berlin`, `GMT`. */
export function namedZone(text: string): TimeZone | undefined {
  if (NAMES_OF_UTC.test(text)) return UTC;
  const name = names.get(text.toLowerCase()) ?? canonicalName(text);
  return name === undefined ? undefined : { kind: 'named', name };
}

/** Whether the platform lists the name of a zone. */
export function isListedZone(name: string): boolean {
  return names.has(name.toLowerCase());
}

/** Canonical name of a zone, readable by `parseTimeZone`: `UTC`, `+02:00`, `Europe/Berlin`. */
export function timeZoneName(zone: TimeZone): string {
  if (zone.kind === 'named') return zone.name;
  if (zone.minutes === 0) return 'UTC';
  const absolute = Math.abs(zone.minutes);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${zone.minutes < 0 ? '-' : '+'}${two(Math.floor(absolute / 60))}:${two(absolute % 60)}`;
}

/** Local time of the zone at an instant, as microseconds. */
export function toLocalMicros(micros: bigint, zone: TimeZone): bigint {
  return micros + offsetMicros(micros, zone);
}

/**
 * Instant of a local time of the zone: the first of two when a clock is set back; a time that a clock skips is as long
 * after the change as its distance from the change says.
 */
export function fromLocalMicros(local: bigint, zone: TimeZone): bigint {
  const before = local - offsetMicros(local - MICROS_PER_DAY, zone);
  if (zone.kind === 'offset' || toLocalMicros(before, zone) === local) return before;
  const after = local - offsetMicros(local + MICROS_PER_DAY, zone);
  return toLocalMicros(after, zone) === local ? after : before;
}

/** A fixed offset of at most 14 hours: `+02:00`, `+0200`, `-8`. */
export function offsetZone(text: string): TimeZone | undefined {
  const match = PLAIN_OFFSET.exec(text);
  return match === null ? undefined : offsetOf(match);
}

function offsetOf([, sign, hours, minutes]: RegExpExecArray): TimeZone | undefined {
  const total = Number(hours) * 60 + Number(minutes ?? 0);
  if (Number(minutes ?? 0) > 59 || total > WIDEST_OFFSET_MINUTES) return undefined;
  return { kind: 'offset', minutes: sign === '-' && total > 0 ? -total : total };
}

/** The platform knows old names (`US/Pacific`, `Asia/Calcutta`, `EST5EDT`) but does not list them. */
function canonicalName(text: string): string | undefined {
  const isLong = /^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+){1,2}$/.test(text) && text.length <= 40;
  if (!isLong && !SHORT_NAMES.has(text.toLowerCase())) return undefined;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

function offsetMicros(micros: bigint, zone: TimeZone): bigint {
  if (zone.kind === 'offset') return BigInt(zone.minutes) * MICROS_PER_MINUTE;
  // Before the year 0001 the platform shows years of another era.
  const known = micros < FIRST_KNOWN_MICROS ? FIRST_KNOWN_MICROS : micros;
  const instant = new Date(Number(known / 1000n));
  const shown = formatOf(zone.name)
    .formatToParts(instant)
    .reduce<Record<string, number>>((parts, { type, value }) => ({ ...parts, [type]: Number(value) }), {});
  // Years below 100 are years of the 20th century for `Date.UTC`.
  const local = new Date(0).setUTCFullYear(shown['year'] ?? 0, (shown['month'] ?? 1) - 1, shown['day'] ?? 1);
  const clock = (shown['hour'] ?? 0) * 3600 + (shown['minute'] ?? 0) * 60 + (shown['second'] ?? 0);
  return BigInt(local + clock * 1000 - Math.floor(instant.getTime() / 1000) * 1000) * 1000n;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (format === undefined) {
    const digits = { month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
    format = new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', year: 'numeric', ...digits });
    formats.set(timeZone, format);
  }
  return format;
}
