/**
 * Sample logs of all nine sources in a time window: generated traffic of five fictional projects. Equal options give
 * equal events with equal ids. The clock is not read: the caller passes the end of the window.
 */
import { eventId } from './event-id';
import { createRandom } from './random';
import { isoMicros, SAMPLE_SOURCE_NAMES, type SampleEvent, type SampleLine, type SampleSource } from './sample-event';
import { timeline } from './scenario/timeline';
import { routineLine, traceOfCall } from './sources/trace';

export interface SampleOptions {
  /** The end of the window, exclusive; microseconds since 1970. */
  readonly endMicros: number;
  /** Exact number of edge requests; the other sources contain the lines that these cause. */
  readonly edgeRequests: number;
  /** @default 7 */
  readonly days?: number;
  /** @default 1 */
  readonly seed?: number;
}

export interface SourceEvent {
  readonly source: SampleSource;
  readonly event: SampleEvent;
}

/** Lines that are independent of calls, per edge request. */
const ROUTINE_SHARE = 0.15;

/** Events of all sources, ordered by the start of their call. All are inside the window. */
export function* sampleTraffic(options: SampleOptions): Generator<SourceEvent> {
  const { endMicros, days = 7, seed = 1, edgeRequests } = options;
  const random = createRandom(seed * 31);
  const positions = new Map<SampleSource, number>();
  for (const moment of timeline({ endMicros, days, count: edgeRequests }, random)) {
    const lines = traceOfCall(moment, random);
    if (random.chance(ROUTINE_SHARE)) lines.push(routineLine(moment, random));
    for (const line of lines) {
      const position = positions.get(line.source) ?? 0;
      positions.set(line.source, position + 1);
      // The last calls are still running at the end of the window.
      const micros = Math.min(line.micros, endMicros - 1);
      const id = eventId(seed, SAMPLE_SOURCE_NAMES.indexOf(line.source), position);
      yield { source: line.source, event: sampleEvent(id, { ...line, micros }) };
    }
  }
}

/** Events of one source, ordered by the start of their call. */
export function* sampleEvents(source: SampleSource, options: SampleOptions): Generator<SampleEvent> {
  for (const made of sampleTraffic(options)) if (made.source === source) yield made.event;
}

export function sampleEvent(id: string, { micros, body }: SampleLine): SampleEvent {
  return { id, timestamp: isoMicros(micros), ...body };
}
