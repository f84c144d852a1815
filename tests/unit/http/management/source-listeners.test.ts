/** Sources that a syslog listener names stay as the listener needs them: the next start would be refused otherwise. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { send } from '../../../support/fakes/connection';
import { BOOTSTRAP_TOKEN, createTestService, type TestService } from '../../../support/servers/in-memory';

let folder: string;
let file: string;
let service: TestService;

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'listeners-'));
  file = path.join(folder, 'syslog.yaml');
  writeFileSync(file, 'listeners:\n  - { name: a, transport: tcp, port: 5514, source: the.machines }\n');
  service = createTestService({ settings: { LQE_SYSLOG_FILE: file } });
  await request('POST', '', { name: 'machines', aliases: ['the.machines'] });
  await request('POST', '', { name: 'other' });
});
afterEach(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

const request = (method: string, target: string, body?: object) =>
  send(service.server, `/api/sources${target}`, {
    method,
    headers: { 'X-API-KEY': BOOTSTRAP_TOKEN, 'Content-Type': 'application/json', 'If-Match': '*' },
    ...(body && { body: JSON.stringify({ definition: body }) }),
  });

it.each([
  ['a deletion', 'DELETE', undefined, 'there is no source "the.machines"'],
  ['a change of its alias', 'PATCH', { aliases: null }, 'there is no source "the.machines"'],
  ['a tenant', 'PATCH', { columns: { team: 'STRING' }, tenant: 'team' }, 'need a tenant'],
])('%s is refused', async (_, method, body, reason) => {
  const answer = await request(method, '/machines', body);
  expect([answer.status, answer.json()]).toMatchObject([
    409,
    { error: { code: 'source_in_use', message: expect.stringContaining(reason), details: { reason: 'syslog' } } },
  ]);
  expect(answer.text).not.toContain(folder);
  expect((await request('GET', '/machines')).json().result).toMatchObject({ revision: 1 });
});

it('other changes, and those of other sources, are not', async () => {
  expect((await request('PATCH', '/machines', { retention_days: 5 })).status).toBe(200);
  expect((await request('DELETE', '/other')).status).toBe(204);
});

it('a file with another mistake refuses nothing', async () => {
  writeFileSync(file, 'listeners: [\n');
  expect((await request('DELETE', '/machines')).status).toBe(204);
});
