/** The syslog receiver: opens the listeners, stores their messages, and stops without losing what it has read. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ServiceError } from '#contract/errors';
import type { Source } from '#contract/events/source';
import type { AppContext } from '../../app/context';
import type { BodyReservation } from '../../http/bodies/body-budget';
import { Intake } from './events/intake';
import { storeBatch } from './events/store-batch';
import { type QueueMemory, StoreQueue } from './events/store-queue';
import { RoundRobin } from '../../common/scheduling/round-robin';
import { createSyslogMetrics, type ListenerMetrics } from './listener-metrics';
import { listenForDatagrams } from './listeners/datagram-listener';
import type { OpenListener } from './listeners/open-listener';
import { ConnectionPermits, type FullLimit } from './listeners/connection-permits';
import { listenForStreams, type TlsFiles } from './listeners/stream-listener';
import { timeZoneOf } from './parse/time-zone';
import { allowedBy, type Listener } from './settings/listener';
import { findSource } from './settings/load-listeners';
import { RepeatedWarning } from '../../monitoring/repeated-warning';
import { errorCode, toError } from '../../common/caught-error';

export interface SyslogReceiver {
  /** Reads the files of certificates again. Where that fails the former ones stay in use, and the log says so. */
  renewCertificates(): void;
  /** Closes the listeners, and stores what was read. @param timeoutMs messages that are not stored then are lost */
  stop(timeoutMs: number): Promise<void>;
}

type Context = Pick<
  AppContext,
  'config' | 'logger' | 'clock' | 'sources' | 'engine' | 'bodyBudget' | 'ingestPermits' | 'metrics' | 'activity'
>;

interface Running {
  readonly listener: Listener;
  readonly open: OpenListener;
  readonly intake: Intake;
  readonly queue: StoreQueue;
  readonly metrics: ListenerMetrics;
}

/** A listener cannot be opened. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

/** @throws ListenError */
export async function startSyslog(ctx: Context, listeners: readonly Listener[]): Promise<SyslogReceiver> {
  const { maxConnections, maxConnectionsPerAddress } = ctx.config.syslog;
  const shared: Shared = {
    ctx,
    metrics: createSyslogMetrics(ctx.metrics.registry),
    turns: new RoundRobin(),
    permits: new ConnectionPermits({
      max: maxConnections,
      // One listener leaves half of the connections to the others, as one token does of the permits.
      maxOfListener: listeners.length === 1 ? maxConnections : Math.ceil(maxConnections / 2),
      maxOfPeer: maxConnectionsPerAddress,
    }),
    nextName: batchNames(),
  };
  const running: Running[] = [];
  try {
    for (const listener of listeners) running.push(await startListener(shared, listener));
  } catch (error) {
    await Promise.all(running.map(({ open }) => open.stop(0)));
    throw error;
  }
  shared.metrics.observeWaiting(() => running.map(({ listener, queue }) => [listener.name, queue.length] as const));
  shared.metrics.observeCertificates(() =>
    running.flatMap(({ listener: { name }, open: { certificateEndsMs: ms } }) =>
      ms === null ? [] : [[name, ms] as const]
    )
  );
  for (const each of running) warnOfCertificate(ctx, each);
  return {
    renewCertificates: () => {
      for (const each of running) renew(ctx, each);
    },
    stop: async (timeoutMs) => {
      const untilMs = ctx.clock.monotonicMs() + timeoutMs;
      await Promise.all(running.map((each) => stopListener(ctx, each, untilMs)));
    },
  };
}

interface Shared {
  readonly ctx: Context;
  readonly metrics: ReturnType<typeof createSyslogMetrics>;
  readonly turns: RoundRobin;
  readonly permits: ConnectionPermits;
  readonly nextName: () => string;
}

async function startListener(shared: Shared, listener: Listener): Promise<Running> {
  const { ctx, turns, nextName } = shared;
  const { name, host, transport } = listener;
  const { maxBufferBytes } = ctx.config.syslog;
  const metrics = shared.metrics.of(name);
  const owner = ownerOf(listener);
  const budget = ctx.bodyBudget.open(owner);
  const source = sourceReader(ctx, listener);
  const delayed = new RepeatedWarning(ctx.logger, ctx.clock, 'syslog messages wait to be stored');
  const queue = new StoreQueue({
    memory: memoryWithin(maxBufferBytes, budget),
    store: (batch) => storeBatch({ ctx, owner, source: source(), tenant: listener.tenant, metrics }, batch),
    nextName,
    onDelay: (error) => delayed.log({ listener: name, reason: describe(error) }),
  });
  const zone = timeZoneOf(listener.time_zone)!;
  const intake = new Intake({ owner, source, zone, queue, turns, metrics, nowMs: () => ctx.clock.now().getTime() });
  const open = await openListener(shared, listener, { metrics, intake, budget });
  const facts = { listener: name, transport, host, port: open.port, source: source().name, tenant: listener.tenant };
  ctx.logger.info(facts, 'listening for syslog messages');
  return { listener, open, intake, queue, metrics };
}

