/**
 * Several servers on one catalog in a real PostgreSQL: a change reaches all of them.
 *
 * @slow 80
 * @waits
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { CatalogError } from '#server/catalog/database/catalog-error';
import { type Database, openDatabase, type RunStatement } from '#server/catalog/database/database';
import { initializeCatalog } from '#server/catalog/database/schema';
import { readRevisions, storeSet } from '#server/catalog/database/stored-definitions';
import { QUERY_TABLE } from '#server/catalog/database/stored-queries';
import { StoredRevisions } from '#server/catalog/database/stored-revisions';
import { readStoredTokens } from '#server/catalog/database/stored-tokens';
import { createDefinitions } from '#server/catalog/definitions/definitions';
import type { DefinitionChange } from '#server/catalog/revisions/next-revision';
import { SavedQueries } from '#server/catalog/saved-queries/saved-queries';
import { toServiceError } from '#server/http/response/error-response';
import buildServer from '../../support/processes/build-server';
import type { DatabaseProcess } from '../../support/processes/database';
import { POSTGRES_PASSWORD, startPostgres } from '../../support/processes/postgres';
import {
  type CliOutcome,
  createPlace,
  type Place,
  PROCESS_TOKEN,
  runCliWith,
  runServer,
  type ServiceProcess,
  startService,
} from '../../support/servers/spawned';

/** Callers that never pause would keep the processors from the command that changes what they call. */
const CALL_PAUSE_MS = 10;
const SERVER_KEY = 'c0ffee'.padEnd(64, '0');
const SOURCES = 'sources:\n  - name: edge_requests\n    columns: { project: STRING }\n';
const answering = (n: number): string => `id: 7d1a9fd0-0000-4000-8000-0000000000a1
name: answer
cache_seconds: 600
query: |
  SELECT ${n} AS n, COUNT(*) AS events FROM edge_requests
`;
const PROJECT = `id: 7d1a9fd0-0000-4000-8000-0000000000a2
name: project
parameters: [{ name: project, required: true }]
query: |
  SELECT @project AS project, COUNT(*) AS events FROM edge_requests WHERE project = @project
`;

const AUDIT = `id: 7d1a9fd0-0000-4000-8000-0000000000a4
name: audit
query: |
  SELECT actor FROM audit
`;

let postgres: DatabaseProcess;
let env: Record<string, string>;
let folder: string;
let places: Place[];
let servers: ServiceProcess[];

const lqe = (...args: string[]): Promise<CliOutcome> => runCliWith(env, ...args);
const files = (): string[] => [
  '--endpoints-dir',
  path.join(folder, 'endpoints'),
  '--sources-file',
  path.join(folder, 'sources.yaml'),
];
const write = (name: string, text: string): void => writeFileSync(path.join(folder, 'endpoints', name), text);
const ask = (server: ServiceProcess, target: string, token = PROCESS_TOKEN): Promise<Response> =>
  fetch(server.url + target, { headers: { 'X-API-KEY': token }, signal: AbortSignal.timeout(20_000) });
const call = (server: ServiceProcess, token?: string): Promise<Response> =>
  ask(server, '/api/endpoints/query/answer', token);
const numberOf = async (answer: Response): Promise<number> =>
  ((await answer.json()) as { result: { n: number }[] }).result[0]!.n;
const statusOf = async (server: ServiceProcess, token?: string): Promise<number> => (await call(server, token)).status;
const ready = async (
  server: ServiceProcess
): Promise<{ status: number; body: { status: string; checks?: Record<string, string>; definitions?: object } }> => {
  const answer = await ask(server, '/health/ready');
  return { status: answer.status, body: (await answer.json()) as { status: string } };
};

async function expectsDegraded(server: ServiceProcess): Promise<void> {
  expect(await ready(server)).toEqual({
    status: 200,
    body: {
      status: 'degraded',
      checks: expect.objectContaining({ catalog: 'refused' }) as unknown,
      definitions: {
        reason: 'The definitions in force cannot be served here: earlier ones are.',
        revision_in_force: 5,
        revision_served: 4,
      },
    },
  });
}

