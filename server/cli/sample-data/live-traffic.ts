/**
 * Endless sample logs. The events of a minute are derived from its number and a seed, so that an interrupted sender can
 * continue and repeated events have the same ids. A minute consists of `LANES` equal shares: a long time range can be
 * filled evenly with one share first and made denser later.
 */
import { eventId } from './event-id';
import { incidentAt } from './scenario/incidents';
import { SAMPLE_PROJECTS, type SampleProject } from './scenario/projects';
import { createRandom, type Random } from './random';
import type { SampleLine } from './sample-event';
import { sampleEvent, type SourceEvent } from './sample-logs';
import { rhythm, type Moment } from './scenario/timeline';
import { ROUTINE_SOURCES, routineLine, traceOfCall, traceOfScheduled } from './sources/trace';

export const LANES = 30;

export interface LiveEvent extends SourceEvent {
  /** Microseconds since 1970: when it happens. */
  readonly micros: number;
  /** Minute in which its call begins, from which it was derived. */
  readonly minute: number;
}

const MINUTE_MICROS = 60_000_000;
const SECOND_MICROS = 1_000_000;

/** Client calls of all projects per minute, at the peak time of each. */
const CALLS_AT_PEAK = 64;

/**
 * Seconds between two rounds of scheduled events of a project, in which nine sources write a line each. The first
 * project is used by all examples.
 */
const roundSeconds = (project: number): number => (project === 0 ? 9 : 180);

const SCHEDULED = ['auth', 'storage', 'functions'] as const;

const TOTAL_WEIGHT = SAMPLE_PROJECTS.reduce((sum, { weight }) => sum + weight, 0);

/**
 * @param minute number of the minute since 1970
 * @param lane from 0 to `LANES` - 1
 * @returns the lane's events in time order; a call that begins late in the minute ends in the next
 */
export function minuteEvents(minute: number, lane: number, seed = 1): LiveEvent[] {
  const random = createRandom(Math.imul(minute, 0x2545f491) ^ Math.imul(lane + 1, 0x9e3779b1) ^ seed);
  const lines = SAMPLE_PROJECTS.flatMap((project, index) => [
    ...clientLines(project, index, minute, random),
    ...roundLines(project, index, minute, lane, random),
  ]);
  const stream = minute * LANES + lane;
  return lines
    .map((line, position) => ({
      source: line.source,
      micros: line.micros,
      minute,
      event: sampleEvent(eventId(seed, stream, position), line),
    }))
    .sort((a, b) => a.micros - b.micros);
}

function clientLines(project: SampleProject, index: number, minute: number, random: Random): SampleLine[] {
  const startMicros = minute * MINUTE_MICROS;
  const incident = incidentAt(index, startMicros);
  const share = (project.weight / TOTAL_WEIGHT) * rhythm(startMicros, project.peakHour) * (incident?.traffic ?? 1);
  // The fraction decides at random whether there is one more call.
  const count = Math.floor((CALLS_AT_PEAK / LANES) * share + random.next());
  return Array.from({ length: count }, () => {
    const moment: Moment = { micros: startMicros + random.below(MINUTE_MICROS), project, incident };
    return traceOfCall(moment, random);
  }).flat();
}

/** Lines of the scheduled rounds, which are distributed over the lanes. */
function roundLines(project: SampleProject, index: number, minute: number, lane: number, random: Random): SampleLine[] {
  const length = roundSeconds(index);
  const first = Math.ceil((minute * 60) / length);
  const end = Math.ceil(((minute + 1) * 60) / length);
  const lines: SampleLine[] = [];
  for (let round = first; round < end; round++) {
    if (round % LANES !== lane) continue;
    const at = (): Moment => {
      const micros = round * length * SECOND_MICROS + random.below(SECOND_MICROS);
      return { micros, project, incident: incidentAt(index, micros) };
    };
    for (const source of ROUTINE_SOURCES) lines.push(routineLine(at(), random, source));
    for (const area of SCHEDULED) lines.push(...traceOfScheduled(area, at(), random));
  }
  return lines;
}
