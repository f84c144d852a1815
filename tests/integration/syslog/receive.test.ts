/**
 * Messages over UDP, TCP and TLS, and what becomes of them.
 *
 * @slow 20
 */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { copyFileSync, readFileSync } from 'node:fs';
import { connect, type TcpNetConnectOpts } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import { parse } from 'yaml';
import { documentedBlock } from '../../shippers/support/documented';
import buildServer from '../../support/processes/build-server';
import { PROCESS_TOKEN, runCli, runServer } from '../../support/servers/spawned';
import {
  callQuery,
  certificate,
  closed,
  countMessages,
  createSyslogPlace,
  lines,
  openSocket,
  readMetric,
  send,
  sendAndEnd,
  settledCount,
  startSyslogService,
  type SyslogPlace,
  type SyslogService,
  untilMetric,
} from './fixture';

jest.setTimeout(120_000);

const TCP = { name: 'tcp', transport: 'tcp', port: 0, source: 'syslog' };
const UDP = { name: 'udp', transport: 'udp', port: 0, source: 'syslog' };
const TENANT = { name: 'acme', transport: 'tcp', port: 0, source: 'edge_requests', tenant: 'acme' };

let place: SyslogPlace;
let service: SyslogService;

beforeAll(buildServer, 120_000);

/** @param listeners of a service with an empty store */
async function start(listeners: readonly object[], env: Readonly<Record<string, string>> = {}): Promise<void> {
  place = createSyslogPlace(listeners);
  service = await startSyslogService(place, env);
}

afterEach(async () => {
  await service.stop('SIGINT');
  place.remove();
});

it('the documented listeners and their source are served', async () => {
  const { listeners } = parse(documentedBlock('Syslog')) as { listeners: Record<string, unknown>[] };
  expect(listeners.map(({ transport }) => transport)).toEqual(['tcp', 'udp', 'tls']);
  const own = { certificate: certificate('server'), key: certificate('server-key'), client_ca: certificate('ca') };
  await start(listeners.map((listener) => ({ ...listener, port: 0, ...(listener.transport === 'tls' && own) })));
  for (const { name } of listeners) expect(service.portOf(String(name))).toBeGreaterThan(0);
});

interface Row {
  readonly timestamp: number;
  readonly event_message: string;
  readonly [field: string]: unknown;
}

it('messages of all forms are stored with their fields, over TCP and UDP', async () => {
  await start([TCP, UDP]);
  const time = `${new Date().toISOString().slice(0, -1)}456Z`;
  const modern = `<165>1 ${time} web1 app 7 ID47 [a@1 x="1"] b modern`;
  await sendAndEnd(
    service.portOf('tcp'),
    `${Buffer.byteLength(modern)} ${modern}<30>Jan  1 00:00:00 gw sshd[12]: c old\nd plain`
  );
  const datagrams = createSocket('udp4');
  await new Promise((resolve) => datagrams.send('<11>a datagram\0', service.portOf('udp'), '127.0.0.1', resolve));
  datagrams.close();
  await settledCount(service, 4);
  const [a, b, c, d] = await callQuery<Row>(service, 'syslog.rows');
  const sender = { sender: '127.0.0.1' };
  expect(a).toMatchObject({
    event_message: 'a datagram',
    facility: 'user',
    severity: 'err',
    level: 'error',
    ...sender,
  });
  expect(b).toMatchObject({
    ...{ event_message: 'b modern', hostname: 'web1', app_name: 'app', procid: '7', msgid: 'ID47' },
    ...{ facility: 'local4', severity: 'notice', level: 'info', timestamp: Date.parse(time) * 1000 + 456, ...sender },
  });
  expect(c).toMatchObject({ event_message: 'c old', hostname: 'gw', app_name: 'sshd', procid: '12', ...sender });
  expect(d).toMatchObject({ event_message: 'd plain', hostname: null, facility: null, ...sender });
  for (const form of ['rfc5424', 'rfc3164', 'unparsed', 'bare'])
    expect(await readMetric(service, 'logquery_syslog_messages_total', `form="${form}"`)).toBe(1);
  const sources = await fetch(`${service.url}/api/sources`, { headers: { 'X-API-KEY': PROCESS_TOKEN } });
  const { result } = (await sources.json()) as { result: { name: string; arrivals: { stored_by_minute: number[] } }[] };
  const arrived = result.find(({ name }) => name === 'syslog')!.arrivals.stored_by_minute;
  expect(arrived.reduce((sum, count) => sum + count, 0)).toBe(4);
});

it('10,000 equal messages are 10,000 events', async () => {
  await start([TCP]);
  const equal = '<134>Jan  1 00:00:00 host app[1]: GET /health 200\n';
  await sendAndEnd(service.portOf('tcp'), equal.repeat(10_000));
  expect(await settledCount(service, 10_000)).toEqual({ events: 10_000, messages: 1 });
});

