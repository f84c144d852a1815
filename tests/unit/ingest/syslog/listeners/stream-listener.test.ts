/** A listener on a real port whose system cannot accept connections for a while. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { connect as connectTls } from 'node:tls';
import { listenForStreams, type StreamParts } from '#server/ingest/syslog/listeners/stream-listener';

it('a connection that the system could not accept is counted, and ends nothing', async () => {
  const servers = jest.spyOn(net, 'createServer');
  const refusals: string[] = [];
  const listener = await listenForStreams({
    host: '127.0.0.1',
    port: 0,
    readTls: null,
    metrics: { noteRefusal: (reason: string) => void refusals.push(reason) },
    intake: { finished: () => Promise.resolve() },
    nowMs: () => performance.now(),
  } as unknown as StreamParts);
  const server = servers.mock.results[0]!.value as net.Server;
  // As Node reports an accept that failed.
  try {
    for (const code of ['ENFILE', 'EPERM']) server.emit('error', Object.assign(new Error(`accept ${code}`), { code }));
  } finally {
    await listener.stop(0);
  }
  expect(refusals).toEqual(['system', 'system']);
});

const CERTIFICATES = path.resolve(__dirname, '..', '..', '..', '..', 'backend', 'support', 'certificates');
const read = (name: string): Buffer => readFileSync(path.join(CERTIFICATES, `${name}.pem`));

it('a client that begins its handshake again and again is closed', async () => {
  const listener = await listenForStreams({
    host: '127.0.0.1',
    port: 0,
    readTls: () => ({ certificate: read('server'), key: read('server-key'), clientAuthorities: null }),
    isAllowed: () => true,
    acquire: () => () => undefined,
    reserve: () => () => undefined,
    metrics: { noteRefusal: () => undefined, noteConnections: () => undefined },
    intake: { add: () => undefined, finished: () => Promise.resolve() },
    maxMessageBytes: 1000,
    idleMs: 60_000,
    nowMs: () => performance.now(),
  } as unknown as StreamParts);
  const client = connectTls({ port: listener.port, host: '127.0.0.1', ca: read('ca'), maxVersion: 'TLSv1.2' });
  client.on('error', () => undefined);
  let handshakes = 0;
  try {
    await once(client, 'secureConnect');
    const closed = once(client, 'close');
    const again = (): void => {
      // Far more than allowed, where nothing closes it.
      if (handshakes === 30) client.destroy();
      else client.renegotiate({}, (error) => void (error ?? (handshakes++, again())));
    };
    again();
    await closed;
  } finally {
    await listener.stop(0);
  }
  expect(handshakes).toBeLessThan(10);
});
