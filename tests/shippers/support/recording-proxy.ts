/**
 * An HTTP proxy between a shipper and the service. It counts requests, and it makes crashes happen at a certain place
 * of a request. A request that the service does not answer ends for the shipper as it would without a proxy: its
 * connection breaks.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, Agent, type IncomingMessage, request as sendRequest, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { countEvents } from './count-events';

/** `mid-request`: the whole request is with the service. `answer-lost`: its answer is on the way to the shipper. */
export type CrashMoment = 'mid-request' | 'answer-lost';

export interface RecordingProxy {
  readonly url: string;
  /** Requests that arrived completely, with any outcome. */
  readonly requests: number;
  /** Requests without an answer of the class 2xx; a shipper sends them again. */
  readonly failed: number;
  /**
   * Different bodies that failed and never came again with the same bytes: the shipper put their events into other
   * batches.
   */
  readonly rebatched: number;
  /** Events of requests that were answered with 2xx. */
  readonly acknowledged: number;
  /** Events of requests that were with the service, or on the way back, when it crashed. */
  readonly inFlightAtCrash: number;
  /** The first answer that was not 2xx, or 2xx with refused events. */
  readonly firstProblem: string | undefined;
  /**
   * Calls `crash` once, at that moment of the next request. From then on connections are refused, as those to a service
   * that is away.
   */
  arm(moment: CrashMoment, crash: () => void): void;
  /** The service is there again. */
  resume(): Promise<void>;
  close(): Promise<void>;
}

export async function startRecordingProxy(servicePort: number): Promise<RecordingProxy> {
  const agent = new Agent({ keepAlive: true });
  const sockets = new Set<Socket>();
  const counts = { requests: 0, failed: 0, acknowledged: 0, inFlightAtCrash: 0 };
  const inFlight = new Set<number>();
  const eventsOf = new Map<number, number>();
  const bodies = { failed: new Set<string>(), acknowledged: new Set<string>() };
  let firstProblem: string | undefined;
  let armed: { readonly moment: CrashMoment; readonly crash: () => void } | undefined;

  const crashAt = (moment: CrashMoment): boolean => {
    if (armed?.moment !== moment) return false;
    for (const id of inFlight) counts.inFlightAtCrash += eventsOf.get(id)!;
    armed.crash();
    armed = undefined;
    leave();
    return true;
  };

  const forward = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const body = await buffer(req);
    const id = counts.requests++;
    const type = req.headers['content-type'] ?? '';
    const encoding = req.headers['content-encoding'];
    eventsOf.set(id, countEvents({ path: req.url ?? '', method: req.method ?? '', type, encoding, body }));
    inFlight.add(id);
    const digest = createHash('sha256').update(body).digest('hex');
    const headers = { ...req.headers };
    delete headers.expect;
    delete headers['transfer-encoding'];
    const upstream = sendRequest({
      agent,
      port: servicePort,
      host: '127.0.0.1',
      method: req.method,
      path: req.url,
      headers: { ...headers, 'content-length': body.length },
    });
    const fail = (): void => {
      if (!inFlight.delete(id)) return;
      counts.failed++;
      bodies.failed.add(digest);
      req.socket.destroy();
    };
    upstream.on('error', fail);
    upstream.on('finish', () => crashAt('mid-request'));
    upstream.on('response', (answer) => {
      void buffer(answer).then((content) => {
        if (!inFlight.has(id)) return;
        if (crashAt('answer-lost')) return fail();
        inFlight.delete(id);
        const status = answer.statusCode!;
        const isGood = status >= 200 && status < 300;
        if (isGood) counts.acknowledged += eventsOf.get(id)!;
        else counts.failed++;
        bodies[isGood ? 'acknowledged' : 'failed'].add(digest);
        if (!isGood || /"rejected":[1-9]/.test(content.toString())) firstProblem ??= `${status} ${content.toString()}`;
        res.writeHead(status, answer.headers).end(content);
      }, fail);
    });
    upstream.end(body);
  };

  const server = createServer((req, res) => void forward(req, res).catch(() => req.socket.destroy()));
  server.keepAliveTimeout = 60_000;
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  const listen = (port: number): Promise<void> =>
    new Promise((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  const leave = (): void => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    get requests() {
      return counts.requests;
    },
    get failed() {
      return counts.failed;
    },
    get rebatched() {
      return [...bodies.failed].filter((digest) => !bodies.acknowledged.has(digest)).length;
    },
    get acknowledged() {
      return counts.acknowledged;
    },
    get inFlightAtCrash() {
      return counts.inFlightAtCrash;
    },
    get firstProblem() {
      return firstProblem;
    },
    arm: (moment, crash) => {
      armed = { moment, crash };
    },
    resume: () => listen(port),
    close: async () => {
      agent.destroy();
      if (!server.listening) return;
      const closed = once(server, 'close');
      leave();
      await closed;
    },
  };
}
