/**
 * Sample logs of all nine sources: a week of traffic of five invented projects, made by rules and a seed.
 * The same options give the same events with the same ids. No clock is read: the caller says where the week ends.
 */
import { makeDatabaseEvent } from './database';
import { makeEdgeRequest } from './edge-requests';
import { eventId } from './event-id';
import { makeFunctionRelayEvent, makeFunctionRuntimeEvent } from './functions';
import { createRandom } from './random';
import { isoMicros, type EventMaker, type SampleEvent } from './sample-event';
import { makeAuthEvent, makePoolerEvent, makeRealtimeEvent, makeRestGatewayEvent, makeStorageEvent } from './services';
import { timeline } from './timeline';

export interface SampleOptions {
  /** The end of the window, exclusive; microseconds since 1970. */
  readonly endMicros: number;
  /** Edge requests to make; the other sources follow in proportion. */
  readonly edgeRequests: number;
  /** @default 7 */
  readonly days?: number;
  /** @default 1 */
  readonly seed?: number;
}

/** Makers by source name, with the number of events per edge request. */
const SAMPLE_SOURCES = {
  edge_requests: { share: 1, make: makeEdgeRequest },
  database: { share: 0.15, make: makeDatabaseEvent },
  function_relay: { share: 0.06, make: makeFunctionRelayEvent },
  function_events: { share: 0.08, make: makeFunctionRuntimeEvent },
  auth_service: { share: 0.15, make: makeAuthEvent },
  realtime_service: { share: 0.05, make: makeRealtimeEvent },
  storage_service: { share: 0.12, make: makeStorageEvent },
  rest_gateway: { share: 0.03, make: makeRestGatewayEvent },
  connection_pooler: { share: 0.05, make: makePoolerEvent },
} as const satisfies Record<string, { share: number; make: EventMaker }>;

export type SampleSource = keyof typeof SAMPLE_SOURCES;

export const SAMPLE_SOURCE_NAMES = Object.keys(SAMPLE_SOURCES) as SampleSource[];

/** How many events `sampleEvents` yields for a source. */
export function sampleCount(source: SampleSource, options: Pick<SampleOptions, 'edgeRequests'>): number {
  return Math.round(options.edgeRequests * SAMPLE_SOURCES[source].share);
}

/** The events of one source in time order. */
export function* sampleEvents(source: SampleSource, options: SampleOptions): Generator<SampleEvent> {
  const { endMicros, days = 7, seed = 1 } = options;
  const stream = SAMPLE_SOURCE_NAMES.indexOf(source);
  const random = createRandom(seed * 31 + stream);
  const { make } = SAMPLE_SOURCES[source];
  const count = sampleCount(source, options);
  let position = 0;
  for (const moment of timeline({ endMicros, days, count }, random)) {
    yield { id: eventId(seed, stream, position), timestamp: isoMicros(moment.micros), ...make(moment, random) };
    position += 1;
  }
}
