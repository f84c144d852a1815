/** The built service with syslog listeners, as docs/shippers.md declares them. */
import { appendFileSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { documentedBlock } from '../../shippers/support/documented';
import {
  createPlace,
  type Place,
  PROCESS_TOKEN,
  type ServiceProcess,
  startService,
} from '../../support/servers/spawned';

const ROOT = path.resolve(__dirname, '..', '..', '..');
const COUNT = `id: 7d1a9fd0-0000-4000-8000-0000000000b1
name: syslog.count
query: SELECT COUNT(*) AS events, COUNT(DISTINCT event_message) AS messages FROM syslog
`;
const ROWS = `id: 7d1a9fd0-0000-4000-8000-0000000000b2
name: syslog.rows
query: |
  SELECT timestamp, event_message, m.hostname, m.app_name, m.procid, m.msgid, m.facility, m.severity, m.level, m.sender
  FROM syslog CROSS JOIN UNNEST(metadata) AS m ORDER BY event_message
`;

export interface SyslogPlace extends Place {
  /** Settings for a service with these listeners. */
  readonly env: Readonly<Record<string, string>>;
  /** Replaces the listeners; members as in the file. */
  declare(listeners: readonly object[]): void;
}

/** @param listeners members as in the file; ports that are 0 are free ones */
export function createSyslogPlace(listeners: readonly object[]): SyslogPlace {
  const place = createPlace();
  const sources = path.join(place.folder, 'sources.yaml');
  const file = path.join(place.folder, 'syslog.yaml');
  copyFileSync(path.join(ROOT, 'sources.yaml'), sources);
  appendFileSync(sources, `\n${documentedBlock('Syslog', 1)}`);
  writeFileSync(path.join(place.endpointsDir, 'syslog.count.yaml'), COUNT);
  writeFileSync(path.join(place.endpointsDir, 'syslog.rows.yaml'), ROWS);
  const declare = (declared: readonly object[]): void => writeFileSync(file, JSON.stringify({ listeners: declared }));
  declare(listeners);
  return { ...place, env: { LQE_SYSLOG_FILE: file, LQE_SOURCES_FILE: sources }, declare };
}

export interface SyslogService extends ServiceProcess {
  portOf(listener: string): number;
}

export async function startSyslogService(
  place: SyslogPlace,
  env: Readonly<Record<string, string>> = {}
): Promise<SyslogService> {
  // Tests ask for metrics until they change: on a busy machine that may be more often than a token usually may.
  const quota = { LQE_MAX_REQUESTS_PER_MINUTE: '1000000' };
  const service = await startService(place, { ...quota, ...place.env, ...env });
  const { listeners } = JSON.parse(readFileSync(place.env['LQE_SYSLOG_FILE']!, 'utf8')) as { listeners: unknown[] };
  const opened = (): number => service.output().split('listening for syslog messages').length - 1;
  while (opened() < listeners.length) await sleep(10);
  return {
    ...service,
    portOf: (name) => {
      const pattern = new RegExp(`"listener":"${name}".*"port":(\\d+).*listening for syslog messages`);
      return Number(pattern.exec(service.output())![1]);
    },
  };
}

export async function callQuery<T>(service: ServiceProcess, name: string, token = PROCESS_TOKEN): Promise<T[]> {
  const answer = await fetch(`${service.url}/api/endpoints/query/${name}`, { headers: { 'X-API-KEY': token } });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return (JSON.parse(text) as { result: T[] }).result;
}

export interface Count {
  readonly events: number;
  /** Different texts among them. */
  readonly messages: number;
}

export async function countMessages(service: ServiceProcess): Promise<Count> {
  return (await callQuery<Count>(service, 'syslog.count'))[0]!;
}

/**
 * Waits until this number of events is stored; then a moment longer, for more that would be wrong.
 *
 * @returns the count
 */
export async function settledCount(service: ServiceProcess, events: number, patienceMs = 30_000): Promise<Count> {
  for (let [until, pauseMs] = [Date.now() + patienceMs, 50]; Date.now() < until; await sleep(pauseMs)) {
    if ((await countMessages(service)).events >= events) break;
    pauseMs = Math.min(2 * pauseMs, 1000);
  }
  await sleep(300);
  return countMessages(service);
}

/** Sum of a metric over all series whose labels contain the text; 0 without such a series. Rejects without metrics. */
export async function readMetric(service: ServiceProcess, name: string, labels = ''): Promise<number> {
  const answer = await fetch(`${service.url}/metrics`, { headers: { 'X-API-KEY': PROCESS_TOKEN } });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) && line.includes(labels))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
}

export async function untilMetric(
  service: ServiceProcess,
  name: string,
  labels: string,
  atLeast: number
): Promise<void> {
  for (const until = Date.now() + 30_000; (await readMetric(service, name, labels)) < atLeast; await sleep(50))
    if (Date.now() > until) throw new Error(`${name}{${labels}} stays below ${atLeast}`);
}

export function openSocket(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => resolve(socket));
    socket.once('error', reject);
  });
}

/** Resolves when the system has taken all bytes. */
export function send(socket: Socket, bytes: string | Buffer): Promise<void> {
  return new Promise((resolve, reject) => socket.write(bytes, (error) => (error ? reject(error) : resolve())));
}

export async function sendAndEnd(port: number, bytes: string | Buffer): Promise<void> {
  const socket = await openSocket(port);
  socket.end(bytes);
  await closed(socket);
}

export function closed(socket: Socket): Promise<void> {
  socket.resume();
  return new Promise((resolve) => {
    if (socket.closed) resolve();
    socket.once('error', () => undefined);
    socket.once('close', () => resolve());
    socket.once('end', () => socket.end());
  });
}

export const lines = (count: number, from = 0, more = ''): string =>
  Array.from({ length: count }, (_, at) => `<134>Jan  1 00:00:00 host app[1]: message ${from + at}${more}\n`).join('');

const CERTIFICATES = path.join(ROOT, 'tests', 'backend', 'support', 'certificates');

/** @returns the path of a certificate of the tests, or of its key */
export const certificate = (name: string): string => path.join(CERTIFICATES, `${name}.pem`);
