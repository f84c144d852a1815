/**
 * `lqe endpoints` for single saved queries, as a process against a real server.
 *
 * @slow 25
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { remove } from '#server/cli/endpoints/commands/history';
import { runCliWith } from '../../../support/servers/spawned';
import { type CliServer, startCliServer } from './cli-server';

const YAML = `# The slowest requests.
name: edge.slow   # called by dashboards
description: Slow requests
query: |
  SELECT id FROM edge_requests LIMIT 5
`;

let server: CliServer;
const folder = mkdtempSync(join(tmpdir(), 'lqe-endpoints-'));
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

beforeAll(async () => {
  server = await startCliServer();
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('lqe endpoints', () => {
  it('creates saved queries from YAML and JSON, and prints them as they are stored', async () => {
    const json = JSON.stringify({
      name: 'edge.count',
      query: 'SELECT COUNT(*) AS n\nFROM edge_requests',
      origin: 'api',
    });
    const created = await server.lqe('create', file('a.yaml', YAML), file('b.json', json), '-m', 'from a ticket');
    expect(created).toEqual({ code: 0, stdout: '[1/2] + edge.slow\n[2/2] + edge.count\n', stderr: '' });

    expect((await server.lqe('show', 'edge.slow')).stdout).toBe(YAML);
    const shown = (await server.lqe('show', 'edge.count')).stdout;
    expect(shown).toBe('name: edge.count\nquery: |-\n  SELECT COUNT(*) AS n\n  FROM edge_requests\n');

    const list = (await server.lqe('list')).stdout.split('\n');
    expect(list[0]).toMatch(/^NAME +ORIGIN +REVISION +CHANGED +DESCRIPTION$/);
    expect(list.find((line) => line.startsWith('edge.slow'))).toMatch(/^edge\.slow +api +1 +20\S+Z +Slow requests$/);
    expect(list.find((line) => line.startsWith('closed'))).toMatch(/^closed +file +1 /);
    const asJson = JSON.parse((await server.lqe('list', '--json')).stdout) as { name: string }[];
    expect(asJson.map(({ name }) => name)).toEqual([
      'closed',
      'edge.count',
      'edge.slow',
      'logs.all',
      'usage.api-counts',
    ]);
  });

  it('prints a saved query of a file as YAML that can be created under another name', async () => {
    const { stdout } = await server.lqe('show', 'closed');
    const copy = file('copy.yaml', stdout.replace(/^id: .*\n/m, '').replace('name: closed', 'name: closed.copy'));
    expect((await server.lqe('create', copy)).stderr).toBe('');
  });

  it('creates nothing when one of the files is bad, and says where', async () => {
    const bad = file('bad.yaml', 'name: edge.bad\nquery: |\n  SELECT id,\n    nope FROM edge_requests\n');
    const worse = file('worse.yaml', 'name: Edge\nquery: [\n');
    const fine = file('fine.yaml', 'name: edge.fine\nquery: SELECT 1 AS n\n');
    expect((await server.lqe('create', fine, worse)).stderr).toMatch(/worse\.yaml:3:1: /);
    const outcome = await server.lqe(
      'create',
      fine,
      bad,
      file('twice.yaml', 'name: edge.other\nquery: SELECT 1 AS n\n')
    );
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toMatch(
      /bad\.yaml:4:5: Unknown column "nope"\. \(query_invalid\)\n {2}hint: there are the columns .+\nNothing was changed\./
    );
    expect((await server.lqe('create', fine, file('a.yaml', YAML))).stderr).toContain(
      'a.yaml:2:7: the saved query "edge.slow"'
    );
    expect((await server.lqe('list')).stdout).not.toContain('edge.fine');
  });

  it('restores and compares revisions', async () => {
    const { remote } = server.withPerson();
    const { id } = await remote.read('edge.slow');
    await remote.replace(id, 1, YAML.replace('LIMIT 5', 'LIMIT 6'), 'six');
    const history = (await server.lqe('history', 'edge.slow')).stdout.split('\n');
    expect(history[1]).toMatch(/^2 +20\S+Z +bootstrap +update: query +six$/);
    expect(history[2]).toMatch(/^1 +20\S+Z +bootstrap +create +from a ticket$/);
    const difference = await server.lqe('diff', 'edge.slow');
    expect(difference.code).toBe(2);
    expect(difference.stdout).toContain(
      '-  SELECT id FROM edge_requests LIMIT 5\n+  SELECT id FROM edge_requests LIMIT 6\n'
    );
    expect((await server.lqe('restore', 'edge.slow', '1')).stdout).toBe(
      'Restored revision 1 of edge.slow as revision 3.\n'
    );
    expect(await server.lqe('diff', 'edge.slow', '1', '3')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect((await server.lqe('show', 'edge.slow', '--revision', '2')).stdout).toContain('LIMIT 6');
    expect((await server.lqe('show', 'edge.slow', '--revision', '9')).stderr).toContain('revision_not_found');
  });

  it('deletes a saved query after its name was typed, and can bring it back', async () => {
    expect(await server.lqe('delete', 'edge.count')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--yes') as string,
    });
    await expect(remove(server.withPerson('edge'), 'edge.count', {})).rejects.toThrow('Nothing was deleted');
    await remove(server.withPerson('edge.count'), 'edge.count', {});
    expect((await server.lqe('show', 'edge.count')).stderr).toContain('(endpoint_not_found)');
    expect((await server.lqe('show', 'edge.count', '--revision', '2')).stderr).toContain('Revision 2 deleted');
    expect((await server.lqe('restore', 'edge.count', '1')).code).toBe(0);
  });

  it('says what is wrong with the server, the token or the address', async () => {
    const url = server.service.url;
    const cases: readonly (readonly [Record<string, string>, string[], string])[] = [
      [{ LQE_URL: url }, ['list'], 'lqe: No access token. Give --token or set LQE_TOKEN'],
      [{ LQE_URL: url, LQE_TOKEN: 'lqe_wrong' }, ['list'], '(token_invalid)'],
      [{ LQE_URL: 'nowhere', LQE_TOKEN: 'x' }, ['list'], 'lqe: "nowhere" is no URL.'],
      [{ LQE_URL: url, LQE_TOKEN: 'x' }, ['list', 'edge'], 'too many arguments'],
      [{ LQE_URL: url, LQE_TOKEN: 'x' }, ['restore', 'edge', '-1'], 'must be a whole number of at least 1.'],
    ];
    for (const [env, args, message] of cases) {
      const { code, stderr } = await runCliWith(env, 'endpoints', ...args);
      expect(stderr).toContain(message);
      expect(code).toBe(1);
    }
    expect((await server.lqe('history', 'closed')).stderr).toContain('(managed_elsewhere)');
  });
});
