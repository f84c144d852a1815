/**
 * Formats a time as `2026-03-01 10:00:05.123456` in UTC. ClickHouse reads a number as microseconds before 26.9, and as
 * seconds from then on; a text means the same in all versions.
 */
export function timeText(micros: number): string {
  const millis = Math.floor(micros / 1000);
  const iso = new Date(millis).toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 23)}${String(micros - millis * 1000).padStart(3, '0')}`;
}
