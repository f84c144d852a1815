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
  /** Length; null: it differs. */
  readonly seconds: bigint | null;
}

export const UNITS: Readonly<Record<LqlUnit, UnitFacts>> = {
  second: { letter: 's', unit: 'SECOND', cut: null, calendar: 'SECOND', seconds: 1n },
  minute: { letter: 'm', unit: 'MINUTE', cut: 'MINUTE', calendar: 'MINUTE', seconds: 60n },
  hour: { letter: 'h', unit: 'HOUR', cut: 'HOUR', calendar: 'HOUR', seconds: 3_600n },
  day: { letter: 'd', unit: 'DAY', cut: 'DAY', calendar: 'DAY', seconds: 86_400n },
  week: { letter: 'w', unit: 'WEEK', cut: 'DAY', calendar: 'ISOWEEK', seconds: 604_800n },
  month: { letter: 'mm', unit: 'MONTH', cut: 'DAY', calendar: 'MONTH', seconds: null },
  year: { letter: 'y', unit: 'YEAR', cut: 'DAY', calendar: 'YEAR', seconds: null },
};

const SPELLINGS: ReadonlyMap<string, LqlUnit> = new Map(
  keysOf(UNITS).flatMap((unit) => [unit, `${unit}s`, UNITS[unit].letter].map((spelling) => [spelling, unit] as const))
);

/** Accepts `minute`, `minutes`, `m`; `mm` is months. */
export function readUnit(text: string): LqlUnit | undefined {
  return SPELLINGS.get(text);
}
