/** Authors and times of changes in words. */
import type { Author } from '../api/shapes';
import { sayTime } from '../results/values/say-value';

export function sayAuthor(by: Author): string {
  if ('token_name' in by) return by.token_name;
  return 'database_user' in by ? `database user ${by.database_user}` : 'command line';
}

/** @param time ISO 8601; a text that is no time stays as it is */
export function sayMoment(time: string): string {
  const millis = Date.parse(time);
  return Number.isNaN(millis) ? time : sayTime(millis).replace(/[.,]\d{3}$/, '');
}

export const sayTimeOr = (time: string | null | undefined, otherwise: string): string =>
  time == null ? otherwise : sayMoment(time);
