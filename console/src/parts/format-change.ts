/** Authors and times of changes in words. */
import type { Author } from '../api/shapes';
import { formatTime } from '../results/values/format-value';

export function formatAuthor(by: Author): string {
  if ('token_name' in by) return by.token_name;
  return 'database_user' in by ? `database user ${by.database_user}` : 'command line';
}

/** @param time ISO 8601; a text that is no time stays as it is */
export function formatMoment(time: string): string {
  const millis = Date.parse(time);
  return Number.isNaN(millis) ? time : formatTime(millis).replace(/[.,]\d{3}$/, '');
}

export const formatTimeOr = (time: string | null | undefined, otherwise: string): string =>
  time == null ? otherwise : formatMoment(time);
