/** Programs that send syslog, with the configurations of docs/shippers.md: what is sent is stored, over TCP. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { countMessages, createSyslogPlace, settledCount, startSyslogService } from '../../integration/syslog/fixture';
import type { SyslogPlace, SyslogService } from '../../integration/syslog/fixture';
import buildServer from '../../support/processes/build-server';
import { type Child, startChild } from '../support/child';
import { documentedBlock, substitute } from '../support/documented';
import { programOf } from '../support/programs';

const run = promisify(execFile);
const LINES = Number(process.env.LQE_SHIPPERS_LINES ?? 10_000);
const DOCUMENTED_PORT = '5514';

let place: SyslogPlace;
let service: SyslogService;
let folder: string;
let child: Child | undefined;

beforeAll(buildServer);
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'lqe-syslog-'));
  place = createSyslogPlace([
    { name: 'tcp', transport: 'tcp', port: 0, source: 'syslog' },
    { name: 'udp', transport: 'udp', port: 0, source: 'syslog' },
  ]);
  service = await startSyslogService(place);
});
afterEach(async () => {
  await child?.kill();
  child = undefined;
  await service.stop('SIGINT');
  place.remove();
  rmSync(folder, { recursive: true, force: true });
});

const at = (name: string): string => path.join(folder, name);
const line = (number: number): string => `GET /rest/v1/orders?id=${number} 200`;

/** Adds distinct lines, and as many equal ones, to a file that a shipper follows. */
async function writeLines(file: string): Promise<void> {
  for (let from = 0; from < LINES; from += 500) {
    const length = Math.min(500, LINES - from);
    const distinct = Array.from({ length }, (_, index) => `${line(from + index)}\n`).join('');
    await appendFile(file, `${distinct}${'GET /health 200\n'.repeat(length)}`);
  }
}

const EXPECTED = { events: 2 * LINES, messages: LINES + 1 };

it('rsyslog', async () => {
  const port = String(service.portOf('tcp'));
  const action = substitute(documentedBlock('Syslog', 2), { [DOCUMENTED_PORT]: port });
  const config = [
    `global(workDirectory="${folder}")`,
    'module(load="imfile")',
    `input(type="imfile" File="${at('access.log')}" Tag="proxy")`,
    action,
  ].join('\n');
  writeFileSync(at('rsyslog.conf'), config);
  writeFileSync(at('access.log'), '');
  child = startChild(programOf('RSYSLOG'), ['-n', '-f', at('rsyslog.conf'), '-i', at('pid')]);
  await writeLines(at('access.log'));
  expect(await settledCount(service, EXPECTED.events, 60_000)).toEqual(EXPECTED);
});

it('syslog-ng', async () => {
  const port = String(service.portOf('tcp'));
  const source = `source s_proxy { file("${at('access.log')}" flags(no-parse) follow-freq(0.1)); };`;
  const destination = substitute(documentedBlock('Syslog', 3), { [DOCUMENTED_PORT]: port });
  writeFileSync(at('syslog-ng.conf'), `@version: current\n${source}\n${destination}`);
  writeFileSync(at('access.log'), '');
  const files = ['-f', at('syslog-ng.conf'), '-R', at('persist'), '-p', at('pid'), '-c', at('control')];
  child = startChild(programOf('SYSLOG_NG'), ['-F', '-e', '--no-caps', ...files]);
  await child.says(/starting up/);
  await writeLines(at('access.log'));
  expect(await settledCount(service, EXPECTED.events, 60_000)).toEqual(EXPECTED);
});

it('logger', async () => {
  const documented = substitute(documentedBlock('Syslog', 4), {
    [DOCUMENTED_PORT]: String(service.portOf('tcp')),
    '"release 42 is out"': '-f lines',
  });
  writeFileSync(at('lines'), Array.from({ length: LINES }, (_, number) => `${line(number)}\n`).join(''));
  await run('sh', ['-c', documented], { cwd: folder });
  expect(await settledCount(service, LINES, 60_000)).toEqual({ events: LINES, messages: LINES });
});

const PYTHON = `
import logging, logging.handlers, socket, sys
for kind, port in ((socket.SOCK_STREAM, sys.argv[1]), (socket.SOCK_DGRAM, sys.argv[2])):
    handler = logging.handlers.SysLogHandler(address=('127.0.0.1', int(port)), socktype=kind)
    log = logging.Logger('app')
    log.addHandler(handler)
    for number in range(int(sys.argv[3])):
        log.warning('message %d of %d', number, kind)
    handler.close()
`;

it('Python’s SysLogHandler over TCP and UDP', async () => {
  const count = Math.min(LINES, 500);
  const ports = [service.portOf('tcp'), service.portOf('udp')].map(String);
  await run('python3', ['-c', PYTHON, ...ports, String(count)]);
  expect(await settledCount(service, 2 * count, 60_000)).toEqual({ events: 2 * count, messages: 2 * count });
});

it('a restart of the service: rsyslog keeps what it could not send', async () => {
  const port = service.portOf('tcp');
  place.declare([{ name: 'tcp', transport: 'tcp', port, source: 'syslog' }]);
  const action = substitute(documentedBlock('Syslog', 2), { [DOCUMENTED_PORT]: String(port) }).replace(
    'resumeInterval="5"',
    'resumeInterval="1"'
  );
  const input = `module(load="imfile")\ninput(type="imfile" File="${at('access.log')}" Tag="proxy")`;
  writeFileSync(at('rsyslog.conf'), `global(workDirectory="${folder}")\n${input}\n${action}`);
  writeFileSync(at('access.log'), '');
  child = startChild(programOf('RSYSLOG'), ['-n', '-f', at('rsyslog.conf'), '-i', at('pid')]);
  const writing = writeLines(at('access.log'));
  await settledCount(service, 500);
  await service.stop('SIGTERM');
  service = await startSyslogService(place);
  await writing;
  const stored = await settledCount(service, EXPECTED.events, 60_000);
  expect(stored.messages).toBe(EXPECTED.messages);
  expect(stored.events).toBeGreaterThanOrEqual(EXPECTED.events);
  expect(await countMessages(service)).toEqual(stored);
});
