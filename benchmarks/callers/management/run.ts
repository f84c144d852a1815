/** Changes of saved queries: how soon they are served, what ten thousand of them cost, what neighbors notice. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatRevision } from '#server/catalog/saved-queries/revision-text';
import { createHttpClient, type HttpClient } from '../../support/http-client';
import { grouped, ms, type Row } from '../../support/report';
import { createBenchmarkToken, startService, type ServerScripts } from '../../support/service';
import { quantile } from '../../support/statistics';

const SAVED_QUERIES = 9500;
const CHANGES = 200;
const LISTS = 300;
const FIRST_ANSWER_BAR_MS = 200;
const LIST_BAR_MS = 50;
const START_BAR_MS = 5000;
const ENV = { LQE_MAX_CHANGES_PER_MINUTE: '1000000' };

export async function measureManagement(scripts: ServerScripts, cacheDir: string): Promise<Row[]> {
  const dataDir = join(cacheDir, 'management');
  rmSync(dataDir, { recursive: true, force: true });
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  try {
    const few = await measureOn(scripts, dataDir, 'few');
    for (let n = 0; n < SAVED_QUERIES; n += 1) storeRevision(dataDir, n);
    const many = await measureOn(scripts, dataDir, 'many');
    return [...few.rows, ...many.rows, startRow(few.startMs, many.startMs)];
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

interface Measured {
  readonly rows: readonly Row[];
  readonly startMs: number;
}

async function measureOn(scripts: ServerScripts, dataDir: string, prefix: string): Promise<Measured> {
  const token = await createBenchmarkToken(dataDir, prefix, ['query', 'endpoints:read', 'endpoints:write']);
  const startedAt = performance.now();
  const service = await startService(scripts, dataDir, { env: ENV, logLevel: 'error' });
  const startMs = performance.now() - startedAt;
  const client = createHttpClient(service.url, token);
  const neighbor = createHttpClient(service.url, token);
  try {
    const size = prefix === 'few' ? 'no others' : `${grouped(SAVED_QUERIES)} others`;
    await change(client, `${prefix}.neighbor`, { cache_seconds: 600 });
    const alone = await watch(neighbor, `${prefix}.neighbor`, () => listPages(client));
    const lists = alone.result;
    const beside = await watch(neighbor, `${prefix}.neighbor`, () => changes(client, prefix));
    return { rows: [changeRow(size, beside.result, alone.p99Ms, beside.p99Ms), listRow(size, lists)], startMs };
  } finally {
    client.close();
    neighbor.close();
    await service.stop();
  }
}

/** A neighbor's cached calls while the work is done. */
async function watch<T>(
  client: HttpClient,
  name: string,
  work: () => Promise<T>
): Promise<{ result: T; p99Ms: number }> {
  let isDone = false;
  const durations: number[] = [];
  const calling = (async () => {
    while (!isDone) {
      const { status, durationMs } = await client.get(`/api/endpoints/query/${name}`, { fromCache: true });
      if (status !== 200) throw new Error(`management: a neighbor got ${status}`);
      durations.push(durationMs);
    }
  })();
  const result = await work().finally(() => (isDone = true));
  await calling;
  return {
    result,
    p99Ms: quantile(
      durations.sort((a, b) => a - b),
      0.99
    ),
  };
}

async function changes(client: HttpClient, prefix: string): Promise<readonly number[]> {
  const durations: number[] = [];
  for (let n = 0; n < CHANGES; n += 1) {
    const startedAt = performance.now();
    await change(client, `${prefix}.created.${n}`, {});
    const { status } = await client.get(`/api/endpoints/query/${prefix}.created.${n}`);
    if (status !== 200) throw new Error(`management: a new saved query got ${status}`);
    durations.push(performance.now() - startedAt);
  }
  return durations.sort((a, b) => a - b);
}

async function change(client: HttpClient, name: string, more: object): Promise<void> {
  const query = 'SELECT id, timestamp, event_message FROM edge_requests ORDER BY timestamp DESC LIMIT 10';
  const body = Buffer.from(JSON.stringify({ definition: { name, query, ...more } }));
  const { status } = await client.post('/api/endpoints', body, 'application/json');
  if (status !== 201) throw new Error(`management: a change got ${status}`);
}

async function listPages(client: HttpClient): Promise<readonly number[]> {
  const durations: number[] = [];
  for (let n = 0; n < LISTS; n += 1) {
    const { status, durationMs } = await client.get('/api/endpoints?limit=100');
    if (status !== 200) throw new Error(`management: a list got ${status}`);
    durations.push(durationMs);
  }
  return durations.sort((a, b) => a - b);
}

function storeRevision(dataDir: string, n: number): void {
  const id = randomUUID();
  const folder = join(dataDir, 'saved-queries', id);
  const time = '2026-01-01T00:00:00.000Z';
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const name = `stored.${n}`;
  const text = `name: ${name}
description: Slow requests of one project.
query: |
  SELECT t.id, t.timestamp, t.event_message, ${n} AS number
  FROM edge_requests AS t
  WHERE t.project = @project AND t.event_message LIKE '%slow%'
  ORDER BY t.timestamp DESC
  LIMIT 100
max_rows: 500
cache_seconds: 60
parameters:
  - { name: project, required: true, description: The project. }
`;
  const facts = { id, revision: 1, name, action: 'create', time, created_at: time, message: null } as const;
  const by = { token_id: 'abcdefgh', token_name: 'benchmark' };
  const revision = { ...facts, by, changed: [], former_names: [], requests: [], text };
  writeFileSync(join(folder, '1.yaml'), formatRevision(revision), { mode: 0o600 });
}

function changeRow(size: string, sorted: readonly number[], aloneMs: number, besideMs: number): Row {
  const p99Ms = quantile(sorted, 0.99);
  return {
    what: 'create a saved query and call it',
    size,
    against: '',
    measured: `${ms(quantile(sorted, 0.5))}, p99 ${ms(p99Ms)}`,
    p95: ms(quantile(sorted, 0.95)),
    bar: `p99 ${ms(FIRST_ANSWER_BAR_MS)}`,
    isWithin: p99Ms <= FIRST_ANSWER_BAR_MS,
    detail: `cached calls of a neighbor: p99 ${ms(besideMs)}, beside lists ${ms(aloneMs)}`,
    figures: { p99Ms, neighborMs: { besideLists: aloneMs, besideChanges: besideMs } },
  };
}

function listRow(size: string, sorted: readonly number[]): Row {
  const p99Ms = quantile(sorted, 0.99);
  return {
    what: 'list 100 saved queries',
    size,
    against: '',
    measured: `${ms(quantile(sorted, 0.5))}, p99 ${ms(p99Ms)}`,
    p95: ms(quantile(sorted, 0.95)),
    bar: `p99 ${ms(LIST_BAR_MS)}`,
    isWithin: p99Ms <= LIST_BAR_MS,
    detail: 'beside cached calls of a neighbor',
    figures: { p99Ms },
  };
}

function startRow(fewMs: number, manyMs: number): Row {
  const moreMs = manyMs - fewMs;
  return {
    what: 'start of the server',
    size: `${grouped(SAVED_QUERIES)} saved queries`,
    against: `without them: ${ms(fewMs)}`,
    measured: ms(manyMs),
    p95: '',
    bar: `${ms(START_BAR_MS)} more`,
    isWithin: moreMs <= START_BAR_MS,
    detail: `${ms(moreMs)} more, nearly all to read and parse YAML`,
    figures: { fewMs, manyMs },
  };
}
