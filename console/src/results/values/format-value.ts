/** Values of results as text, by the types of the dialect. */
import type { Value } from '../../api/run-query';
import { serviceClock } from '../../api/service-clock';

const LOCAL = new Intl.DateTimeFormat(undefined, {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  // `hour12: false` says 24 for midnight in some versions of browsers.
  hourCycle: 'h23',
});

export function isNested(value: Value): value is readonly Value[] | { readonly [name: string]: Value } {
  return typeof value === 'object' && value !== null;
}

export const isNumberType = (type: string): boolean => type === 'INT64' || type === 'FLOAT64';

/** Milliseconds since 1970 of a TIMESTAMP or DATETIME, which is taken as UTC; null for other values. */
export function millisOf(value: Value, type: string): number | null {
  if (type === 'TIMESTAMP' && (typeof value === 'number' || typeof value === 'string')) return Number(value) / 1000;
  if ((type === 'DATETIME' || type === 'DATE') && typeof value === 'string') {
    const millis = Date.parse(type === 'DATE' ? `${value}T00:00:00Z` : `${value}Z`);
    return Number.isNaN(millis) ? null : millis;
  }
  return null;
}

/** A time in the zone of the reader. */
export function formatTime(millis: number): string {
  return LOCAL.format(new Date(millis));
}

/** A time with its microseconds in UTC. */
export function formatUtc(value: Value, type: string): string {
  const millis = millisOf(value, type);
  if (millis === null) return plainText(value);
  const micros = type === 'TIMESTAMP' ? String(((Number(value) % 1000) + 1000) % 1000).padStart(3, '0') : '';
  const text = new Date(Math.floor(millis)).toISOString();
  return type === 'TIMESTAMP' ? text.replace('Z', `${micros}Z`) : text.replace('.000Z', '');
}

/** JSON for records and lists, else the value as text. */
export function plainText(value: Value): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** One line of text. NULL has none: callers show it apart. */
export function formatValue(value: Value, type: string): string {
  if (value === null) return '';
  if (type === 'TIMESTAMP') {
    const millis = millisOf(value, type);
    if (millis !== null) return formatTime(millis);
  }
  return plainText(value);
}

/** A number of a chart. Small ones keep their digits: three decimals would make 0 of them. */
export function formatNumber(value: number): string {
  return value.toLocaleString(undefined, Math.abs(value) < 1 ? { maximumSignificantDigits: 4 } : {});
}

export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString()} ${count === 1 ? one : many}`;
}

export function formatBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let size = bytes;
  let unit = 0;
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${unit === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${units[unit]}`;
}

/** How long ago a time was. */
export function formatAge(millis: number, now = serviceClock.now()): string {
  const seconds = Math.max(0, Math.round((now - millis) / 1000));
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min ago`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h ago` : `${Math.round(seconds / 86_400)} days ago`;
}

export function formatMillis(millis: number): string {
  if (millis < 10) return `${millis.toFixed(1)} ms`;
  return millis < 1000 ? `${Math.round(millis)} ms` : `${(millis / 1000).toFixed(1)} s`;
}

/** A time span in its two largest units. */
export function formatSpan(seconds: number): string {
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor(seconds / 3600) % 24;
  const minutes = Math.floor(seconds / 60) % 60;
  if (days > 0) return `${formatCount(days, 'day')} ${hours} h`;
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${Math.floor(seconds % 60)} s` : `${Math.floor(seconds)} s`;
}
