/** Time units in LQL's spelling. */
import { keysOf } from '#contract/records';
import type { TimeUnit } from '../../time/time-units';
import type { LqlUnit } from '../rules';

export interface UnitFacts {
  /** Shortest spelling after a number. */
  readonly letter: string;
  readonly unit: TimeUnit;
  /** Unit to which "now" is truncated before subtracting; null: whole seconds, as it already is. */
  readonly cut: TimeUnit | null;
  /** Calendar unit for truncation. Weeks start on Monday. */
  readonly calendar: TimeUnit;
}

export const UNITS: Readonly<Record<LqlUnit, UnitFacts>> = {
  second: { letter: 's', unit: 'SECOND', cut: null, calendar: 'SECOND' },
  minute: { letter: 'm', unit: 'MINUTE', cut: 'MINUTE', calendar: 'MINUTE' },
  hour: { letter: 'h', unit: 'HOUR', cut: 'HOUR', calendar: 'HOUR' },
  day: { letter: 'd', unit: 'DAY', cut: 'DAY', calendar: 'DAY' },
  week: { letter: 'w', unit: 'WEEK', cut: 'DAY', calendar: 'ISOWEEK' },
  month: { letter: 'mm', unit: 'MONTH', cut: 'DAY', calendar: 'MONTH' },
  year: { letter: 'y', unit: 'YEAR', cut: 'DAY', calendar: 'YEAR' },
};

const SPELLINGS: ReadonlyMap<string, LqlUnit> = new Map(
  keysOf(UNITS).flatMap((unit) => [unit, `${unit}s`, UNITS[unit].letter].map((spelling) => [spelling, unit] as const))
);

/** Accepts `minute`, `minutes`, `m`; `mm` is months. */
export function readUnit(text: string): LqlUnit | undefined {
  return SPELLINGS.get(text);
}
