/** Listens for connections, over TCP or TLS. */
import { X509Certificate } from 'node:crypto';
import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer as createTlsServer, type SecureContextOptions, type Server as TlsServer } from 'node:tls';
import { peerOf } from '../../../admission/peer-address';
import type { ListenerMetrics } from '../listener-metrics';
import type { Intake } from '../events/intake';
import type { IsAllowed } from '../settings/listener';
import { senderOf } from './addresses';
import { Connection } from './connection';
import type { FullLimit } from './connection-permits';
import { HandshakeTurns } from './handshake-turns';
import { Handshakes } from './handshakes';
import type { OpenListener } from './open-listener';
import { PacedStream } from './paced-stream';

export interface StreamParts {
  readonly host: string;
  readonly port: number;
  /** Reads the files of TLS; null: no TLS. */
  readonly readTls: (() => TlsFiles) | null;
  readonly isAllowed: IsAllowed;
  /** Acquires the permit of a connection. @returns a function that releases it, or what has none left */
  readonly acquire: (peer: string) => (() => void) | FullLimit;
  /** Reserves the memory of a connection. @returns a function that releases it; null: no memory is left */
  readonly reserve: () => (() => void) | null;
  readonly intake: Intake;
  readonly metrics: ListenerMetrics;
  readonly maxMessageBytes: number;
  readonly idleMs: number;
  readonly nowMs: () => number;
}

/** Contents of PEM files. */
export interface TlsFiles {
  readonly certificate: Buffer;
  readonly key: Buffer;
  /** Authorities of the certificates that senders must have; null: they need none. */
  readonly clientAuthorities: Buffer | null;
}

const HANDSHAKE_MS = 10_000;
const KEEP_ALIVE_MS = 60_000;
const CHECK_MS = 1000;
/** Time for a message to be completed. */
const MESSAGE_MS = 60_000;
/** After the end of the service's side of a connection: how long its sender may be silent. */
const QUIET_MS = 500;
const QUIET_CHECK_MS = 50;

/** @throws the errors of `listen` */
export async function listenForStreams(parts: StreamParts): Promise<OpenListener> {
  const listener = new StreamListener(parts);
  await listener.listen();
  return listener;
}

class StreamListener implements OpenListener {
  private readonly server: Server;
  private readonly tlsServer: TlsServer | null;
  private readonly connections = new Set<Connection>();
  /** By remote address and port. */
  private readonly handshakes = new Handshakes<string>();
  private readonly turns = new HandshakeTurns();
  /** The connection whose bytes TLS reads; null: none. */
  private inTurn: Socket | null = null;
  private readonly timer: NodeJS.Timeout;
  private endsMs: number | null = null;

  constructor(private readonly parts: StreamParts) {
    this.tlsServer = parts.readTls === null ? null : this.createTls(parts.readTls());
    this.server = createServer((socket) => this.accept(socket));
    this.timer = setInterval(() => {
      for (const connection of this.connections) connection.closeIfOverdue(parts.idleMs, MESSAGE_MS);
    }, CHECK_MS);
    this.timer.unref();
  }

  get port(): number {
    return (this.server.address() as { readonly port: number }).port;
  }

  listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(this.parts.port, this.parts.host, () => {
        this.server.off('error', reject);
        // A connection that could not be accepted: the system has no room for it, or a rule of its own against it.
        this.server.on('error', () => this.parts.metrics.noteRefusal('system'));
        resolve();
      });
    });
  }

  get certificateEndsMs(): number | null {
    return this.endsMs;
  }

  renewCertificates(): void {
    if (this.parts.readTls === null) return;
    const files = this.parts.readTls();
    this.tlsServer?.setSecureContext(contextOf(files));
    this.endsMs = endOf(files.certificate);
  }

  async stop(untilMs: number): Promise<void> {
    const { nowMs, intake } = this.parts;
    this.server.close();
    for (const connection of this.connections) connection.shutDown();
    const startMs = nowMs();
    const isQuiet = (): boolean =>
      nowMs() - startMs > QUIET_MS && [...this.connections].every((connection) => connection.isQuietFor(QUIET_MS));
    while (this.connections.size > 0 && !isQuiet() && nowMs() < untilMs) await sleep(QUIET_CHECK_MS);
    clearInterval(this.timer);
    for (const connection of this.connections) connection.destroy();
    await Promise.race([intake.finished(), sleep(Math.max(0, untilMs - nowMs()), undefined, { ref: false })]);
  }

  private createTls(files: TlsFiles): TlsServer {
    const hasClients = files.clientAuthorities !== null;
    const server = createTlsServer({
      ...contextOf(files),
      minVersion: 'TLSv1.2',
      handshakeTimeout: HANDSHAKE_MS,
      requestCert: hasClients,
      rejectUnauthorized: hasClients,
    });
    this.endsMs = endOf(files.certificate);
    server.on('secureConnection', (socket) => {
      // TLS ends a handshake while it reads a piece.
      if (this.inTurn === null) return void socket.destroy();
      this.handshakes.end(endpointOf(this.inTurn));
      this.serve(socket, this.inTurn);
    });
    server.on('tlsClientError', (_error, socket) => {
      this.parts.metrics.noteRefusal('tls');
      socket.destroy();
    });
    return server;
  }

  private accept(socket: Socket): void {
    const { metrics } = this.parts;
    socket.on('error', () => undefined);
    if (!this.parts.isAllowed(senderOf(socket.remoteAddress))) {
      metrics.noteRefusal('address');
      socket.destroy();
      return;
    }
    const release = this.acquire(socket);
    if (release === null) {
      metrics.noteRefusal('limit');
      socket.destroy();
      return;
    }
    metrics.noteConnections(1);
    let isReleased = false;
    const releaseOnce = (): void => {
      if (isReleased) return;
      isReleased = true;
      release();
      metrics.noteConnections(-1);
    };
    socket.once('close', releaseOnce);
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    if (this.tlsServer === null) this.serve(socket, socket);
    else this.beginHandshake(this.tlsServer, socket, releaseOnce);
  }

  private beginHandshake(server: TlsServer, socket: Socket, release: () => void): void {
    const { metrics } = this.parts;
    const key = endpointOf(socket);
    const peer = peerOf(socket);
    const close = (): void => {
      metrics.noteRefusal('limit');
      socket.destroy();
      release();
    };
    this.handshakes.begin(key, { peer, close });
    const timer = setTimeout(() => {
      metrics.noteRefusal('tls');
      socket.destroy();
    }, HANDSHAKE_MS);
    socket.once('close', () => {
      clearTimeout(timer);
      this.handshakes.end(key);
    });
    // The first bytes stay in the socket, whose handshake begins with them.
    socket.once('readable', () => {
      this.turns.add(peer, () => {
        clearTimeout(timer);
        if (!socket.destroyed) server.emit('connection', this.paced(socket, peer));
      });
    });
  }

  private paced(socket: Socket, peer: string): PacedStream {
    const takeTurn = (work: () => void): void => this.turns.add(peer, work);
    return new PacedStream(socket, takeTurn, (work) => {
      const before = this.inTurn;
      this.inTurn = socket;
      try {
        return work();
      } finally {
        this.inTurn = before;
      }
    });
  }

  /** Both the permit and the memory of a connection. @returns a function that releases them; null: refused */
  private acquire(socket: Socket): (() => void) | null {
    const peer = peerOf(socket);
    let releasePermit = this.parts.acquire(peer);
    if (typeof releasePermit === 'string' && this.handshakes.closeOldest(releasePermit === 'peer' ? peer : null))
      releasePermit = this.parts.acquire(peer);
    if (typeof releasePermit === 'string') return null;
    const permit = releasePermit;
    const releaseMemory = this.parts.reserve();
    if (releaseMemory !== null) return () => (permit(), releaseMemory());
    permit();
    return null;
  }

  /** @param socket of TLS, or the one of the connection itself */
  private serve(socket: Socket, { remoteAddress }: Socket): void {
    const { intake, metrics, maxMessageBytes, nowMs } = this.parts;
    const sender = senderOf(remoteAddress);
    const connection = new Connection(socket, { sender, intake, metrics, maxMessageBytes, nowMs });
    this.connections.add(connection);
    // Node reports handshakes that a client begins again and again, and does not close the connection.
    socket.on('error', () => socket.destroy());
    socket.once('close', () => this.connections.delete(connection));
  }
}

/** Other than that of every open connection. */
function endpointOf({ remoteAddress, remotePort }: Socket): string {
  return `${String(remoteAddress)} ${String(remotePort)}`;
}

const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** @returns when the first certificate of the chain expires */
function endOf(chain: Buffer): number {
  const certificates = chain.toString('latin1').match(PEM_CERTIFICATE) ?? [];
  return Math.min(...certificates.map((pem) => Date.parse(new X509Certificate(pem).validTo)));
}

function contextOf({ certificate, key, clientAuthorities }: TlsFiles): SecureContextOptions {
  return { cert: certificate, key, ...(clientAuthorities === null ? {} : { ca: clientAuthorities }) };
}