it('a message longer than allowed is cut, and the ones behind it are stored', async () => {
  await start([TCP], { LQE_SYSLOG_MAX_MESSAGE_BYTES: '480' });
  await sendAndEnd(service.portOf('tcp'), `<13>${'é'.repeat(5000)}\n<13>next\n`);
  await settledCount(service, 2);
  const [next, long] = await callQuery<Row>(service, 'syslog.rows');
  expect([next!.event_message, long!.event_message]).toEqual(['next', 'é'.repeat(238)]);
  expect(await readMetric(service, 'logquery_syslog_cut_total')).toBe(1);
});

it('structured data of one name as text, list and nothing is stored', async () => {
  await start([TCP]);
  const data = ['[a@1 x="1"]', '[a@1 x="1" x="2"]', '[a@1 y.z="1"][b c="2"]', '[metadata event_message="1"]'];
  await sendAndEnd(service.portOf('tcp'), data.map((each, at) => `<13>1 - - - - - ${each} m${at}\n`).join(''));
  expect(await settledCount(service, data.length)).toEqual({ events: data.length, messages: data.length });
  expect(await readMetric(service, 'logquery_syslog_lost_total')).toBe(0);
});

it('a listener of a tenant stores for that tenant, also where messages name another', async () => {
  await start([TENANT]);
  const create = async (tenant: string): Promise<string> => {
    const args = ['--data-dir', place.dataDir, '--name', tenant, '--scope', 'query,adhoc', '--tenant', tenant];
    return (await runCli('token', 'create', ...args)).stdout.trim();
  };
  const [acme, other] = [await create('acme'), await create('other')];
  await sendAndEnd(service.portOf('acme'), '<13>1 - other other - - [other project="other"] {"project":"other"}\n');
  await untilMetric(service, 'logquery_ingest_entries_total', 'source="edge_requests",outcome="accepted"', 1);
  const count = async (token: string, project: string): Promise<number> => {
    const sql = 'select count(*) as n from edge_logs';
    const name = `logs.all?${new URLSearchParams({ project, sql }).toString()}`;
    return (await callQuery<{ n: number }>(service, name, token))[0]!.n;
  };
  for (const until = Date.now() + 20_000; (await count(acme, 'acme')) < 1 && Date.now() < until;);
  expect([await count(acme, 'acme'), await count(other, 'other')]).toEqual([1, 0]);
});

it('addresses that are not allowed are refused', async () => {
  const allow = ['10.0.0.0/8', '::/0'];
  await start([
    { ...TCP, allow },
    { ...UDP, allow },
  ]);
  await closed(await openSocket(service.portOf('tcp')));
  const datagrams = createSocket('udp4');
  await new Promise((resolve) => datagrams.send('<13>x', service.portOf('udp'), '127.0.0.1', resolve));
  datagrams.close();
  await untilMetric(service, 'logquery_syslog_refused_connections_total', 'reason="address"', 1);
  await untilMetric(service, 'logquery_syslog_lost_total', 'reason="address"', 1);
  expect(await countMessages(service)).toEqual({ events: 0, messages: 0 });
});

it('a connection that is silent is closed', async () => {
  await start([TCP], { LQE_SYSLOG_IDLE_SECONDS: '1' });
  const socket = await openSocket(service.portOf('tcp'));
  await send(socket, '<13>one\n<13>two');
  await closed(socket);
  expect(await settledCount(service, 2)).toEqual({ events: 2, messages: 2 });
  expect(await readMetric(service, 'logquery_syslog_refused_connections_total', 'reason="idle"')).toBe(1);
});

it('no more connections than allowed are taken of an address, and of all', async () => {
  await start([TCP], { LQE_SYSLOG_MAX_CONNECTIONS_PER_ADDRESS: '3' });
  const sockets = await Promise.all(Array.from({ length: 5 }, () => openSocket(service.portOf('tcp'))));
  await untilMetric(service, 'logquery_syslog_refused_connections_total', 'reason="limit"', 2);
  expect(await readMetric(service, 'logquery_syslog_connections')).toBe(3);
  for (const socket of sockets) socket.destroy();
  while ((await readMetric(service, 'logquery_syslog_connections')) > 0) await sleep(20);
  await sendAndEnd(service.portOf('tcp'), lines(1));
  expect(await settledCount(service, 1)).toEqual({ events: 1, messages: 1 });
});

/** Sends over TLS. Rejects when the service does not take the connection. */
function sendOverTls(
  port: number,
  text: string,
  options: ConnectionOptions & Pick<TcpNetConnectOpts, 'localAddress'>
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({ port, host: '127.0.0.1', servername: 'localhost', ...options }, () => {
      socket.end(text);
    });
    socket.once('error', reject);
    socket.once('close', (hadError) => !hadError && resolve());
    socket.resume();
  });
}

