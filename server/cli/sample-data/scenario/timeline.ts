/**
 * Times of events: exactly `count` moments in time order, each with its project, more by day than by night and fewer at
 * weekends. Each minute of the window gets its share of the count, distributed at random.
 */
import { incidentAt, type Incident } from './incidents';
import { SAMPLE_PROJECTS, type SampleProject } from './projects';
import type { Random } from '../random';

export interface Moment {
  /** Microseconds since 1970. */
  readonly micros: number;
  readonly project: SampleProject;
  readonly incident: Incident | undefined;
}

export interface TimelineOptions {
  /** The end of the window, exclusive; microseconds since 1970. */
  readonly endMicros: number;
  readonly days: number;
  readonly count: number;
}

const MINUTE_MICROS = 60_000_000;

/** Minimum activity in the last hour, which a new user sees first. */
const LAST_MINUTES = 60;
const LEAST_RHYTHM_AT_LAST = 0.7;

interface Minute {
  readonly startMicros: number;
  readonly incidents: readonly (Incident | undefined)[];
  /** Running sums of the projects' weights. */
  readonly reached: readonly number[];
  readonly weight: number;
}

export function* timeline(options: TimelineOptions, random: Random): Generator<Moment> {
  const minutes = describeMinutes(options);
  const total = minutes.reduce((sum, minute) => sum + minute.weight, 0);
  let weightReached = 0;
  let made = 0;
  for (const minute of minutes) {
    weightReached += minute.weight;
    const due = Math.round((weightReached / total) * options.count) - made;
    made += due;
    yield* momentsOf(minute, due, random);
  }
}

function describeMinutes({ endMicros, days }: TimelineOptions): Minute[] {
  const count = Math.round(days * 24 * 60);
  return Array.from({ length: count }, (_, place) => {
    const startMicros = endMicros - (count - place) * MINUTE_MICROS;
    const leastRhythm = count - place <= LAST_MINUTES ? LEAST_RHYTHM_AT_LAST : 0;
    const incidents = SAMPLE_PROJECTS.map((_project, index) => incidentAt(index, startMicros));
    const reached: number[] = [];
    let weight = 0;
    SAMPLE_PROJECTS.forEach((project, index) => {
      const busyness = Math.max(rhythm(startMicros, project.peakHour), leastRhythm);
      weight += project.weight * busyness * (incidents[index]?.traffic ?? 1);
      reached.push(weight);
    });
    return { startMicros, incidents, reached, weight };
  });
}

/** Activity of a project: 1 at its peak hour, a fifth of that twelve hours later, two thirds at weekends. */
export function rhythm(micros: number, peakHour: number): number {
  const date = new Date(micros / 1000);
  const hour = date.getUTCHours() + date.getUTCMinutes() / 60;
  const day = 0.6 + 0.4 * Math.cos(((hour - peakHour) / 24) * 2 * Math.PI);
  const isWeekend = date.getUTCDay() === 0 || date.getUTCDay() === 6;
  return day * (isWeekend ? 0.66 : 1);
}

function* momentsOf(minute: Minute, count: number, random: Random): Generator<Moment> {
  const offsets = Float64Array.from({ length: count }, () => random.below(MINUTE_MICROS)).sort();
  for (const offset of offsets) {
    const mark = random.next() * minute.weight;
    const index = minute.reached.findIndex((reached) => mark < reached);
    yield {
      micros: minute.startMicros + offset,
      project: SAMPLE_PROJECTS[index] as SampleProject,
      incident: minute.incidents[index],
    };
  }
}
