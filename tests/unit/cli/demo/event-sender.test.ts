import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createEventSender } from '#server/cli/demo/event-sender';
import { sampleTraffic } from '#server/cli/sample-data/sample-logs';

const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (text: string) => (body += text));
  request.on('end', () => {
    const result = { accepted: body.split('\n').length, duplicates: 0, rejected: 0, errors: [] };
    response.end(JSON.stringify({ result }));
  });
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test('the number of new events is that of all batches, also of those that are sent at the same time', async () => {
  const { port } = server.address() as AddressInfo;
  const { signal } = new AbortController();
  const sender = createEventSender({ url: `http://127.0.0.1:${port}`, token: 't', signal, onWait: () => undefined });
  const endMicros = Date.parse('2026-03-08') * 1000;
  const events = [...sampleTraffic({ endMicros, days: 1, edgeRequests: 3000, seed: 1 })];

  await expect(sender.send(events)).resolves.toBe(events.length);
});
