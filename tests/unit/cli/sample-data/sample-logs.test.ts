/** @slow 15 */
import { incidentsBetween } from '#server/cli/sample-data/scenario/incidents';
import { SAMPLE_PROJECTS } from '#server/cli/sample-data/scenario/projects';
import { createRandom } from '#server/cli/sample-data/random';
import { SAMPLE_SOURCE_NAMES, type SampleEvent, type SampleSource } from '#server/cli/sample-data/sample-event';
import { sampleEvents, type SampleOptions, sampleTraffic, type SourceEvent } from '#server/cli/sample-data/sample-logs';
import { timeline } from '#server/cli/sample-data/scenario/timeline';

const END_MICROS = Date.UTC(2026, 2, 10, 12) * 1000;
const HOUR_MICROS = 3600 * 1_000_000;
const WEEK_MICROS = 7 * 24 * HOUR_MICROS;
const OPTIONS: SampleOptions = { endMicros: END_MICROS, edgeRequests: 10_000 };

/** By options: the events of all sources are made in one go. */
const made = new Map<SampleOptions, SourceEvent[]>();

function events(source: SampleSource, options: SampleOptions = OPTIONS): SampleEvent[] {
  const all = made.get(options) ?? [...sampleTraffic(options)];
  made.set(options, all);
  return all.filter((one) => one.source === source).map(({ event }) => event);
}

function microsOf(event: SampleEvent): number {
  return Date.parse(event.timestamp) * 1000 + Number(event.timestamp.slice(-4, -1));
}

describe('sample logs', () => {
  it('are the same for the same options', () => {
    const options = { ...OPTIONS, edgeRequests: 500 };
    expect([...sampleEvents('auth_service', options)]).toEqual([...sampleEvents('auth_service', options)]);
  });

  it('differ for another seed, ids included', () => {
    const [first, second] = [1, 2].map((seed) => sampleEvents('edge_requests', { ...OPTIONS, seed }).next().value!);
    expect(first?.id).not.toBe(second?.id);
    expect(first?.event_message).not.toBe(second?.event_message);
  });

  it.each(SAMPLE_SOURCE_NAMES)('of %s are inside the window', (source) => {
    const times = events(source).map(microsOf);
    expect(times.length).toBeGreaterThan(OPTIONS.edgeRequests / 100);
    expect(Math.min(...times)).toBeGreaterThanOrEqual(END_MICROS - WEEK_MICROS);
    expect(Math.max(...times)).toBeLessThan(END_MICROS);
  });

  it('have the requested number of edge requests, in the order of time', () => {
    const times = events('edge_requests').map(microsOf);
    expect(times).toHaveLength(OPTIONS.edgeRequests);
    expect(times.every((time, place) => place === 0 || time >= (times[place - 1] as number))).toBe(true);
  });

  it('show requests of the first project in the last hour, at any hour', () => {
    // Steps of seven hours reach every hour of the day and both ends of the week.
    const hours = Array.from({ length: 24 }, (_, step) => END_MICROS + step * 7 * HOUR_MICROS);
    const counts = hours.map((endMicros) => {
      const moments = [...timeline({ endMicros, days: 7, count: 10_000 }, createRandom(31))];
      return moments.filter(
        ({ micros, project }) => micros >= endMicros - HOUR_MICROS && project === SAMPLE_PROJECTS[0]
      ).length;
    });
    expect(Math.min(...counts)).toBeGreaterThan(5);
  });

  it('have ids that are unique over all sources and look like UUIDs', () => {
    const ids = SAMPLE_SOURCE_NAMES.flatMap((source) => events(source).map((event) => event.id));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id))).toBe(
      true
    );
  });

  it('have only addresses of the documentation ranges and hosts of example.com', () => {
    const text = SAMPLE_SOURCE_NAMES.map((source) => JSON.stringify(events(source))).join();
    const addresses = text.match(/(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])/g) ?? [];
    const outside = addresses.filter((address) => !/^(203\.0\.113|198\.51\.100)\.|^\d+\.0\.0\.0$/.test(address));
    expect(addresses.length).toBeGreaterThan(1000);
    expect(outside).toEqual([]);
    const hosts = text.match(/https:\/\/[^/"\\\s?)]+/g) ?? [];
    expect(hosts.filter((host) => !/(^https:\/\/|\.)example\.com$/.test(host))).toEqual([]);
  });

  it('cover each API area, each project and each class of status', () => {
    const requests = events('edge_requests');
    for (const area of ['/rest/v1', '/storage/v1', '/auth/v1', '/realtime/v1', '/functions/v1']) {
      expect(requests.some((event) => event.event_message.includes(area))).toBe(true);
    }
    for (const { ref } of SAMPLE_PROJECTS) {
      expect(ref).toMatch(/^[a-z]{20}$/);
      expect(requests.some((event) => event.project === ref)).toBe(true);
    }
    for (const status of [/\| 2\d\d \|/, /\| 3\d\d \|/, /\| 4\d\d \|/, /\| 5\d\d \|/]) {
      expect(requests.some((event) => status.test(event.event_message))).toBe(true);
    }
  });

  it('are fewer by night than by day', () => {
    const hours = new Map<number, number>();
    for (const event of events('edge_requests')) {
      if (event.project !== 'acornharvestplatform') continue;
      const hour = Number(event.timestamp.slice(11, 13));
      hours.set(hour, (hours.get(hour) ?? 0) + 1);
    }
    expect(hours.get(14)).toBeGreaterThan(2 * (hours.get(2) as number));
  });

  it('fail more often during an incident', () => {
    const incidents = incidentsBetween(0, END_MICROS - WEEK_MICROS, END_MICROS).filter(
      ({ kind }) => kind === 'database'
    );
    const isDuring = (micros: number): boolean =>
      incidents.some(({ startMicros, endMicros }) => micros >= startMicros && micros < endMicros);
    const requests = events('edge_requests', { ...OPTIONS, edgeRequests: 40_000 }).filter(
      ({ project }) => project === SAMPLE_PROJECTS[0]?.ref
    );
    const shareOfFailures = (some: readonly SampleEvent[]): number =>
      some.filter((event) => / \| 5\d\d \| /.test(event.event_message)).length / some.length;
    expect(shareOfFailures(requests.filter((event) => isDuring(microsOf(event))))).toBeGreaterThan(0.12);
    expect(shareOfFailures(requests.filter((event) => !isDuring(microsOf(event))))).toBeLessThan(0.05);
  });

  it('of the authentication service have JSON as their message', () => {
    for (const event of events('auth_service')) {
      expect(JSON.parse(event.event_message)).toHaveProperty('msg');
    }
  });
});
