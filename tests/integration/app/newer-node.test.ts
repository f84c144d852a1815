/** The server in a newer Node than that of the tests, as in the image: the same requests, and bodies in zstd. */
import buildServer from '../../support/processes/build-server';
import {
  createPlace,
  type Place,
  PROCESS_TOKEN,
  type ServiceProcess,
  startService,
} from '../../support/servers/spawned';

const KEY = { 'X-API-KEY': PROCESS_TOKEN };

let place: Place;
let service: ServiceProcess;

beforeAll(async () => {
  const { NEWER_NODE } = process.env;
  if (NEWER_NODE === undefined)
    throw new Error('NEWER_NODE must name a Node of 22.15 or later; "npm test" installs one');
  await buildServer();
  place = createPlace();
  service = await startService(place, {}, NEWER_NODE);
}, 180_000);
afterAll(async () => {
  await service.stop('SIGKILL');
  place.remove();
});

/** A frame of one block that is not compressed [RFC 8878 section 3.1]. @param text at most 255 bytes */
function frame(text: string): Buffer {
  const bytes = Buffer.from(text);
  const block = Buffer.alloc(3);
  block.writeUIntLE((bytes.length << 3) | 1, 0, 3);
  return Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x20, bytes.length]), block, bytes]);
}

/** An empty frame. @param exponent of its window, of which 0 means 1 KiB [RFC 8878 section 3.1.1.1.2] */
const frameOfWindow = (exponent: number): Buffer => Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, exponent << 3, 1, 0, 0]);

const event = (message: string): string =>
  `${JSON.stringify({ timestamp: new Date().toISOString(), project: 'p', event_message: message })}\n`;

async function post(...parts: readonly Buffer[]): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(`${service.url}/api/logs?source=edge_requests`, {
    method: 'POST',
    headers: { ...KEY, 'Content-Type': 'application/x-ndjson', 'Content-Encoding': 'zstd' },
    body: Buffer.concat(parts),
  });
  return { status: answer.status, body: await answer.json() };
}

async function messages(): Promise<unknown> {
  const sql = 'select event_message from edge_logs order by event_message';
  const query = new URLSearchParams({ project: 'p', sql });
  const answer = await fetch(`${service.url}/api/endpoints/query/logs.all?${query.toString()}`, { headers: KEY });
  return ((await answer.json()) as { result: unknown }).result;
}

it('the server stores the events of all frames of a body', async () => {
  const { status } = await post(frame(event('a')), frame(event('b')), frame(''), frame(event('c')));
  expect(status).toBe(200);
  expect(await messages()).toEqual(['a', 'b', 'c'].map((event_message) => ({ event_message })));
});

it.each([
  ['bytes behind a frame', [frame(event('x')), Buffer.from(event('x'))], {}],
  ['a cut frame', [frame(event('x')), frame(event('x')).subarray(0, -3)], {}],
  ['a window of 128 MiB', [frame(event('x')), frameOfWindow(17)], { details: { reason: 'window_too_large' } }],
  ['1,025 frames', [frame(event('x')), ...Array.from({ length: 1024 }, () => frame(''))], {}],
])('the server refuses %s, and stores nothing', async (_name, parts, facts) => {
  const { status, body } = await post(...parts);
  expect(status).toBe(400);
  expect(body).toMatchObject({ error: { code: 'body_invalid', ...facts } });
});

it('the server reads a window of 8 MiB', async () => {
  expect((await post(frame(event('d')), frameOfWindow(13))).status).toBe(200);
});

it('a server that ends has stored what it accepted', async () => {
  expect(await service.stop()).toBe(0);
  service = await startService(place, {}, process.env['NEWER_NODE']);
  expect(await messages()).toEqual(['a', 'b', 'c', 'd'].map((event_message) => ({ event_message })));
  expect(await service.stop()).toBe(0);
});
