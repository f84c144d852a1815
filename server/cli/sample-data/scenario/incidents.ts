/**
 * What goes wrong in the sample logs, and when, so that charts and alert rules have something to show. The schedule is
 * a function of the time alone: any window of it can be made again, and a sender that goes on for weeks never runs out
 * of incidents.
 */
import { createRandom } from '../random';

export type ApiArea = 'rest' | 'storage' | 'auth' | 'realtime' | 'functions' | 'other';

/**
 * - `database`: slow statements and timeouts; every service behind the edge fails now and then
 * - `pooler`: no free connections; calls that need the database fail fast
 * - `auth`: one network tries passwords; many failed logins
 * - `functions`: the newest version of one function throws
 * - `storage`: slow files
 */
export type IncidentKind = 'database' | 'pooler' | 'auth' | 'functions' | 'storage';

interface Effect {
  /** Failure rate per area. */
  readonly failures: Partial<Record<ApiArea, number>>;
  /** Factor for durations. */
  readonly slowness: Partial<Record<ApiArea, number>>;
  /** Factor for the number of calls of the project. */
  readonly traffic: number;
}

const EFFECTS: Readonly<Record<IncidentKind, Effect>> = {
  database: {
    failures: { rest: 0.34, auth: 0.2, storage: 0.12, functions: 0.4, realtime: 0.15 },
    slowness: { rest: 7, auth: 4, storage: 3, functions: 4 },
    traffic: 1,
  },
  pooler: {
    failures: { rest: 0.42, auth: 0.25, functions: 0.1, realtime: 0.1 },
    slowness: { rest: 2, auth: 2 },
    traffic: 1,
  },
  auth: { failures: {}, slowness: { auth: 2 }, traffic: 2.2 },
  functions: { failures: { functions: 0.6 }, slowness: { functions: 2 }, traffic: 1 },
  storage: { failures: { storage: 0.06 }, slowness: { storage: 9 }, traffic: 1 },
};

export interface Incident extends Effect {
  readonly kind: IncidentKind;
  /** Microseconds since 1970; the end is exclusive. */
  readonly startMicros: number;
  readonly endMicros: number;
}

const MINUTE_MICROS = 60_000_000;
const SHORTEST_MINUTES = 6;
const LONGEST_MINUTES = 15;

/**
 * Length of a slot in minutes; each slot has one incident. The first project, used by all examples, has the shortest
 * slots.
 */
const slotMinutes = (project: number): number => (project === 0 ? 120 : 420 + project * 60);

const KINDS: readonly IncidentKind[] = ['database', 'auth', 'functions', 'pooler', 'storage'];

/** Last incident per project: callers proceed in time order. */
const lastAsked = new Map<number, { readonly slot: number; readonly incident: Incident }>();

/** The incident of a project at a time in microseconds, if any. */
export function incidentAt(project: number, micros: number): Incident | undefined {
  const slot = Math.floor(micros / (slotMinutes(project) * MINUTE_MICROS));
  const last = lastAsked.get(project);
  const incident = last?.slot === slot ? last.incident : incidentOfSlot(project, slot);
  lastAsked.set(project, { slot, incident });
  return micros >= incident.startMicros && micros < incident.endMicros ? incident : undefined;
}

/** All incidents of a project that begin in a window of time, in order. */
export function incidentsBetween(project: number, fromMicros: number, toMicros: number): Incident[] {
  const slotMicros = slotMinutes(project) * MINUTE_MICROS;
  const first = Math.floor(fromMicros / slotMicros);
  const count = Math.floor(toMicros / slotMicros) - first + 1;
  return Array.from({ length: count }, (_, index) => incidentOfSlot(project, first + index)).filter(
    ({ startMicros }) => startMicros >= fromMicros && startMicros < toMicros
  );
}

/** The kinds alternate, so that each occurs regularly. */
function incidentOfSlot(project: number, slot: number): Incident {
  const random = createRandom(Math.imul(slot, 31) + project);
  const minutes = SHORTEST_MINUTES + random.below(LONGEST_MINUTES - SHORTEST_MINUTES + 1);
  const slotStart = slot * slotMinutes(project);
  const startMicros = (slotStart + random.below(slotMinutes(project) - minutes)) * MINUTE_MICROS;
  const kind = KINDS[(slot + project) % KINDS.length] as IncidentKind;
  return { kind, ...EFFECTS[kind], startMicros, endMicros: startMicros + minutes * MINUTE_MICROS };
}
