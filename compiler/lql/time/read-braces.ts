/**
 * Parses `2026-04-{07..09}T00:{00..40}:00`: one interval from the time with all left numbers to the time with all right
 * numbers.
 */
import type { TimePoint } from '../rules';
import { readCalendarPoint } from './read-point';

const part = (digits: string): string => `(?:\\d${digits}|\\{\\d${digits}\\.\\.\\d${digits}\\})`;
const TWO = part('{2}');
const FRACTION = part('{1,6}');
const BRACES = new RegExp(
  `^${part('{4}')}-${TWO}-${TWO}(?:T${TWO}:${TWO}(?::${TWO}(?:\\.${FRACTION})?)?(?:Z|[+-]\\d{2}:\\d{2})?)?$`
);
const BRACE = /\{(\d+)\.\.(\d+)\}/g;

/** @returns null when the text is not such an interval; equal bounds for a text without braces */
export function readBraces(text: string): { readonly low: TimePoint; readonly high: TimePoint } | null {
  if (!BRACES.test(text)) return null;
  const low = readCalendarPoint(text.replace(BRACE, '$1'));
  const high = readCalendarPoint(text.replace(BRACE, '$2'));
  return low && high && { low, high };
}
