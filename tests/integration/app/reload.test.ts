/**
 * SIGHUP: changed files are served, and broken ones are not.
 *
 * @slow 15
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import buildServer from '../../support/processes/build-server';
import {
  createPlace,
  type Place,
  PROCESS_TOKEN,
  type ServiceProcess,
  startService,
} from '../../support/servers/spawned';

const KEY = { 'X-API-KEY': PROCESS_TOKEN };
const ROOT = path.resolve(__dirname, '..', '..', '..');

let place: Place;
let service: ServiceProcess;
let sourcesFile: string;

beforeAll(() => buildServer(), 180_000);
beforeEach(async () => {
  place = createPlace();
  sourcesFile = path.join(place.folder, 'sources.yaml');
  writeFileSync(sourcesFile, readFileSync(path.join(ROOT, 'sources.yaml')));
  write('SELECT 1 AS n');
  service = await startService(place, { LQE_SOURCES_FILE: sourcesFile, LQE_DRAIN_DELAY_MS: '1000' });
}, 60_000);
afterEach(async () => {
  await service.stop('SIGINT');
  place.remove();
});

function write(query: string): void {
  const text = `id: 7d1a9fd0-0000-4000-8000-000000000009\nname: reloaded\ncache_seconds: 600\nquery: |\n  ${query}\n`;
  writeFileSync(path.join(place.endpointsDir, 'reloaded.yaml'), text);
}

async function call(): Promise<unknown> {
  const answer = await fetch(`${service.url}/api/endpoints/query/reloaded`, { headers: KEY });
  return answer.json();
}

/** Waits until the log has a number of lines with a text. */
async function logged(text: string, count = 1): Promise<readonly string[]> {
  for (;;) {
    const lines = service
      .output()
      .split('\n')
      .filter((line) => line.includes(text));
    if (lines.length >= count) return lines;
    await sleep(20);
  }
}

const RELOADED = 'the definitions were reloaded';
const REFUSED = 'the definitions cannot be reloaded: the former ones stay';

it('a changed saved query is served without its cached result and without a failed call', async () => {
  expect(await call()).toEqual({ result: [{ n: 1 }] });
  write('SELECT 2 AS n');
  expect(await call()).toEqual({ result: [{ n: 1 }] });
  service.child.kill('SIGHUP');
  const seen: unknown[] = [];
  for (let n = 0; n < 20; n += 1) seen.push(await call());
  await logged(RELOADED);
  expect(await call()).toEqual({ result: [{ n: 2 }] });
  for (const answer of seen) expect([{ result: [{ n: 1 }] }, { result: [{ n: 2 }] }]).toContainEqual(answer);
}, 60_000);

it.each([
  [
    'a query that does not compile',
    'SELECT idd FROM edge_requests',
    /reloaded\.yaml","line":5,"column":\d+,"reason":".*idd/,
  ],
  ['a file that is not valid', 'SELECT 1\nunknown: true', /reloaded\.yaml","line":6,"column":1,"reason":".*unknown/],
])(
  'a reload with %s keeps the former set, and reports file, line and reason',
  async (_name, query, problem) => {
    write(query);
    service.child.kill('SIGHUP');
    expect((await logged(REFUSED))[0]).toMatch(problem);
    expect(await call()).toEqual({ result: [{ n: 1 }] });
    write('SELECT 3 AS n');
    service.child.kill('SIGHUP');
    await logged(RELOADED);
    expect(await call()).toEqual({ result: [{ n: 3 }] });
  },
  60_000
);

it('a reload accepts events of an added source, and keeps the sources when the file is broken', async () => {
  const text = readFileSync(sourcesFile, 'utf8');
  writeFileSync(sourcesFile, `${text}\n  - nome: broken\n`);
  service.child.kill('SIGHUP');
  expect((await logged(REFUSED))[0]).toMatch(/sources\.yaml","line":\d+/);
  writeFileSync(sourcesFile, `${text}\n  - name: added_events\n`);
  service.child.kill('SIGHUP');
  await logged(RELOADED);
  const answer = await fetch(`${service.url}/api/logs?source=added_events`, {
    method: 'POST',
    headers: { ...KEY, 'Content-Type': 'application/json' },
    body: '{"event_message":"x"}',
  });
  expect(await answer.json()).toMatchObject({ result: { accepted: 1 } });
}, 60_000);

it('many reload signals at once load the newest files, and signals during the stop are ignored', async () => {
  for (let n = 10; n < 30; n += 1) {
    write(`SELECT ${n} AS n`);
    service.child.kill('SIGHUP');
  }
  await logged(RELOADED);
  while (JSON.stringify(await call()) !== '{"result":[{"n":29}]}') await sleep(20);
  const stopped = service.stop('SIGTERM');
  await logged('stopping');
  service.child.kill('SIGHUP');
  await logged('the definitions are not reloaded: the server is stopping');
  expect(await stopped).toBe(0);
}, 60_000);