interface ListenerParts {
  readonly metrics: ListenerMetrics;
  readonly intake: Intake;
  readonly budget: BodyReservation;
}

async function openListener({ ctx, permits }: Shared, listener: Listener, parts: ListenerParts): Promise<OpenListener> {
  const { metrics, intake, budget } = parts;
  const { maxMessageBytes, maxBufferBytes, idleMs } = ctx.config.syslog;
  const { host, port, transport } = listener;
  const nowMs = (): number => ctx.clock.monotonicMs();
  const common = { host, port, isAllowed: allowedBy(listener), intake, metrics, maxMessageBytes, nowMs };
  try {
    if (transport === 'udp')
      return await listenForDatagrams({ ...common, memory: memoryWithin(maxBufferBytes, budget) });
    const readTls = transport === 'tls' ? () => readTlsFiles(listener) : null;
    const reserve = (): (() => void) | null => reserveConnection(ctx, ownerOf(listener));
    const acquire = (peer: string): (() => void) | FullLimit => permits.acquire(listener.name, peer);
    return await listenForStreams({ ...common, readTls, acquire, reserve, idleMs });
  } catch (error) {
    const reason = errorCode(error) ?? toError(error).message;
    throw new ListenError(`The syslog listener "${listener.name}" cannot listen on ${host}:${port}: ${reason}`);
  }
}

/** A failure of one listener must not keep the others from theirs. */
function renew(ctx: Context, running: Running): void {
  const { listener, open } = running;
  const { logger } = ctx;
  try {
    open.renewCertificates();
    warnOfCertificate(ctx, running);
  } catch (error) {
    const facts = { err: error, listener: listener.name };
    logger.error(facts, 'certificates of a syslog listener cannot be read: the former ones stay');
  }
}

/** Senders that check an expired certificate do not connect, and a listener sees only that a handshake failed. */
function warnOfCertificate({ logger, clock }: Context, { listener, open }: Running): void {
  const { certificateEndsMs: endsMs } = open;
  if (endsMs === null || endsMs > clock.now().getTime()) return;
  const facts = { listener: listener.name, expired_at: new Date(endsMs).toISOString() };
  logger.error(facts, 'the certificate of a syslog listener has expired: senders that check it do not connect');
}

async function stopListener({ logger, clock }: Context, running: Running, untilMs: number): Promise<void> {
  const { listener, open, intake, queue, metrics } = running;
  await open.stop(untilMs);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, untilMs - clock.monotonicMs()));
  });
  await Promise.race([queue.drained(), late]);
  clearTimeout(timer);
  const lost = intake.giveUp() + queue.giveUp();
  if (lost === 0) return;
  metrics.noteLoss('stopped', lost);
  logger.error({ listener: listener.name, messages: lost }, 'syslog messages could not be stored before the stop');
}

/** Owner of memory, permits and refused batches, as a token is of those of its requests. */
function ownerOf({ name }: Listener): string {
  return `syslog:${name}`;
}

/** Names of batches, different on all servers and after all restarts: equal messages are different events. */
function batchNames(): () => string {
  const start = randomBytes(12).toString('base64url');
  let count = 0;
  return () => `${start}${(count++).toString(36)}`;
}

/** The source as it is served now; one that is no longer served refuses its batches. */
function sourceReader({ sources }: Context, { source: name }: Listener): () => Source {
  let all = sources.all;
  let found = findSource(all, name)!;
  return () => {
    if (all !== sources.all) {
      all = sources.all;
      found = findSource(all, name) ?? found;
    }
    return found;
  };
}

/** @param budget of all senders */
function memoryWithin(maxBytes: number, budget: BodyReservation): QueueMemory {
  let used = 0;
  return {
    add: (bytes) => {
      if (used + bytes > maxBytes || !hasRoom(() => budget.add(bytes))) return false;
      used += bytes;
      return true;
    },
    subtract: (bytes) => {
      used -= bytes;
      budget.subtract(bytes);
    },
  };
}

/** Memory of the buffers of a connection, and of a message that is not complete. */
function reserveConnection({ bodyBudget }: Context, owner: string): (() => void) | null {
  const reservation = bodyBudget.open(owner);
  return hasRoom(() => reservation.start(0)) ? () => reservation.release() : null;
}

function hasRoom(add: () => void): boolean {
  try {
    add();
    return true;
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}

function readTlsFiles({ certificate, key, client_ca: authorities }: Listener): TlsFiles {
  return {
    certificate: readFileSync(certificate!),
    key: readFileSync(key!),
    clientAuthorities: authorities === null ? null : readFileSync(authorities),
  };
}

function describe(error: unknown): string {
  return error instanceof ServiceError ? error.code : error instanceof Error ? error.message : String(error);
}
