/**
 * `lqe import` against a real server: stored events, messages and exit codes.
 *
 * @slow 55
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { sampleEvents } from '#server/cli/sample-data/sample-logs';
import { startProcess, type RunningProcess } from '../scripts/script-process';

jest.setTimeout(180_000);

const TOKEN = 'import-test-token-0123456789';
const PROJECT = 'importedprojectabcde';

describe('lqe import', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lqe-import-'));
  const yesterday = new Date(Date.now() - 24 * 3600 * 1000).toISOString();
  let server: RunningProcess;
  let url: string;

  async function startServer(port = '0'): Promise<void> {
    server = startProcess('build/bin/server.js', [], {
      LQE_PORT: port,
      LQE_DATA_DIR: join(folder, 'data'),
      LQE_BOOTSTRAP_TOKEN: TOKEN,
      LQE_LOG_LEVEL: 'error',
    });
    url = /listens on (\S+)/.exec(await server.says(/listens on \S+ /))?.[1] ?? '';
  }

  beforeAll(() => startServer());
  afterAll(async () => {
    await server.end();
    rmSync(folder, { recursive: true, force: true });
  });

  function startImport(file: string, ...flags: string[]): RunningProcess {
    return startProcess('build/bin/lqe.js', ['import', file, '--source', 'edge_requests', '--url', url, ...flags], {
      LQE_TOKEN: TOKEN,
    });
  }

  async function importFile(file: string, ...flags: string[]): Promise<{ code: number | null; text: string }> {
    const run = startImport(file, ...flags);
    return { code: await run.exited, text: run.text() };
  }

  async function count(project: string): Promise<number> {
    const query = new URLSearchParams({ project, sql: 'select count(*) as n from edge_logs' });
    const answer = await fetch(`${url}/api/endpoints/query/logs.all?${query.toString()}`, {
      headers: { 'X-API-KEY': TOKEN },
    });
    return ((await answer.json()) as { result: [{ n: number }] }).result[0].n;
  }

  function file(name: string, content: string | Buffer): string {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  }

  /** Events of the sample, as if of one project. */
  function events(number: number, project: string, seed: number): object[] {
    const sample = sampleEvents('edge_requests', { endMicros: Date.now() * 1000, edgeRequests: number, seed });
    return [...sample].map((event) => ({ ...event, project }));
  }

  const ndjson = (list: readonly object[]): string => list.map((event) => `${JSON.stringify(event)}\n`).join('');

  it('stores a gzipped file, and a second run adds nothing', async () => {
    const path = file('events.ndjson.gz', gzipSync(ndjson(events(2500, PROJECT, 11))));
    expect(await importFile(path)).toEqual({
      code: 0,
      text: expect.stringContaining('accepted 2,500 (2,500 new, 0 stored already), rejected 0') as string,
    });
    expect((await importFile(path)).text).toContain('accepted 2,500 (0 new, 2,500 stored already), rejected 0');
    expect(await count(PROJECT)).toBe(2500);
  });

  it('makes ids from the content of events without an id, so that a second run adds nothing', async () => {
    const list = [1, 2, 3].map((n) => ({
      timestamp: yesterday,
      project: 'withoutids',
      event_message: `line ${n}`,
    }));
    const path = file('array.json', JSON.stringify(list, null, 2));
    expect((await importFile(path)).text).toContain('accepted 3 (3 new');
    expect((await importFile(path)).text).toContain('accepted 3 (0 new, 3 stored already)');
    expect(await count('withoutids')).toBe(3);
  });

  it('reads Parquet', async () => {
    const path = join(folder, 'events.parquet');
    const instance = await DuckDBInstance.create();
    const connection = await instance.connect();
    await connection.run(
      `COPY (SELECT 'row-' || i AS id, TIMESTAMP '${yesterday.slice(0, 19)}' + to_seconds(i) AS "timestamp", 'fromparquet' AS project,
         'line ' || i AS event_message, {'response': {'status_code': 500}} AS metadata FROM range(5000) r(i)) TO '${path}'`
    );
    connection.closeSync();
    instance.closeSync();
    expect(await importFile(path)).toMatchObject({
      code: 0,
      text: expect.stringContaining('accepted 5,000 (5,000 new') as string,
    });
    expect(await count('fromparquet')).toBe(5000);
  });

  it('reads standard input', async () => {
    const run = startImport('-');
    run.child.stdin?.end(ndjson(events(10, 'fromstdin', 12)));
    expect(await run.exited).toBe(0);
    expect(await count('fromstdin')).toBe(10);
  });

  it('reports bad lines, stores the good ones of the batch, and exits with code 2', async () => {
    const good = events(3, 'somebad', 13).map((event) => JSON.stringify(event));
    const path = file('bad.ndjson', [good[0], '{"broken', good[1], '', '[1]', good[2]].join('\n'));
    const { code, text } = await importFile(path);
    expect(code).toBe(2);
    expect(text).toContain('accepted 3 (3 new, 0 stored already), rejected 2');
    expect(text).toMatch(/^ {2}line 2: \w+/m);
    expect(text).toMatch(/^ {2}line 5: \w+/m);
    expect(await count('somebad')).toBe(3);
  });

  it('exits with code 1 and the message of the server when the source is unknown', async () => {
    const path = file('one.ndjson', ndjson(events(1, 'x', 14)));
    const { code, text } = await importFile(path, '--source', 'edge_request');
    expect(code).toBe(1);
    expect(text).toContain('source_not_found');
  });

  it('waits for a server that does not answer, and then continues', async () => {
    const path = file('later.ndjson', ndjson(events(20, 'later', 15)));
    const { port } = new URL(url);
    expect(await server.end()).toBe(0);
    const run = startImport(path);
    await run.says('trying again in');
    await startServer(port);
    expect(await run.exited).toBe(0);
    expect(await count('later')).toBe(20);
  });

  it('says how to continue after Ctrl-C, and exits with code 130', async () => {
    const run = startImport('-', '--batch-size', '10');
    const lines = events(15, 'stopped', 16).map((event) => `${JSON.stringify(event)}\n`);
    run.child.stdin?.write(lines.join(''));
    while ((await count('stopped')) < 10) await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await run.end('SIGINT')).toBe(130);
    const [, line] = /everything up to line (\d+) is answered for/.exec(run.text()) ?? [];
    // The last five wait for a second, in which a busy machine may not get to the signal.
    expect(['10', '15']).toContain(line);
    const next = Number(line) + 1;
    expect(run.text()).toContain(`--from ${next}`);
    const rest = startImport('-', '--from', String(next));
    rest.child.stdin?.end(lines.join(''));
    expect(await rest.exited).toBe(0);
    expect(rest.text()).toContain(`accepted ${16 - next} (${16 - next} new`);
    expect(await count('stopped')).toBe(15);
  });

  it('has stored exactly what was acknowledged after the server was killed', async () => {
    const path = file('killed.ndjson', ndjson(events(20_000, 'killed', 17)));
    const { port } = new URL(url);
    const run = startImport(path, '--batch-size', '200');
    while ((await count('killed')) < 1000) await new Promise((resolve) => setTimeout(resolve, 20));
    await server.end('SIGKILL');
    await startServer(port);
    expect(await run.exited).toBe(0);
    expect(run.text()).toContain('accepted 20,000');
    expect(await count('killed')).toBe(20_000);
  });
});
