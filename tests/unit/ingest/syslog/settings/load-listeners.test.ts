import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sourceSchema } from '#contract/events/source';
import { DefinitionsError } from '#server/catalog/definitions/definition-problem';
import { allowedBy, networkOf } from '#server/ingest/syslog/settings/listener';
import { loadListeners } from '#server/ingest/syslog/settings/load-listeners';

const SOURCES = [
  sourceSchema.parse({ name: 'syslog', aliases: ['system.logs'] }),
  sourceSchema.parse({ name: 'edge_requests', tenant: 'project', columns: { project: 'STRING' } }),
];

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'lqe-listeners-'))));
afterAll(() => rmSync(folder, { recursive: true }));

function load(text: string): ReturnType<typeof loadListeners> {
  const file = join(folder, 'syslog.yaml');
  writeFileSync(file, text);
  return loadListeners(file, SOURCES);
}

function problemsOf(text: string): string[] {
  try {
    load(text);
  } catch (error) {
    if (error instanceof DefinitionsError)
      return error.problems.map(({ line, column, reason }) => `${line}:${column} ${reason}`);
    throw error;
  }
  return [];
}

it('listeners are read with their defaults', () => {
  const [listener] = load('listeners:\n  - { name: a, transport: tcp, port: 5514, source: system.logs }\n');
  expect(listener).toMatchObject({ host: '127.0.0.1', tenant: null, time_zone: 'UTC', client_ca: null });
  const isAllowed = allowedBy(listener!);
  expect(['127.0.0.1', '127.8.0.1', '::1', '10.0.0.1', '::2', ''].map(isAllowed)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});

it.each([
  ['::/0', '127.0.0.1', false],
  ['0.0.0.0/0', '::1', false],
  ['0.0.0.0/0', '127.0.0.1', true],
  ['::/0', '2001:db8::1', true],
  ['10.1.2.3', '10.1.2.3', true],
  ['10.1.2.3', '10.1.2.4', false],
])('%s allows %s: %s', (network, address, expected) => {
  expect(allowedBy({ allow: [networkOf(network)!] })(address)).toBe(expected);
});

const line = (members: string): string => `listeners:\n  - { name: a, transport: tcp, port: 1, ${members} }\n`;

it.each([
  [
    'a source that does not exist',
    line('source: sislog'),
    [/2:\d+ there is no source "sislog".*did you mean "syslog"/],
  ],
  ['no tenant where one is needed', line('source: edge_requests'), [/need a tenant/]],
  ['a tenant of a source without tenants', line('source: syslog, tenant: acme'), [/have no tenant/]],
  ['an invalid network', line('source: syslog, allow: [10.0.0.0/33]'), [/address or a network/]],
  ['a zone that does not exist', line('source: syslog, time_zone: Mars'), [/must be UTC/]],
  ['an unknown key', line('source: syslog, alow: []'), [/unknown key "alow".*did you mean "allow"/]],
  ['TLS without files', line('source: syslog').replace('tcp', 'tls'), [/TLS needs/]],
  ['a certificate without TLS', line('source: syslog, certificate: x.pem'), [/only TLS/]],
  [
    'files that are not there',
    line('source: syslog, certificate: /nowhere/c.pem, key: /nowhere/k.pem').replace('tcp', 'tls'),
    [/c\.pem" cannot be read/, /k\.pem" cannot be read/],
  ],
  [
    'a name twice',
    `${line('source: syslog')}  - { name: a, transport: udp, port: 2, source: syslog }\n`,
    [/3:\d+ .*twice/],
  ],
  ['no listener', 'listeners: []', [/listeners/]],
  ['no YAML', 'listeners: [', [/./]],
])('the error names %s with its place', (_name, text, expected) => {
  const problems = problemsOf(text);
  expect(problems).toHaveLength(expected.length);
  expected.forEach((pattern, at) => expect(problems[at]).toMatch(pattern));
});

it('a file that is not there is a problem', () => {
  expect(() => loadListeners(join(folder, 'nothing.yaml'), SOURCES)).toThrow(/cannot be read \(ENOENT\)/);
});

it.each([
  ['10.0.0.0/8', 8],
  ['192.0.2.7', 32],
  ['2001:db8::/32', 32],
  ['::1', 128],
])('%s is a network', (text, prefix) => expect(networkOf(text)?.prefix).toBe(prefix));

it.each(['10.0.0.0/33', '10.0.0/8', '::/129', 'host', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0.0/-1', ''])(
  '"%s" is no network',
  (text) => expect(networkOf(text)).toBeNull()
);
