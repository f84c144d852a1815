/** Time zones of the dialect: `UTC`, fixed offsets and IANA names. No other text reaches a store. */
import { MICROS_PER_DAY, MICROS_PER_SECOND } from './parse-iso';

export type TimeZone =
  { readonly kind: 'offset'; readonly minutes: number } | { readonly kind: 'named'; readonly name: string };

export const UTC: TimeZone = Object.freeze({ kind: 'offset', minutes: 0 });

const OFFSET = /^(?:UTC|GMT)?([+-])(\d{1,2})(?::?(\d{2}))?$/i;
const WIDEST_OFFSET_MINUTES = 14 * 60;
const MICROS_PER_MINUTE = 60n * MICROS_PER_SECOND;

/** IANA names by lower-case spelling: zone names are case-insensitive. */
const names: ReadonlyMap<string, string> = new Map(
  Intl.supportedValuesOf('timeZone').map((name) => [name.toLowerCase(), name])
);

/** Parses `UTC`, `Z`, `+02:00`, `UTC-3`, `Europe/Berlin`; undefined for other texts. */
export function parseTimeZone(text: string): TimeZone | undefined {
  if (/^(utc|z|gmt|etc\/utc|etc\/gmt|etc\/uct|uct|zulu|universal|greenwich)$/i.test(text)) return UTC;
  const match = OFFSET.exec(text);
  if (match !== null) return offsetZone(match);
  const name = names.get(text.toLowerCase()) ?? canonicalName(text);
  return name === undefined ? undefined : { kind: 'named', name };
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

/** Instant of a local time of the zone; undefined if it does not exist or is ambiguous. */
export function fromLocalMicros(local: bigint, zone: TimeZone): bigint | undefined {
  const offsets = new Set([offsetMicros(local - MICROS_PER_DAY, zone), offsetMicros(local + MICROS_PER_DAY, zone)]);
  const instants = [...offsets].map((offset) => local - offset);
  const fitting = instants.filter((instant) => toLocalMicros(instant, zone) === local);
  return fitting.length === 1 ? fitting[0] : undefined;
}

function offsetZone([, sign, hours, minutes]: RegExpExecArray): TimeZone | undefined {
  const total = Number(hours) * 60 + Number(minutes ?? 0);
  if (Number(minutes ?? 0) > 59 || total > WIDEST_OFFSET_MINUTES) return undefined;
  return { kind: 'offset', minutes: sign === '-' && total > 0 ? -total : total };
}

/** The platform knows old names (`US/Pacific`, `Asia/Calcutta`) but does not list them. */
function canonicalName(text: string): string | undefined {
  if (!/^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+){1,2}$/.test(text) || text.length > 40) return undefined;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

function offsetMicros(micros: bigint, zone: TimeZone): bigint {
  if (zone.kind === 'offset') return BigInt(zone.minutes) * MICROS_PER_MINUTE;
  const instant = new Date(Number(micros / 1000n));
  const shown = formatOf(zone.name)
    .formatToParts(instant)
    .reduce<Record<string, number>>((parts, { type, value }) => ({ ...parts, [type]: Number(value) }), {});
  const local = Date.UTC(
    shown['year'] ?? 0,
    (shown['month'] ?? 1) - 1,
    shown['day'],
    shown['hour'],
    shown['minute'],
    shown['second']
  );
  return BigInt(local - Math.floor(instant.getTime() / 1000) * 1000) * 1000n;
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
