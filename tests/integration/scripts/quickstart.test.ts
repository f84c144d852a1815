/**
 * The quickstart, run as a newcomer would: the script, its printed calls in a shell, Ctrl-C, and a second start.
 *
 * @slow 65
 */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SAMPLE_PROJECTS } from '#server/cli/sample-data/scenario/projects';
import { paste, startProcess, type RunningProcess } from './script-process';

jest.setTimeout(180_000);

const EDGE_REQUESTS = 10_000;

interface Printed {
  readonly url: string;
  readonly token: string;
  readonly lines: readonly string[];
}

describe('the quickstart', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'lqe-quickstart-'));
  let running: RunningProcess | undefined;

  afterAll(async () => {
    await running?.end('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
  });

  function start(variables: Record<string, string> = {}): RunningProcess {
    running = startProcess('scripts/quickstart.mjs', ['--edge-requests', String(EDGE_REQUESTS)], {
      LQE_PORT: '0',
      LQE_DATA_DIR: dataDir,
      ...variables,
    });
    return running;
  }

  async function printedBy(process: RunningProcess): Promise<Printed> {
    const text = await process.says('Ctrl-C stops the server');
    return {
      url: /^Serving on (\S+)/m.exec(text)?.[1] ?? '',
      token: /^Token: (\S+)$/m.exec(text)?.[1] ?? '',
      lines: text.split('\n').filter((line) => line.startsWith('curl ')),
    };
  }

  /** Every edge request of the sample, of all projects. */
  async function countEdgeRequests({ url, token }: Printed): Promise<number> {
    let count = 0;
    for (const { ref } of SAMPLE_PROJECTS) {
      const query = new URLSearchParams({ project: ref, sql: 'select count(*) as n from edge_logs' });
      const answer = await fetch(`${url}/api/endpoints/query/logs.all?${query.toString()}`, {
        headers: { 'X-API-KEY': token },
      });
      count += ((await answer.json()) as { result: [{ n: number }] }).result[0].n;
    }
    return count;
  }

  let first: Printed;

  it('resumes loading after it was stopped, and stores nothing twice', async () => {
    const interrupted = start();
    await interrupted.says('listens on');
    expect(await interrupted.end()).toBe(0);
    first = await printedBy(start());
    expect(await countEdgeRequests(first)).toBe(EDGE_REQUESTS);
  });

  it('prints three calls that work when pasted into a shell', async () => {
    expect(first.lines).toHaveLength(3);
    const [usage, newest, failures] = await Promise.all(
      first.lines.map(async (line) => (JSON.parse(await paste(line)) as { result: Record<string, unknown>[] }).result)
    );
    expect(usage?.length).toBeGreaterThan(0);
    expect(Object.keys(usage?.[0] ?? {})).toEqual([
      'timestamp',
      'total_rest_requests',
      'total_storage_requests',
      'total_auth_requests',
      'total_realtime_requests',
    ]);
    expect(newest).toHaveLength(100);
    expect(newest?.[0]?.metadata).toEqual([expect.objectContaining({ request: [expect.anything()] })]);
    expect(failures?.length).toBeGreaterThan(0);
    expect(failures?.[0]).toEqual({
      path: expect.stringMatching(/^\//) as string,
      failures: expect.any(Number) as number,
    });
    expect(first.lines.filter((line) => /query\/[0-9a-f]{8}-[0-9a-f-]{27}\?/.test(line))).toHaveLength(1);
  });

  it('stores its token where only the owner can read it', () => {
    const file = join(dataDir, 'quickstart-token');
    expect(readFileSync(file, 'utf8').trim()).toBe(first.token);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('refuses a port that is in use in one line', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const port = (taken.address() as AddressInfo).port;
    const refused = startProcess('scripts/quickstart.mjs', [], {
      LQE_PORT: String(port),
      LQE_DATA_DIR: join(dataDir, 'other'),
    });
    expect(await refused.exited).toBe(1);
    expect(refused.text().trim().split('\n').at(-1)).toBe(
      `Port ${port} on 127.0.0.1 is in use. Stop what uses it, or choose another: LQE_PORT=8081 npm run quickstart`
    );
    taken.close();
  });

  it('stops by Ctrl-C with exit code 0 and starts again with the same data and token', async () => {
    expect(await running?.end()).toBe(0);
    const second = await printedBy(start());
    expect(second.token).toBe(first.token);
    expect(running?.text()).not.toContain('Loaded');
    expect(await countEdgeRequests(second)).toBe(EDGE_REQUESTS);
  });

  it('makes a new token when the stored one is no longer accepted', async () => {
    expect(await running?.end()).toBe(0);
    const cli = startProcess('build/bin/lqe.js', ['token', 'revoke', 'quickstart'], { LQE_DATA_DIR: dataDir });
    expect(await cli.exited).toBe(0);
    const third = await printedBy(start());
    expect(third.token).not.toBe(first.token);
    expect(await countEdgeRequests(third)).toBe(EDGE_REQUESTS);
  });

  it('loads events since the last load, so that the printed calls find fresh logs', async () => {
    expect(await running?.end()).toBe(0);
    const file = join(dataDir, 'quickstart-sample.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const state = JSON.parse(readFileSync(file, 'utf8')) as { endMicros: number };
    writeFileSync(file, JSON.stringify({ ...state, endMicros: state.endMicros - 24 * 3600 * 1e6 }));
    const filled = await printedBy(start());
    expect(running?.text()).toContain('Loaded');
    expect(await countEdgeRequests(filled)).toBeGreaterThan(EDGE_REQUESTS);
    expect(await running?.end('SIGTERM')).toBe(0);
  });
});