it('TLS: senders need a certificate where the listener has authorities, and certificates are renewed', async () => {
  place = createSyslogPlace([]);
  const [own, key] = ['own.pem', 'own-key.pem'].map((name) => path.join(place.folder, name)) as [string, string];
  const renew = (name: string): void => {
    copyFileSync(certificate(name), own);
    copyFileSync(certificate(`${name}-key`), key);
  };
  renew('server');
  const tls = { ...TCP, transport: 'tls', certificate: own, key };
  place.declare([
    { ...tls, name: 'open' },
    { ...tls, name: 'mutual', client_ca: certificate('ca') },
  ]);
  service = await startSyslogService(place);
  const ca = readFileSync(certificate('ca'));
  const client = { ca, cert: readFileSync(certificate('client')), key: readFileSync(certificate('client-key')) };
  const stranger = { ca, cert: readFileSync(certificate('self')), key: readFileSync(certificate('self-key')) };
  await sendOverTls(service.portOf('open'), '11 <13>one day', { ca });
  await sendOverTls(service.portOf('mutual'), '<13>two\n', client);
  await sendOverTls(service.portOf('mutual'), '<13>three\n', { ca }).catch(() => undefined);
  await sendOverTls(service.portOf('mutual'), '<13>four\n', stranger).catch(() => undefined);
  const plain = await openSocket(service.portOf('open'));
  plain.end('<13>five\n');
  await closed(plain);
  expect(await settledCount(service, 2)).toEqual({ events: 2, messages: 2 });
  await untilMetric(service, 'logquery_syslog_refused_connections_total', 'listener="mutual",reason="tls"', 2);
  await untilMetric(service, 'logquery_syslog_refused_connections_total', 'listener="open",reason="tls"', 1);

  renew('self');
  service.child.kill('SIGHUP');
  const trusted = { ca: readFileSync(certificate('self')), checkServerIdentity: () => undefined };
  for (const until = Date.now() + 10_000; ; await sleep(50)) {
    try {
      await sendOverTls(service.portOf('open'), '<13>six\n', trusted);
      break;
    } catch (error) {
      if (Date.now() > until) throw error;
    }
  }
  expect(await settledCount(service, 3)).toEqual({ events: 3, messages: 3 });

  const expiry = (name: string): Promise<number> =>
    readMetric(service, 'logquery_syslog_certificate_expiry_timestamp_seconds', `listener="${name}"`);
  expect(await expiry('open')).toBeGreaterThan(Date.now() / 1000);
  expect(service.output()).not.toContain('has expired');
  renew('expired');
  service.child.kill('SIGHUP');
  for (const until = Date.now() + 10_000; (await expiry('open')) > Date.now() / 1000; await sleep(50))
    if (Date.now() > until) throw new Error('the certificate was not read again');
  expect(service.output()).toMatch(
    /"listener":"open","expired_at":".*the certificate of a syslog listener has expired/
  );
});

it('TLS: connections without a handshake give way to senders', async () => {
  const files = { certificate: certificate('server'), key: certificate('server-key'), client_ca: certificate('ca') };
  const listener = { name: 'mutual', transport: 'tls', port: 0, source: 'syslog', allow: ['127.0.0.0/8'], ...files };
  await start([listener], { LQE_SYSLOG_MAX_CONNECTIONS: '8', LQE_SYSLOG_MAX_CONNECTIONS_PER_ADDRESS: '4' });
  const port = service.portOf('mutual');
  const [ca, cert, key] = ['ca', 'client', 'client-key'].map((name) => readFileSync(certificate(name)));
  const client = { ca, cert, key };
  const connected = connectTls({ port, host: '127.0.0.1', servername: 'localhost', ...client });
  await once(connected, 'secureConnect');
  const silent = await Promise.all(
    ['127.0.0.2', '127.0.0.3', '127.0.0.2', '127.0.0.3', '127.0.0.2', '127.0.0.3', '127.0.0.2'].map(async (from) => {
      const socket = connect({ port, host: '127.0.0.1', localAddress: from });
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      return socket;
    })
  );
  await sendOverTls(port, '<13>another address\n', client);
  await sendOverTls(port, '<13>an address with others\n', { ...client, localAddress: '127.0.0.2' });
  connected.end('<13>connected before\n');
  expect(await settledCount(service, 3)).toEqual({ events: 3, messages: 3 });
  expect(silent.filter(({ destroyed }) => destroyed)).not.toHaveLength(0);
  for (const socket of silent) socket.destroy();
});

it('a start with listeners that cannot be opened names them', async () => {
  await start([TCP]);
  const taken = createSyslogPlace([{ ...TCP, port: service.portOf('tcp') }]);
  const wrong = createSyslogPlace([{ ...TCP, source: 'sislog' }]);
  try {
    const outcomes = await Promise.all([taken, wrong].map((each) => runServer(each, each.env)));
    expect(outcomes.map(({ code }) => code)).toEqual([1, 1]);
    expect(outcomes[0]!.output).toContain('The syslog listener "tcp" cannot listen on 127.0.0.1:');
    expect(outcomes[0]!.output).toContain('EADDRINUSE');
    expect(outcomes[1]!.output).toMatch(/syslog\.yaml:1:\d+: there is no source "sislog"/);
  } finally {
    taken.remove();
    wrong.remove();
  }
});
