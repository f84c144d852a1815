/**
 * The demo, run as a user would: the script, its events, Ctrl-C, and a second start.
 *
 * @slow 30
 * @waits
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { minuteEvents, LANES } from '#server/cli/sample-data/live-traffic';
import { SAMPLE_PROJECTS } from '#server/cli/sample-data/scenario/projects';
import { paste, startProcess, type RunningProcess } from './script-process';

jest.setTimeout(240_000);

const TABLES = [
  'edge_logs',
  'postgres_logs',
  'function_edge_logs',
  'function_logs',
  'auth_logs',
  'realtime_logs',
  'storage_logs',
  'postgrest_logs',
  'pgbouncer_logs',
];
const [PROJECT] = SAMPLE_PROJECTS;
/** Days of events before the first start; enough for a test. */
const DAYS = '0.02';

interface Service {
  readonly url: string;
  readonly token: string;
}

describe('the demo', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'lqe-demo-'));
  let running: RunningProcess | undefined;

  afterAll(async () => {
    await running?.end('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function start(): Promise<Service> {
    running = startProcess('scripts/demo.mjs', ['--days', DAYS], { LQE_PORT: '0', LQE_DATA_DIR: dataDir });
    const text = await running.says('Ctrl-C stops the server and the events');
    return { url: /^Serving on (\S+)/m.exec(text)![1]!, token: /^Token: (\S+)$/m.exec(text)![1]! };
  }

  async function rows<T>({ url, token }: Service, sql: string): Promise<T[]> {
    const answer = await fetch(`${url}/api/endpoints/query/logs.all`, {
      method: 'POST',
      headers: { 'X-API-KEY': token, 'Content-Type': 'application/json' },
      body: JSON.stringify({ project: PROJECT!.ref, sql }),
    });
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { result: T[] }).result;
  }

  /** Tables without an event of the last ten seconds. */
  async function quietTables(service: Service): Promise<string[]> {
    const newest = TABLES.map((table) => `select '${table}' as name, max(timestamp) as newest from ${table}`);
    const found = await rows<{ name: string; newest: number | null }>(service, newest.join(' union all '));
    return found.filter(({ newest: micros }) => Date.now() - (micros ?? 0) / 1000 > 10_000).map(({ name }) => name);
  }

  /** Ids of edge requests by how often they are stored. */
  async function edgeIds(service: Service): Promise<Map<string, number>> {
    const found = await rows<{ id: string; copies: number }>(
      service,
      'select id, count(*) as copies from edge_logs group by id limit 100000'
    );
    return new Map(found.map(({ id, copies }) => [id, copies]));
  }

  let service: Service;

  it('sends events of the last ten seconds to all nine tables', async () => {
    service = await start();
    let quiet = TABLES;
    for (const until = Date.now() + 60_000; quiet.length > 0 && Date.now() < until; await sleep(500))
      quiet = await quietTables(service);
    expect(quiet).toEqual([]);
  });

  it('prints calls that work when pasted into a shell', async () => {
    const lines = running!
      .text()
      .split('\n')
      .filter((line) => line.startsWith('curl '));
    expect(lines).toHaveLength(3);
    for (const line of lines) {
      const { result } = JSON.parse(await paste(line)) as { result: object[] };
      expect(result).toEqual(expect.any(Array));
    }
    expect(running!.text()).toContain('docker compose up');
  });

  it('stops by Ctrl-C with exit code 0 and leaves no server running', async () => {
    const port = new URL(service.url).port;
    expect(await running!.end('SIGINT')).toBe(0);
    await expect(fetch(`http://127.0.0.1:${port}/health/live`)).rejects.toThrow();
  });

  it('neither loses nor doubles events when it is killed and started again', async () => {
    service = await start();
    await sleep(3000);
    running!.child.kill('SIGKILL');
    await running!.exited;
    // The server ends by itself after the script has ended.
    for (let tries = 0; tries < 100; tries++) {
      if (
        await fetch(`${service.url}/health/live`).then(
          () => false,
          () => true
        )
      )
        break;
      await sleep(100);
    }
    const begun = Math.floor(Date.now() / 60_000);
    service = await start();
    const state = JSON.parse(readFileSync(join(dataDir, 'demo-events.json'), 'utf8')) as {
      fills: unknown[];
      seed: number;
    };
    expect(state).toMatchObject({ fills: [], seed: 1 });
    const ids = await edgeIds(service);
    expect([...ids].filter(([, copies]) => copies > 1)).toEqual([]);
    // What is before the start is complete.
    const wanted = [5, 4, 3, 2, 1]
      .flatMap((ago) => Array.from({ length: LANES }, (_, lane) => minuteEvents(begun - ago, lane)).flat())
      .filter(({ source, event }) => source === 'edge_requests' && event.project === PROJECT!.ref);
    expect(wanted.length).toBeGreaterThan(20);
    expect(wanted.filter(({ event }) => !ids.has(event.id))).toEqual([]);
    expect(await running!.end('SIGTERM')).toBe(0);
  });

  it('refuses an invalid number of days in one line', async () => {
    const refused = startProcess('scripts/demo.mjs', ['--days', '400'], { LQE_PORT: '0', LQE_DATA_DIR: dataDir });
    expect(await refused.exited).toBe(1);
    expect(refused.text().trim()).toBe('--days must be a number from 0 to 30.');
  });
});
