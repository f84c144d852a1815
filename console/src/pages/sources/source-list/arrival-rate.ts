import { serviceClock } from '../../../api/service-clock';
import type { Arrivals } from '../../../api/shapes';

const MINUTES = 5;
const MINUTE_MS = 60_000;

/** Mean of the last whole minutes in which the server counted, as text; the current minute is not over. */
export function arrivalRate({ stored_by_minute: counts, since }: Arrivals, nowMs = serviceClock.now()): string {
  const counted = Math.min(MINUTES, Math.max(0, Math.floor((nowMs - Date.parse(since)) / MINUTE_MS)));
  if (counted === 0) return `${(counts.at(-1) ?? 0).toLocaleString()} this minute`;
  const perMinute = counts.slice(-1 - counted, -1).reduce((sum, count) => sum + count, 0) / counted;
  if (perMinute >= 120) return `${Math.round(perMinute / 60).toLocaleString()} / s`;
  return `${perMinute < 10 ? Math.round(perMinute * 10) / 10 : Math.round(perMinute)} / min`;
}