/** Waits as long as the test may take: a server that never does it fails the test. */
async function until(done: () => Promise<boolean>): Promise<void> {
  while (!(await done())) await delay(50);
}

async function createToken(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await lqe('token', 'create', ...args);
  if (code !== 0) throw new Error(stderr);
  return stdout.trim();
}

async function inDatabase(sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql, values)).rows;
  } finally {
    await client.end();
  }
}

beforeAll(async () => {
  await buildServer();
  postgres = await startPostgres();
  folder = mkdtempSync(path.join(tmpdir(), 'lqe-catalog-'));
  mkdirSync(path.join(folder, 'endpoints'));
  writeFileSync(path.join(folder, 'sources.yaml'), SOURCES);
  write('answer.yaml', answering(1));
  write('project.yaml', PROJECT);
  env = { LQE_CATALOG_URL: postgres.url, LQE_SERVER_KEY: SERVER_KEY };
  places = [createPlace(), createPlace()];
  servers = [];
}, 180_000);

afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop('SIGINT')));
  places.forEach((place) => place.remove());
  await postgres.remove();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

describe('without a catalog in the database', () => {
  it('a server does not start, and says what to do', async () => {
    const missing = await runServer(places[0]!, env);
    expect([missing.code, missing.output]).toEqual([1, expect.stringContaining('lqe catalog init')]);
    expect((await lqe('catalog', 'init')).stdout).toContain('the catalog is ready');
    expect((await lqe('catalog', 'init')).stdout).toContain('was ready already');
    const empty = await runServer(places[0]!, env);
    expect([empty.code, empty.output]).toEqual([1, expect.stringContaining('lqe catalog push')]);
  }, 60_000);

  it('the tables are created once, however many servers ask at the same time', async () => {
    await inDatabase('CREATE DATABASE crowded');
    const crowded = { ...env, LQE_CATALOG_URL: postgres.url.replace('/postgres', '/crowded') };
    const outcomes = await Promise.all([1, 2, 3].map(() => runCliWith(crowded, 'catalog', 'init')));
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(outcomes.filter(({ stdout }) => stdout.includes('was ready already'))).toHaveLength(2);
  }, 60_000);

  it('a push stores all files as one revision, and pushing the same texts stores none', async () => {
    expect((await lqe('catalog', 'push', ...files())).stdout).toContain(
      'pushed 2 saved queries and the sources as revision 1'
    );
    expect((await lqe('catalog', 'push', ...files())).stdout).toContain('revision 1 holds the very same texts');
    const { stdout } = await lqe('catalog', 'check', ...files());
    expect(stdout).toContain('they are those in force, revision 1');
  }, 60_000);

  it('a database error is reported without the password', async () => {
    const wrong = [
      postgres.url.replace(POSTGRES_PASSWORD, 'guessed-secret'),
      postgres.url.replace('/postgres', '/nowhere'),
      postgres.url.replace(/:\d+\//, ':1/'),
      `${postgres.url}?sslmode=require`,
      postgres.url.replace('127.0.0.1', '['),
    ];
    const outcomes = await Promise.all(
      wrong.map((url) => runCliWith({ ...env, LQE_CATALOG_URL: url }, 'token', 'list'))
    );
    expect(outcomes.map(({ code }) => code)).toEqual([1, 1, 1, 1, 1]);
    expect(outcomes.map(({ stderr }) => stderr.trim())).toEqual([
      'lqe: The database refuses the user or the password.',
      'lqe: There is no such database.',
      'lqe: The database cannot be reached (ECONNREFUSED).',
      expect.stringContaining('TLS'),
      expect.stringContaining('LQE_CATALOG_URL'),
    ]);
    for (const { stdout, stderr } of outcomes)
      expect(stdout + stderr).not.toMatch(/guessed-secret|password-that-no-log/);
  }, 60_000);

  it('a server with another key does not start, and creates no token', async () => {
    const other = { ...env, LQE_SERVER_KEY: 'f'.repeat(64) };
    const { code, output } = await runServer(places[0]!, other);
    expect([code, output]).toEqual([1, expect.stringContaining('same LQE_SERVER_KEY')]);
    expect(await runCliWith(other, 'token', 'create', '--name', 'x')).toMatchObject({ code: 1, stdout: '' });
  }, 60_000);
});

describe('the connections of a server', () => {
  it.each<[string, (run: RunStatement, end: () => Promise<unknown>) => Promise<unknown>, string]>([
    ['between two statements', (run, end) => end().then(() => run('SELECT 1')), 'unreachable'],
    ['while a statement runs', (run, end) => Promise.all([run('SELECT pg_sleep(60)'), end()]), 'unreachable'],
    ['before it is confirmed', (_run, end) => end(), 'unconfirmed'],
  ])(
    'one that is lost %s fails this change, and neither the process nor the next change',
    async (_when, work, trouble) => {
      const database = await openDatabase(postgres.url);
      const change = database.transact(async (run) => {
        const [row] = await run<{ pid: number }>('SELECT pg_backend_pid() AS pid');
        await work(run, () => inDatabase('SELECT pg_terminate_backend($1)', [row!.pid]));
      });
      try {
        await expect(change).rejects.toMatchObject({ name: 'CatalogError', trouble });
        expect(await database.transact((run) => run('SELECT 1 AS one'))).toEqual([{ one: 1 }]);
      } finally {
        await database.close();
      }
    }
  );

  it('have one for the poll, which waits for no change', async () => {
    const database = await openDatabase(postgres.url);
    try {
      await database.transact(async (run) => {
        await run('SELECT pg_advisory_xact_lock(1)');
        for (let n = 0; n < 2; n++)
          void database.transact((other) => other('SELECT pg_advisory_xact_lock(1)')).catch(() => undefined);
        expect(await database.poll('SELECT 1 AS one')).toEqual([{ one: 1 }]);
      });
    } finally {
      await database.close();
    }
  });

  it('run changes at one isolation level, also when the database has another default', async () => {
    const options = encodeURIComponent('-c default_transaction_isolation=serializable');
    const database = await openDatabase(`${postgres.url}?options=${options}`);
    try {
      expect(await database.run('SHOW transaction_isolation')).toEqual([{ transaction_isolation: 'serializable' }]);
      expect(await database.transact((run) => run('SHOW transaction_isolation'))).toEqual([
        { transaction_isolation: 'read committed' },
      ]);
    } finally {
      await database.close();
    }
  });

  it('lost before a change is confirmed: the caller learns that it may be stored', () => {
    const error = toServiceError(new CatalogError('unconfirmed', 'the database did not confirm the change'));
    expect([error.code, error.details.reason]).toEqual(['catalog_unavailable', 'unconfirmed']);
  });
});

const change = (): DefinitionChange => ({
  by: { database_user: 'lqe' },
  owner: 'token',
  message: null,
  requestId: null,
  now: new Date(),
  mark: null,
});

/** The saved queries of one server, without its engine. */
function openServer(database: Database, compile = () => Promise.resolve()) {
  const definitions = createDefinitions([]);
  const problems: unknown[] = [];
  const queries = new SavedQueries({
    repository: new StoredRevisions(database, QUERY_TABLE),
    definitions,
    heads: [],
    cursor: '0',
    compile,
    serve: async (amendment) => definitions.amend(amendment),
    tokens: { current: () => Promise.resolve([]) },
    onProblem: (problem) => problems.push(problem),
  });
  return { queries, problems, served: () => definitions.all.map(({ name, query }) => [name, query]) };
}

describe('a catalog that is set back to an earlier state', () => {
  it('is followed: what it lost is no longer served, and later changes are', async () => {
    await inDatabase('CREATE DATABASE restored');
    const database = await openDatabase(postgres.url.replace('/postgres', '/restored'));
    try {
      await initializeCatalog(database, 'f'.repeat(64));
      const [first, second] = [openServer(database), openServer(database)];
      const create = (name: string) => first.queries.create(`name: ${name}\nquery: SELECT 1\n`, change());
      await create('kept');
      await create('lost');
      await first.queries.change(
        'kept',
        () => 'name: kept\nquery: SELECT 2\n',
        { kind: 'match', revisions: 'any' },
        change()
      );
      await second.queries.follow();
      expect(second.served()).toEqual([
        ['kept', 'SELECT 2'],
        ['lost', 'SELECT 1'],
      ]);
      await database.run('DELETE FROM lqe_saved_queries WHERE change > 1');
      await database.run('UPDATE lqe_catalog SET query_change = 1');
      await create('later');
      for (const { queries, problems, served } of [first, second]) {
        expect([await queries.follow(), problems]).toEqual([true, []]);
        expect(served()).toEqual([
          ['kept', 'SELECT 1'],
          ['later', 'SELECT 1'],
        ]);
      }
    } finally {
      await database.close();
    }
  });
});

it('a catalog with as many other changes as it lost has another state', async () => {
  await inDatabase('CREATE DATABASE promoted');
  const database = await openDatabase(postgres.url.replace('/postgres', '/promoted'));
  try {
    await initializeCatalog(database, 'f'.repeat(64));
    const push = (query: string) =>
      storeSet(database, {
        sources: { file: 'sources.yaml', text: SOURCES },
        queries: [{ file: 'answer.yaml', text: query }],
      });
    const note = (name: string) =>
      database.run('INSERT INTO lqe_audit (changed_at, entry) VALUES (now(), $1)', [{ name }]);
    const [first, second] = [openServer(database), openServer(database)];
    await push(answering(1));
    await note('lost');
    await first.queries.create('name: lost\nquery: SELECT 1\n', change());
    await second.queries.follow();
    const before = await readRevisions(database);
    expect((await readStoredTokens(database)).state).toBe(before.tokens);
    expect(await readRevisions(database)).toEqual(before);

    for (const table of ['lqe_saved_queries', 'lqe_revisions', 'lqe_audit']) await database.run(`DELETE FROM ${table}`);
    await database.run('UPDATE lqe_catalog SET query_change = 0, definition_revision = 0');
    await push(answering(2));
    await note('other');
    await openServer(database).queries.create('name: other\nquery: SELECT 2\n', change());
    const after = await readRevisions(database);
    expect(after.definitions).toBe(before.definitions);
    for (const key of ['pushMark', 'tokens', 'queries'] as const) expect(after[key]).not.toBe(before[key]);
    await second.queries.follow();
    expect(second.served()).toEqual([['other', 'SELECT 2']]);
  } finally {
    await database.close();
  }
});

it('a revision of a newer version is reported, and hinders no other change', async () => {
  await inDatabase('CREATE DATABASE newer');
  const database = await openDatabase(postgres.url.replace('/postgres', '/newer'));
  try {
    await initializeCatalog(database, 'f'.repeat(64));
    const { queries, problems, served } = openServer(database);
    await queries.create('name: known\nquery: SELECT 1\n', change());
    await database.run(
      `INSERT INTO lqe_saved_queries SELECT id, 2, 2, 'renamed', facts || '{"revision": 2, "new": 1}', body
       FROM lqe_saved_queries`
    );
    await database.run('UPDATE lqe_catalog SET query_change = 2');
    expect([await queries.follow(), await queries.follow()]).toEqual([true, true]);
    expect(problems).toEqual([expect.objectContaining({ name: 'DefinitionsError' })]);
    await queries.create('name: other\nquery: SELECT 1\n', change());
    expect(served().map(([name]) => name)).toEqual(['known', 'other']);
  } finally {
    await database.close();
  }
});

it('a request that reaches two servers at once with its Idempotency-Key is carried out once', async () => {
  await inDatabase('CREATE DATABASE repeated');
  const database = await openDatabase(postgres.url.replace('/postgres', '/repeated'));
  try {
    await initializeCatalog(database, 'f'.repeat(64));
    const now = new Date();
    const request = { ...change(), now, mark: { key: 'k', body: 'b', time: now.toISOString() } };
    let arrived = 0;
    let begin = (): void => undefined;
    const bothArrived = new Promise<void>((resolve) => (begin = resolve));
    const compile = (): Promise<void> => {
      if (++arrived === 2) begin();
      return bothArrived;
    };
    const outcomes = await Promise.all(
      [1, 2].map(() => openServer(database, compile).queries.create('name: once\nquery: SELECT 1\n', request))
    );
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['created', 'created']);
    expect(new Set(outcomes.map(({ revision }) => revision.id)).size).toBe(1);
  } finally {
    await database.close();
  }
});

