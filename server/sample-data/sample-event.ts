/** The shape in which events are sent to `POST /api/logs`. */
import type { Moment } from './timeline';
import type { Random } from './random';

/** `project` is there for sources that have it as a column; the others name their project inside `metadata`. */
export interface SampleEvent {
  readonly id: string;
  /** ISO 8601 with microseconds, UTC. */
  readonly timestamp: string;
  readonly project?: string;
  readonly event_message: string;
  readonly metadata: object;
}

/** Makes the source's own part of an event. */
export type EventMaker = (
  moment: Moment,
  random: Random
) => Pick<SampleEvent, 'event_message' | 'metadata' | 'project'>;

export function isoMicros(micros: number): string {
  const millis = Math.floor(micros / 1000);
  const rest = String(micros - millis * 1000).padStart(3, '0');
  return `${new Date(millis).toISOString().slice(0, -1)}${rest}Z`;
}

/** Thousandths at most, as durations are logged. */
export function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
