/** Form of the sample events for `POST /api/logs`. */
import type { ApiCall } from './sources/api-calls';
import type { Agent, Place } from './scenario/callers';
import type { Moment } from './scenario/timeline';

/** An event. `project` is set for sources with such a column; the others name the project inside `metadata`. */
export interface SampleEvent {
  readonly id: string;
  /** ISO 8601 with microseconds, UTC. */
  readonly timestamp: string;
  readonly project?: string;
  readonly event_message: string;
  readonly metadata: object;
}

export const SAMPLE_SOURCE_NAMES = [
  'edge_requests',
  'database',
  'function_relay',
  'function_events',
  'auth_service',
  'realtime_service',
  'storage_service',
  'rest_gateway',
  'connection_pooler',
] as const;

export type SampleSource = (typeof SAMPLE_SOURCE_NAMES)[number];

/** The source's own part of an event. */
export type EventBody = Pick<SampleEvent, 'event_message' | 'metadata' | 'project'>;

/** A line of one of the nine sources, before it gets an id. */
export interface SampleLine {
  readonly source: SampleSource;
  /** Microseconds since 1970. */
  readonly micros: number;
  readonly body: EventBody;
}

/** A call with the facts that all of its lines share. */
export interface CallFacts {
  readonly moment: Moment;
  readonly call: ApiCall;
  readonly address: string;
  readonly agent: Agent;
  readonly place: Place;
  /** Ray id of the edge: 16 hexadecimal digits. */
  readonly ray: string;
  readonly requestId: string;
}

export function isoMicros(micros: number): string {
  const millis = Math.floor(micros / 1000);
  const rest = String(Math.floor(micros - millis * 1000)).padStart(3, '0');
  return `${new Date(millis).toISOString().slice(0, -1)}${rest}Z`;
}

/** Rounds to thousandths, the precision of logged durations. */
export function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
