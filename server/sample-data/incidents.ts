/** What went wrong in the sample week, so that charts and alerts have something to show. Fixed places before the end. */

export type ApiArea = 'rest' | 'storage' | 'auth' | 'realtime' | 'functions' | 'other';

export interface Incident {
  /** Index into the list of projects. */
  readonly project: number;
  readonly area: ApiArea;
  /** Minutes before the end of the sample. */
  readonly fromMinutes: number;
  readonly toMinutes: number;
  /** Share of calls that fail. */
  readonly failures: number;
  /** Factor on durations. */
  readonly slowness: number;
  /** Factor on the number of calls of the project. */
  readonly traffic: number;
}

const HOUR = 60;
const DAY = 24 * HOUR;

export const INCIDENTS: readonly Incident[] = [
  incident(0, 'rest', 5 * DAY + 3 * HOUR, 35, { failures: 0.34, slowness: 6 }),
  incident(1, 'auth', 4 * DAY + 9 * HOUR, 50, { failures: 0.22, slowness: 2 }),
  incident(2, 'storage', 3 * DAY + 2 * HOUR, 90, { failures: 0.03, slowness: 9 }),
  incident(3, 'other', 2 * DAY + 5 * HOUR, 40, { traffic: 5 }),
  incident(0, 'functions', DAY + 7 * HOUR, 25, { failures: 0.4, slowness: 3 }),
  incident(1, 'rest', 5 * HOUR, 20, { failures: 0.18, slowness: 8 }),
  incident(0, 'rest', 38, 9, { failures: 0.3, slowness: 4 }),
];

function incident(
  project: number,
  area: ApiArea,
  minutesBeforeEnd: number,
  lengthMinutes: number,
  effect: { failures?: number; slowness?: number; traffic?: number }
): Incident {
  return {
    project,
    area,
    fromMinutes: minutesBeforeEnd,
    toMinutes: minutesBeforeEnd - lengthMinutes,
    failures: effect.failures ?? 0,
    slowness: effect.slowness ?? 1,
    traffic: effect.traffic ?? 1,
  };
}

/** The incident of a project at a minute before the end, if any. */
export function incidentAt(project: number, minutesBeforeEnd: number): Incident | undefined {
  return INCIDENTS.find(
    (each) => each.project === project && minutesBeforeEnd <= each.fromMinutes && minutesBeforeEnd > each.toMinutes
  );
}
