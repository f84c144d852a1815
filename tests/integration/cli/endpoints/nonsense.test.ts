/** `lqe endpoints` against servers that answer nonsense: an error that says so, and no file outside of the folder. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pull } from '#server/cli/endpoints/commands/pull';
import { createManagementClient } from '#server/cli/remote/management-client';
import { createRemoteQueries } from '#server/cli/endpoints/remote/remote-queries';
import { processTerminal } from '#server/cli/output/terminal';
import { runCliWith } from '../../../support/servers/spawned';

type Answer = unknown;
let answer: (path: string) => Answer;
let server: Server;
let folder: string;

beforeAll((done) => {
  folder = mkdtempSync(join(tmpdir(), 'lqe-nonsense-'));
  server = createServer((req, res) => {
    const body = answer(req.url ?? '');
    res
      .writeHead(200, { 'Content-Type': 'application/json' })
      .end(typeof body === 'string' ? body : JSON.stringify(body));
  }).listen(0, '127.0.0.1', done);
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

function lqe(...args: string[]) {
  return runCliWith({ LQE_URL: url(), LQE_TOKEN: 'a-token' }, 'endpoints', ...args);
}

const ID = '3d1a9fd0-0000-4000-8000-00000000000a';
const listed = (name: string) => ({ id: ID, name, origin: 'api', revision: 1, description: '\u001b]0;title\u0007' });
const revision = (name: string) => ({
  result: {
    ...{
      id: ID,
      name,
      revision: 1,
      action: 'create',
      by: { token_name: '\u001b[31mred' },
      time: '2026-01-01T00:00:00Z',
    },
    ...{ message: 'a\u0007b', changed: [], yaml: 'name: x\n', definition: {} },
  },
});

it.each([
  ['an HTML page', '<html></html>', 'does not answer like this service'],
  [
    'JSON of something else',
    { result: [{ name: 1 }], next_cursor: null },
    'is not one of this service. Check the URL.',
  ],
  ['pages without an end', { result: [], next_cursor: 'again' }, 'is not one of this service'],
])('a server that answers with %s is not taken for this service', async (_, body, message) => {
  answer = () => body;
  const { code, stderr } = await lqe('list');
  expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
});

it.each(['../escaped', '/tmp/escaped', 'a/b', '..', 'a\u0000b', 'A', 'a\nb', ''])(
  'a saved query with the name %p is not written',
  async (name) => {
    answer = (path) => (path.includes('/revisions/') ? revision(name) : { result: [listed(name)], next_cursor: null });
    const remote = createRemoteQueries(createManagementClient({ url: url(), token: 'a-token' }));
    const pulled = pull({ remote, terminal: processTerminal() }, join(folder, 'inside', 'target'), {});
    await expect(pulled).rejects.toThrow(/is not one of this service|is no valid name/);
    expect(readdirSync(folder, { recursive: true }).filter((each) => /yaml|escaped/.test(String(each)))).toEqual([]);
  }
);

it('control characters of a server do not reach the terminal', async () => {
  answer = (path) =>
    path.endsWith('limit=100') && path.includes('revisions')
      ? { result: [revision('x').result], next_cursor: null }
      : { result: [listed('x')], next_cursor: null };
  const { stdout } = await lqe('list');
  expect(stdout).toContain('\\x1b]0;title\\x07');
  const history = (await lqe('history', 'x')).stdout;
  expect(history).toContain('\\x1b[31mred');
  expect(stdout + history).not.toMatch(/[^\P{Cc}\n]/u);
});
