import fc from 'fast-check';
import { incidentsBetween, type Incident, type IncidentKind } from '#server/cli/sample-data/scenario/incidents';
import { LANES, type LiveEvent, minuteEvents } from '#server/cli/sample-data/live-traffic';
import { SAMPLE_PROJECTS } from '#server/cli/sample-data/scenario/projects';
import { SAMPLE_SOURCE_NAMES, type SampleSource } from '#server/cli/sample-data/sample-event';

const FIRST_MINUTE = Date.UTC(2026, 2, 10, 3) / 60_000;
const MINUTE_MICROS = 60_000_000;
const DAY_MICROS = 24 * 60 * MINUTE_MICROS;
const [FIRST_PROJECT] = SAMPLE_PROJECTS;

const anyMinute = fc.integer({ min: FIRST_MINUTE, max: FIRST_MINUTE + 60 * 24 * 30 });

/** All lanes, in the order of time. */
function wholeMinute(minute: number, seed = 1): LiveEvent[] {
  return Array.from({ length: LANES }, (_, lane) => minuteEvents(minute, lane, seed))
    .flat()
    .sort((a, b) => a.micros - b.micros);
}

function projectOf({ event }: LiveEvent): string | undefined {
  const { project, project_ref: ref } = event.metadata as { project?: string; project_ref?: string };
  return event.project ?? project ?? ref;
}

function incident(kind: IncidentKind): Incident {
  const from = FIRST_MINUTE * MINUTE_MICROS;
  return incidentsBetween(0, from, from + DAY_MICROS).find((each) => each.kind === kind)!;
}

const windows = new Map<string, LiveEvent[]>();

function eventsOfFirstProject(fromMicros: number, toMicros: number): LiveEvent[] {
  const key = `${fromMicros} ${toMicros}`;
  const made = windows.get(key) ?? makeEventsOfFirstProject(fromMicros, toMicros);
  windows.set(key, made);
  return made;
}

function makeEventsOfFirstProject(fromMicros: number, toMicros: number): LiveEvent[] {
  const [first, end] = [Math.floor(fromMicros / MINUTE_MICROS), Math.floor(toMicros / MINUTE_MICROS)];
  return Array.from({ length: end - first }, (_, at) => wholeMinute(first + at))
    .flat()
    .filter((made) => projectOf(made) === FIRST_PROJECT?.ref);
}

const TROUBLE = /"level":"(error|warning)"|severity":"(ERROR|FATAL)"|duration: \d{4}| \| 5\d\d \| /;

/** Lines per minute that show trouble. */
function troubles(source: SampleSource, fromMicros: number, toMicros: number): number {
  const found = eventsOfFirstProject(fromMicros, toMicros).filter(
    (made) => made.source === source && TROUBLE.test(JSON.stringify(made.event))
  );
  return found.length / ((toMicros - fromMicros) / MINUTE_MICROS);
}

test('each minute has lines of all nine sources for the first project, at any time of day', () => {
  fc.assert(
    fc.property(anyMinute, (minute) => {
      const sources = wholeMinute(minute)
        .filter((made) => projectOf(made) === FIRST_PROJECT?.ref)
        .map(({ source }) => source);
      expect(new Set(sources)).toEqual(new Set(SAMPLE_SOURCE_NAMES));
    }),
    { numRuns: 20 }
  );
});

test('the same minute, lane and seed give the same events; another seed gives others', () => {
  fc.assert(
    fc.property(anyMinute, fc.nat(LANES - 1), (minute, lane) => {
      expect(minuteEvents(minute, lane)).toEqual(minuteEvents(minute, lane));
    }),
    { numRuns: 20 }
  );
  const [some, others] = [1, 2].map((seed) => new Set(wholeMinute(FIRST_MINUTE, seed).map(({ event }) => event.id)));
  expect([...some!].filter((id) => others!.has(id))).toEqual([]);
});

test('ids are unique over hours, and times are in the minute of the call', () => {
  const made = Array.from({ length: 120 }, (_, at) => wholeMinute(FIRST_MINUTE + at)).flat();
  expect(made.length).toBeGreaterThan(5000);
  expect(new Set(made.map(({ event }) => event.id)).size).toBe(made.length);
  for (const { micros, minute, event } of made) {
    expect(micros).toBeGreaterThanOrEqual(minute * MINUTE_MICROS);
    expect(Date.parse(event.timestamp)).toBe(Math.floor(micros / 1000));
  }
});

test('lanes have about equal shares', () => {
  const sizes = Array.from({ length: LANES }, (_, lane) =>
    Array.from({ length: 180 }, (_, at) => minuteEvents(FIRST_MINUTE + at, lane).length).reduce((a, b) => a + b)
  );
  const mean = sizes.reduce((a, b) => a + b) / LANES;
  for (const size of sizes) expect(Math.abs(size - mean)).toBeLessThan(mean / 3);
});

test('a slow database is visible in all nine sources', () => {
  const { startMicros, endMicros } = incident('database');
  const lengthMicros = endMicros - startMicros;
  for (const source of SAMPLE_SOURCE_NAMES) {
    const [during, before] = [
      troubles(source, startMicros, endMicros),
      troubles(source, startMicros - lengthMicros, startMicros),
    ];
    expect({ source, isWorse: during > 2 * before && during > 0 }).toEqual({ source, isWorse: true });
  }
});

test.each<[IncidentKind, readonly SampleSource[]]>([
  ['auth', ['auth_service']],
  ['functions', ['edge_requests', 'function_events']],
  ['pooler', ['edge_requests', 'connection_pooler', 'database', 'rest_gateway']],
])('an incident of the kind %s is visible in %s', (kind, sources) => {
  const { startMicros, endMicros } = incident(kind);
  for (const source of sources) {
    const before = troubles(source, startMicros - 10 * MINUTE_MICROS, startMicros);
    expect(troubles(source, startMicros, endMicros)).toBeGreaterThan(2 * before);
  }
});

test('a call at the edge has a line of its service, for the same request', () => {
  const made = wholeMinute(FIRST_MINUTE + 600);
  const requests = made
    .filter(({ source }) => source === 'auth_service')
    .map(({ event }) => event.metadata as { request_id: string; status: number; path: string })
    // Health checks come from inside.
    .filter(({ path }) => path !== '/health');
  expect(requests.length).toBeGreaterThan(1);
  const edge = made
    .filter(({ source }) => source === 'edge_requests')
    .map(
      ({ event }) =>
        (event.metadata as { response: { status_code: number; headers: { sb_request_id?: string } } }).response
    );
  for (const { request_id: id, status } of requests)
    expect(edge.find(({ headers }) => headers.sb_request_id === id)?.status_code).toBe(status);
});
