/**
 * Hostile events and bodies of tests/corpus/http/formats/hostile-events.yaml at every route of events, with the real
 * engine.
 *
 * @slow 60
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync, gzipSync } from 'node:zlib';
import { parse } from 'yaml';
import buildServer from '../../support/processes/build-server';
import {
  createPlace,
  type Place,
  PROCESS_TOKEN,
  type ServiceProcess,
  startService,
} from '../../support/servers/spawned';

interface Route {
  readonly name: string;
  readonly path: string;
  readonly layout: keyof typeof LAYOUTS;
  readonly event: string;
}

interface Corpus {
  readonly routes: readonly Route[];
  readonly fields: readonly { readonly name: string; readonly fields: string }[];
  readonly bodies: readonly { readonly name: string; readonly body: string }[];
}

const LAYOUTS = {
  lines: (events: readonly string[]) => events.join('\n'),
  array: (events: readonly string[]) => `[${events.join(',')}]`,
  joined: (events: readonly string[]) => events.join(''),
  bulk: (events: readonly string[]) => events.map((event) => `{"create":{}}\n${event}\n`).join(''),
};

const COUNT = `id: 7d1a9fd0-0000-4000-8000-0000000000a1
name: count
parameters:
  - { name: project, required: true }
query: |
  SELECT COUNT(*) AS n FROM edge_requests AS t WHERE t.project = @project AND CONTAINS_SUBSTR(t.event_message, 'good')
`;

const { routes, fields, bodies } = parse(
  readFileSync(join(__dirname, '../../corpus/http/formats/hostile-events.yaml'), 'utf8')
) as Corpus;

let place: Place;
let service: ServiceProcess;
let requests = 0;

beforeAll(async () => {
  await buildServer();
  place = createPlace();
  writeFileSync(join(place.endpointsDir, 'count.yaml'), COUNT);
  service = await startService(place, { LQE_LOG_LEVEL: 'warn', LQE_MAX_REQUESTS_PER_MINUTE: '1000000' });
}, 180_000);
afterAll(async () => {
  expect(service.child.exitCode).toBeNull();
  expect(await service.stop('SIGINT')).toBe(0);
  place.remove();
});

const repeated = (text: string): string =>
  text.replace(/\{\{([^*]+)\*(\d+)\}\}/g, (_all, part: string, times: string) => part.repeat(Number(times)));
const eventOf = ({ event }: Route, more = ''): string =>
  event.replace('{{fields}}', () => (more === '' ? '' : `,${more}`));

interface Outcome {
  readonly status: number;
  readonly text: string;
  /** Good events that are stored. */
  readonly stored: number;
}

async function post(route: Route, body: string | Uint8Array, headers: Record<string, string> = {}): Promise<Outcome> {
  const project = `p${(requests += 1)}`;
  const answer = await fetch(`${service.url}${route.path}?source=edge_requests&project=${project}`, {
    method: 'POST',
    headers: { 'X-API-KEY': PROCESS_TOKEN, 'Content-Type': 'application/json', ...headers },
    body,
  });
  const text = await answer.text();
  const counted = await fetch(`${service.url}/api/endpoints/query/count?project=${project}`, {
    headers: { 'X-API-KEY': PROCESS_TOKEN },
  });
  const { result } = (await counted.json()) as { result: readonly [{ readonly n: number }] };
  return { status: answer.status, text, stored: result[0].n };
}

/** Null when the answer is one of the service, with a code where it is a refusal. */
function problemOf({ status, text }: Outcome): string | null {
  if (status >= 200 && status < 300) return null;
  return status >= 400 && status < 500 && /"(code|type)":"[a-z_]+"/.test(text)
    ? null
    : `${status} ${text.slice(0, 200)}`;
}

describe.each(routes)('$name', (route) => {
  const good = eventOf(route);
  const layout = LAYOUTS[route.layout];

  it.each(fields)('stores the events beside one with $name', async ({ fields: more }) => {
    const outcome = await post(route, layout([good, eventOf(route, repeated(more)), `${good} `]));
    expect(problemOf(outcome)).toBeNull();
    expect(outcome.stored).toBeGreaterThanOrEqual(2);
  });

  it.each(bodies)('survives $name', async ({ body }) => {
    expect(problemOf(await post(route, repeated(body)))).toBeNull();
  });

  it('stores all members of a gzip body', async () => {
    const text = layout([good, `${good} `]);
    const half = Math.floor(text.length / 2);
    const body = Buffer.concat([gzipSync(text.slice(0, half)), gzipSync(text.slice(half))]);
    const outcome = await post(route, body, { 'Content-Encoding': 'gzip' });
    expect([problemOf(outcome), outcome.stored]).toEqual([null, 2]);
  });

  it('refuses content codings that are wrong, unknown, several or bombs', async () => {
    const body = Buffer.from(layout([good]));
    const gzip = gzipSync(body);
    const changed = Buffer.from(gzip);
    changed[changed.length - 6]! ^= 1;
    const sent: readonly (readonly [Uint8Array, string])[] = [
      [gzip.subarray(0, -9), 'gzip'],
      [changed, 'gzip'],
      [body, 'gzip'],
      [gzipSync(gzip), 'gzip, gzip'],
      [deflateSync(body), 'deflate'],
      [body, 'br'],
      [body, 'snappy'],
      [gzipSync(Buffer.alloc(70_000_000, ' ')), 'gzip'],
    ];
    const statuses: number[] = [];
    for (const [bytes, coding] of sent) {
      const outcome = await post(route, bytes, { 'Content-Encoding': coding });
      expect([problemOf(outcome), outcome.stored]).toEqual([null, 0]);
      statuses.push(outcome.status);
    }
    expect(statuses).toEqual([400, 400, 400, 415, 415, 415, 415, 413]);
  });
});