describe('two servers', () => {
  beforeAll(async () => {
    servers = await Promise.all(
      places.map((place) => startService(place, { ...env, LQE_MAX_REQUESTS_PER_MINUTE: '1000000' }))
    );
  }, 60_000);

  it('accept a new token at once with all its limits', async () => {
    const token = await createToken(
      '--name',
      'bound',
      '--scope',
      'query',
      '--endpoint',
      'project',
      '--fix',
      'project=abc'
    );
    for (const server of servers) {
      const answer = await ask(server, '/api/endpoints/query/project', token);
      expect([answer.status, await answer.json()]).toEqual([200, { result: [{ project: 'abc', events: 0 }] }]);
      expect((await ask(server, '/api/endpoints/query/project?project=xyz', token)).status).toBe(403);
      expect((await call(server, token)).status).toBe(404);
    }
  }, 60_000);

  it('refuse a revoked token, and the former text of a rotated one', async () => {
    const [kept, revoked, turned] = await Promise.all(
      ['kept', 'revoked', 'turned'].map((name) => createToken('--name', name))
    );
    for (const token of [kept, revoked, turned])
      expect(await Promise.all(servers.map((server) => statusOf(server, token)))).toEqual([200, 200]);
    expect((await lqe('token', 'revoke', 'revoked')).code).toBe(0);
    const { stdout } = await lqe('token', 'rotate', 'turned', '--grace-seconds', '0');
    for (const server of servers) {
      await until(async () => (await statusOf(server, revoked)) === 401);
      await until(async () => (await statusOf(server, turned)) === 401);
      expect(await statusOf(server, kept)).toBe(200);
      expect(await statusOf(server, stdout.trim())).toBe(200);
    }
    const list = JSON.parse((await lqe('token', 'list', '--json')).stdout) as { name: string; state: string }[];
    expect(list.map(({ name, state }) => [name, state])).toEqual(
      expect.arrayContaining([
        ['bound', 'active'],
        ['revoked', 'revoked'],
        ['turned', 'active'],
      ])
    );
    const changes = await inDatabase(
      "SELECT entry->>'action' AS action, entry->'object'->>'name' AS name, entry->'by' AS by FROM lqe_audit"
    );
    expect(changes).toEqual(
      expect.arrayContaining([
        { action: 'token.revoke', name: 'revoked', by: { database_user: 'lqe' } },
        { action: 'token.rotate', name: 'turned', by: { database_user: 'lqe' } },
      ])
    );
    const stored = JSON.stringify(await inDatabase('SELECT * FROM lqe_tokens'));
    for (const token of [kept, revoked, turned, stdout.trim()]) expect(stored).not.toContain(token!.split('_')[2]);
  }, 60_000);

  it('apply a change of a token over HTTP: at once on the server that answers, soon on the other', async () => {
    const [first, second] = servers as [ServiceProcess, ServiceProcess];
    const manage = async (server: ServiceProcess, method: string, target: string, body?: object): Promise<Response> =>
      fetch(server.url + target, {
        method,
        headers: { 'X-API-KEY': PROCESS_TOKEN, 'Content-Type': 'application/json', 'Idempotency-Key': 'same' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    const created = await manage(first, 'POST', '/api/tokens', { name: 'over-http', message: 'by test' });
    const { result } = (await created.json()) as { result: { id: string; token: string } };
    expect(created.status).toBe(201);
    for (const server of servers) expect(await statusOf(server, result.token)).toBe(200);
    // Any server derives the same secret.
    const repeated = await manage(second, 'POST', '/api/tokens', { name: 'over-http', message: 'by test' });
    expect([repeated.status, await repeated.json()]).toEqual([201, { result: { ...result } }]);
    const target = `/api/tokens/${result.id}`;
    expect((await manage(second, 'PATCH', target, { scopes: ['endpoints:read'] })).status).toBe(200);
    expect(await statusOf(second, result.token)).toBe(403);
    await until(async () => (await statusOf(first, result.token)) === 403);
    const changes = Array.from({ length: 10 }, (_, n) =>
      manage(servers[n % 2]!, 'PATCH', target, { fixed_parameters: { [`p${n}`]: String(n) } })
    );
    expect((await Promise.all(changes)).map(({ status }) => status)).toEqual(changes.map(() => 200));
    const stored = await inDatabase('SELECT token FROM lqe_tokens WHERE id = $1', [result.id]);
    expect(Object.keys((stored[0]!['token'] as { fixed_parameters: object }).fixed_parameters)).toHaveLength(10);
    expect((await manage(first, 'DELETE', target)).status).toBe(204);
    expect(await statusOf(first, result.token)).toBe(401);
    await until(async () => (await statusOf(second, result.token)) === 401);
    const audit = (await (await ask(second, `/api/audit?object=${result.id}`)).json()) as { result: object[] };
    expect(audit.result).toHaveLength(13);
    expect(audit.result.at(-1)).toMatchObject({
      action: 'token.create',
      by: { token_id: 'bootstrap' },
      message: 'by test',
      object: { id: result.id, name: 'over-http' },
    });
    const page = (await (await ask(first, `/api/audit?action=token.change&object=over-http&limit=4`)).json()) as {
      result: object[];
      next_cursor: string;
    };
    expect(page.result).toHaveLength(4);
    const next = await ask(
      first,
      `/api/audit?action=token.change&object=over-http&limit=100&cursor=${page.next_cursor}`
    );
    expect(((await next.json()) as { result: object[] }).result).toHaveLength(7);
    expect(JSON.stringify(await inDatabase('SELECT * FROM lqe_tokens'))).not.toContain(result.token.split('_')[2]);
  }, 60_000);

  it('apply new definitions without a failed call, and never go back', async () => {
    const asking = { stop: false };
    const seen = servers.map(() => [] as number[]);
    const callers = servers.flatMap((server, at) =>
      [0, 1].map(async () => {
        while (!asking.stop) {
          const answer = await call(server);
          if (answer.status !== 200) throw new Error(await answer.text());
          seen[at]!.push(await numberOf(answer));
          await delay(CALL_PAUSE_MS);
        }
      })
    );
    await until(async () => seen.every((numbers) => numbers.length > 5));
    write('answer.yaml', answering(2));
    expect((await lqe('catalog', 'check', ...files())).stdout).toContain('changed: answer.yaml');
    expect((await lqe('catalog', 'push', ...files())).stdout).toContain('as revision 2');
    await until(async () => seen.every((numbers) => numbers.at(-1) === 2));
    asking.stop = true;
    await Promise.all(callers);
    for (const numbers of seen) expect(new Set(numbers)).toEqual(new Set([1, 2]));
    // Cached for ten minutes, and yet of the new definition.
    for (const server of servers) expect(await numberOf(await call(server))).toBe(2);
  }, 90_000);

  it('serve a new query, and no longer serve a removed one', async () => {
    write('fresh.yaml', answering(7).replace('a1', 'a7').replace('name: answer', 'name: fresh'));
    rmSync(path.join(folder, 'endpoints', 'project.yaml'));
    expect((await lqe('catalog', 'push', ...files())).code).toBe(0);
    for (const server of servers) {
      await until(async () => (await ask(server, '/api/endpoints/query/fresh')).status === 200);
      expect((await ask(server, '/api/endpoints/query/project?project=a')).status).toBe(404);
    }
  }, 60_000);

  it('apply changed sources without a failed call, and accept events of a new source', async () => {
    const asking = { stop: false };
    const callers = servers.flatMap((server) =>
      [0, 1].map(async () => {
        while (!asking.stop) {
          expect((await call(server)).status).toBe(200);
          await delay(CALL_PAUSE_MS);
        }
      })
    );
    writeFileSync(path.join(folder, 'sources.yaml'), `${SOURCES}  - name: audit\n    columns: { actor: STRING }\n`);
    write('audit.yaml', AUDIT);
    expect((await lqe('catalog', 'push', ...files())).stdout).toContain('as revision 4');
    for (const server of servers) {
      await until(async () => (await ask(server, '/api/endpoints/query/audit')).status === 200);
      const sent = await fetch(`${server.url}/api/logs?source=audit`, {
        method: 'POST',
        headers: { 'X-API-KEY': PROCESS_TOKEN },
        body: JSON.stringify([{ actor: 'ada', event_message: 'x', timestamp: new Date().toISOString() }]),
      });
      expect(await sent.json()).toMatchObject({ result: { accepted: 1 } });
      expect(await (await ask(server, '/api/endpoints/query/audit')).json()).toEqual({
        result: [{ actor: 'ada' }],
      });
      expect((await ready(server)).status).toBe(200);
    }
    asking.stop = true;
    await Promise.all(callers);
  }, 60_000);

  it('do not get a broken set, which is refused at the push with the position of each error', async () => {
    write('answer.yaml', answering(3).replace('edge_requests', 'edge_request'));
    write('fresh.yaml', 'name: fresh\nquery: 1\n');
    const { code, stderr } = await lqe('catalog', 'push', ...files());
    expect(code).toBe(1);
    expect(stderr).toContain('fresh.yaml');
    write('fresh.yaml', answering(7).replace('a1', 'a7').replace('name: answer', 'name: fresh'));
    const second = await lqe('catalog', 'push', ...files());
    expect([second.code, second.stderr]).toEqual([1, expect.stringMatching(/answer\.yaml:5:\d+: /)]);
    expect(await inDatabase('SELECT definition_revision FROM lqe_catalog')).toEqual([{ definition_revision: 4 }]);
  }, 60_000);

  it('keep the former set when a broken one is in the catalog, over a restart too', async () => {
    await inDatabase('INSERT INTO lqe_revisions (revision) VALUES (5)');
    await inDatabase(
      `INSERT INTO lqe_definitions SELECT 5, kind, file, replace(body, 'SELECT 2', 'SELECT nothing') FROM lqe_definitions WHERE revision = 4`
    );
    await inDatabase('UPDATE lqe_catalog SET definition_revision = 5');
    for (const server of servers) {
      await until(async () =>
        (await (await ask(server, '/metrics')).text()).includes('logquery_catalog_refused_total 1')
      );
      expect(await numberOf(await call(server))).toBe(2);
      expect(server.output()).toMatch(/"revision":5,"served":4,"reason":"answer\.yaml:5:\d+: /);
      expect(await (await ask(server, '/metrics')).text()).toContain('logquery_catalog_revision 4');
      await expectsDegraded(server);
    }

    await servers[1]!.stop('SIGKILL');
    const again = await startService(places[1]!, env);
    servers[1] = again;
    expect(again.output()).toMatch(/"level":50,.*"revision":5,"reason":"answer\.yaml:5:\d+: /);
    expect(again.output()).toMatch(/"level":50,.*"revision":4,"refused":5/);
    expect(await numberOf(await call(again))).toBe(2);
    expect(await (await ask(again, '/metrics')).text()).toMatch(
      /logquery_catalog_revision 4\n[^]*logquery_catalog_revision_in_force 5\n[^]*logquery_catalog_refused_total 1\n/
    );
    await expectsDegraded(again);

    write('answer.yaml', answering(2));
    expect((await lqe('catalog', 'push', ...files())).stdout).toContain('as revision 6');
    for (const server of servers)
      await until(async () => (await (await ask(server, '/metrics')).text()).includes('logquery_catalog_revision 6'));
    for (const server of servers) expect((await ready(server)).body).toEqual({ status: 'ok' });
  }, 60_000);

  it('do not start when no stored set of definitions can be served', async () => {
    await inDatabase('CREATE DATABASE hopeless');
    const hopeless = { ...env, LQE_CATALOG_URL: postgres.url.replace('/postgres', '/hopeless') };
    expect((await runCliWith(hopeless, 'catalog', 'init')).code).toBe(0);
    expect((await runCliWith(hopeless, 'catalog', 'push', ...files())).code).toBe(0);
    const client = new Client({ connectionString: hopeless.LQE_CATALOG_URL });
    await client.connect();
    await client.query(`UPDATE lqe_definitions SET body = replace(body, 'SELECT 2', 'SELECT nothing')`);
    await client.end();
    const place = createPlace();
    const { code, output } = await runServer(place, hopeless);
    place.remove();
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(/^The definitions cannot be served:\nanswer\.yaml:5:\d+: /m),
    ]);
  }, 60_000);

  it('have a set that can be pulled, also an earlier one', async () => {
    const target = path.join(folder, 'pulled');
    expect((await lqe('catalog', 'pull', target, '--revision', '1')).code).toBe(0);
    expect(readFileSync(path.join(target, 'endpoints', 'answer.yaml'), 'utf8')).toBe(answering(1));
    expect(readFileSync(path.join(target, 'sources.yaml'), 'utf8')).toBe(SOURCES);
    expect(await lqe('catalog', 'pull', target)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is not empty'),
    });
    expect((await lqe('catalog', 'pull', path.join(folder, 'none'), '--revision', '99')).code).toBe(1);
    await inDatabase(`INSERT INTO lqe_definitions VALUES (1, 'query', '../../outside.yaml', 'x')`);
    expect((await lqe('catalog', 'pull', path.join(folder, 'none'), '--revision', '1')).code).toBe(1);
  }, 60_000);
});

describe('when the database does not answer', () => {
  it.each([
    ['is stopped', () => postgres.stop(), () => postgres.start()],
    ['holds still', async () => postgres.pause(), async () => postgres.resume()],
  ])(
    'because it %s: tokens and definitions still work, readiness says so, and all is well afterwards',
    async (_how, end, begin) => {
      const token = await createToken('--name', 'patient');
      for (const server of servers) expect(await statusOf(server, token)).toBe(200);
      await end();
      for (const server of servers) {
        await until(async () => (await ready(server)).body.checks?.catalog === 'stale');
        expect(await ready(server)).toMatchObject({ status: 200, body: { status: 'degraded' } });
        expect(await statusOf(server, token)).toBe(200);
        expect(await statusOf(server, `${token.slice(0, -1)}${token.endsWith('x') ? 'y' : 'x'}`)).toBe(401);
        expect(await (await ask(server, '/metrics')).text()).toContain('logquery_catalog_up 0');
      }
      expect(await lqe('token', 'create', '--name', 'lost')).toMatchObject({ code: 1, stdout: '' });
      await begin();
      for (const server of servers) await until(async () => (await ready(server)).body.status === 'ok');
      expect((await lqe('token', 'revoke', 'patient')).code).toBe(0);
      for (const server of servers) await until(async () => (await statusOf(server, token)) === 401);
    },
    120_000
  );

  it('for longer than allowed, tokens are refused until it answers again', async () => {
    const place = createPlace();
    const server = await startService(place, { ...env, LQE_CATALOG_MAX_AGE_SECONDS: '5' });
    try {
      const token = await createToken('--name', 'bounded');
      expect(await statusOf(server, token)).toBe(200);
      await postgres.stop();
      await until(async () => (await statusOf(server, token)) === 503);
      expect(await (await call(server, token)).json()).toMatchObject({ error: { code: 'catalog_unavailable' } });
      expect(await ready(server)).toMatchObject({ status: 503, body: { checks: { catalog: 'failed' } } });
      await postgres.start();
      await until(async () => (await statusOf(server, token)) === 200);
    } finally {
      await server.stop('SIGINT');
      place.remove();
    }
  }, 120_000);

  it('no log line has a secret', () => {
    for (const server of servers) {
      const output = server.output();
      expect(output).toContain('the catalog does not answer');
      for (const secret of [POSTGRES_PASSWORD, SERVER_KEY, 'postgres://', 'SELECT'])
        expect(output).not.toContain(secret);
    }
  });
});
