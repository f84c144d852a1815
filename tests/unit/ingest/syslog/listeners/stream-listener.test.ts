/** A listener on a real port whose system cannot accept connections for a while. */
import net from 'node:net';
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
