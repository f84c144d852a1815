import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ImportError } from '#server/cli/import/import-error';
import { importEvents, type ImportOptions, type ImportSummary } from '#server/cli/import/import-events';
import { createIngestClient, type IngestClient, type IngestClientOptions } from '#server/cli/import/ingest-client';
import { noteEnd } from '#server/cli/import/register-import';
import type { EventInput, InputEvent } from '#server/cli/import/input/input';

interface Reply {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body: unknown;
}

/** A small real HTTP server in the place of the service: answers by a script, remembers what it was sent. */
class Receiver {
  readonly bodies: string[] = [];
  readonly requests: { url: string | undefined; key: unknown }[] = [];
  private readonly server: Server;

  constructor(private readonly reply: (body: string, call: number) => Reply | null) {
    this.server = createServer((request, response) => {
      void text(request).then((body) => {
        const reply = this.reply(body, this.requests.length);
        this.requests.push({ url: request.url, key: request.headers['x-api-key'] });
        if (reply === null) return request.socket.destroy();
        if (reply.status === 200) this.bodies.push(body);
        response.writeHead(reply.status, reply.headers).end(JSON.stringify(reply.body));
      });
    });
  }

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

async function text(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function stored(
  body: string,
  rejected: { index: number; code: string; message: string }[] = [],
  duplicates = 0
): Reply {
  const lines = body.split('\n').length - 1;
  return {
    status: 200,
    body: { result: { accepted: lines - rejected.length, duplicates, rejected: rejected.length, errors: rejected } },
  };
}

function inputOf(events: InputEvent[]): EventInput {
  async function* pieces(): AsyncGenerator<InputEvent[]> {
    for (let at = 0; at < events.length; at += 3) yield events.slice(at, at + 3);
  }
  return { pieces: pieces(), placeName: 'line', progress: { total: null, unit: 'bytes', read: () => 0 } };
}

function numbered(count: number): InputEvent[] {
  return Array.from({ length: count }, (_, at) => ({ place: at + 1, json: Buffer.from(`{"id":"e","n":${at + 1}}`) }));
}

describe('lqe import', () => {
  let receiver: Receiver;
  beforeEach(() => (receiver = new Receiver(() => null)));
  afterEach(() => receiver.close());

  async function run(
    reply: (body: string, call: number) => Reply | null,
    events: InputEvent[],
    options: Partial<ImportOptions> = {},
    clientOptions: IngestClientOptions = {}
  ): Promise<ImportSummary> {
    receiver = new Receiver(reply);
    const url = await receiver.open();
    const client = createIngestClient({ url, token: 'secret', source: 'edge_requests' }, clientOptions);
    return importWith(client, events, options);
  }

  function importWith(
    client: IngestClient,
    events: InputEvent[],
    options: Partial<ImportOptions>
  ): Promise<ImportSummary> {
    return importEvents(inputOf(events), client, {
      batchEvents: 4,
      continueOnError: false,
      fromPlace: 1,
      signal: new AbortController().signal,
      onProgress: () => undefined,
      ...options,
    });
  }

  it('sends batches in order, with the key and the source, and sums the responses', async () => {
    const summary = await run((body) => stored(body, [], 1), numbered(10));
    expect(summary).toMatchObject({ accepted: 10, duplicates: 3, rejected: 0, lastPlace: 10, end: 'complete' });
    expect(receiver.bodies.map((body) => body.split('\n').length - 1)).toEqual([4, 4, 2]);
    expect(receiver.bodies.join('')).toBe(
      numbered(10)
        .map((event) => `${String(event.json)}\n`)
        .join('')
    );
    expect(receiver.requests[0]).toEqual({ url: '/api/logs?source=edge_requests', key: 'secret' });
  });

  it.each([
    [10, 10, 1],
    [11, 10, 0],
    [900, 10, 0],
    [2, 0, 0],
  ])('from place %d of %d sends %d events, and says how far the input was read', async (from, count, sent) => {
    const summary = await run((body) => stored(body), numbered(count), { fromPlace: from });
    expect(summary).toMatchObject({ accepted: sent, readTo: count, end: 'complete' });
    const print = jest.spyOn(console, 'error').mockReturnValue();
    const note = (): void => noteEnd(summary, from, 'line');
    if (from > count + 1) expect(note).toThrow(`the input ends with line ${count}, so there was nothing to send`);
    else note();
    expect(print).toHaveBeenCalledTimes(from === count + 1 ? 1 : 0);
    print.mockRestore();
  });

  it('reports rejected events by their place in the file and stops', async () => {
    const reject = (body: string): Reply => stored(body, [{ index: 1, code: 'timestamp_invalid', message: 'no time' }]);
    const summary = await run(reject, numbered(10));
    expect(summary).toMatchObject({ accepted: 3, rejected: 1, end: 'rejected' });
    expect(summary.rejections).toEqual([{ place: 2, code: 'timestamp_invalid', message: 'no time' }]);
    expect(receiver.bodies).toHaveLength(1);
  });

  it('continues after rejections when asked to', async () => {
    const reject = (body: string): Reply => stored(body, [{ index: 1, code: 'timestamp_invalid', message: 'no time' }]);
    const summary = await run(reject, numbered(10), { continueOnError: true });
    expect(summary).toMatchObject({ accepted: 7, rejected: 3, end: 'complete' });
    expect(summary.rejections.map((each) => each.place)).toEqual([2, 6, 10]);
  });

  it('skips the events before the place to start from', async () => {
    await run((body) => stored(body), numbered(6), { fromPlace: 5 });
    expect(receiver.bodies).toEqual(['{"id":"e","n":5}\n{"id":"e","n":6}\n']);
  });

  it('counts an event that is too large to send as rejected, with its place', async () => {
    const events = [...numbered(2), { place: 3, json: null }];
    const summary = await run((body) => stored(body), events);
    expect(summary).toMatchObject({ accepted: 2, rejected: 1, end: 'rejected' });
    expect(summary.rejections).toMatchObject([{ place: 3, code: 'entry_too_large' }]);
  });

  it('does not send an event that is of another form than the export, and names its place', async () => {
    const refused = { code: 'format_mismatch', message: 'the event is not a line of Loki' };
    const summary = await run((body) => stored(body), [...numbered(2), { place: 3, json: Buffer.from('{}'), refused }]);
    expect(summary).toMatchObject({ accepted: 2, rejected: 1, end: 'rejected' });
    expect(summary.rejections).toEqual([{ place: 3, ...refused }]);
  });

  it('rejects an event that is not valid UTF-8 by its place, and sends the others', async () => {
    const events = [...numbered(2), { place: 3, json: Buffer.from('{"n":"\xff"}', 'latin1') }, ...numbered(1)];
    const summary = await run((body) => stored(body), events);
    expect(summary).toMatchObject({ accepted: 3, rejected: 1, end: 'rejected' });
    expect(summary.rejections).toMatchObject([{ place: 3, code: 'encoding_invalid' }]);
  });

  it('halves a batch that the server finds too large, down to the one event that is too large', async () => {
    const reply = (body: string): Reply => (body.includes('"n":3}') ? { status: 413, body: {} } : stored(body));
    const summary = await run(reply, numbered(5), { continueOnError: true });
    expect(summary).toMatchObject({ accepted: 4, rejected: 1 });
    expect(summary.rejections).toMatchObject([{ place: 3, code: 'entry_too_large' }]);
  });

  it.each([429, 503])('waits as long as a %d response says and sends the same batch again', async (status) => {
    const waits: number[] = [];
    const summary = await run(
      (body, call) => (call === 0 ? { status, headers: { 'Retry-After': '0' }, body: {} } : stored(body)),
      numbered(2),
      {},
      { onWait: (_reason, waitMs) => waits.push(waitMs) }
    );
    expect(summary.accepted).toBe(2);
    expect(waits).toEqual([50]);
  });

  it('retries when the connection breaks', async () => {
    const summary = await run((body, call) => (call === 0 ? null : stored(body)), numbered(2));
    expect(summary.accepted).toBe(2);
    expect(receiver.requests).toHaveLength(2);
  });

  it('gives up on a server that does not come back, and says why', async () => {
    receiver = new Receiver(() => null);
    const url = await receiver.open();
    await receiver.close();
    const client = createIngestClient({ url, token: 'secret', source: 'x' }, { patienceMs: 300 });
    await expect(importWith(client, numbered(1), {})).rejects.toThrow(/gave up: no answer from .* \(ECONNREFUSED\)/);
  });

  it('fails at once when the server refuses the whole request, with the message of the server', async () => {
    const refusal = { status: 401, body: { error: { code: 'token_invalid', message: 'The key is not valid.' } } };
    const attempt = run(() => refusal, numbered(1));
    await expect(attempt).rejects.toThrow(new ImportError('The key is not valid. (401 token_invalid)'));
  });

  it('a refusal of the whole request ends with the hint of the server', async () => {
    const error = {
      code: 'source_not_found',
      message: 'There is no such source.',
      details: { hint: 'did you mean "a"?' },
    };
    const attempt = run(() => ({ status: 404, body: { error } }), numbered(1));
    await expect(attempt).rejects.toThrow('There is no such source. (404 source_not_found)\n  hint: did you mean "a"?');
  });

  it.each([301, 302, 303, 307, 308])('does not follow a redirect (%d), which would get the token', async (status) => {
    const other = new Receiver((body) => stored(body));
    const headers = { Location: `${await other.open()}/api/logs` };
    const attempt = run(() => ({ status, headers, body: {} }), numbered(1), {}, { patienceMs: 0 });
    const outcome = await attempt.catch((error: Error) => error.message).finally(() => other.close());
    expect(outcome).toContain('leads to another address');
    expect(other.requests).toEqual([]);
  });

  it.each([
    ['http://user:secret@127.0.0.1:1', 'lqe_token', 'has no user, password'],
    ['ftp://127.0.0.1', 'lqe_token', 'must start with http'],
    ['nowhere', 'lqe_token', 'is no URL'],
    ['http://127.0.0.1:1', 'lqe_token\n', 'access token has blanks'],
    ['http://127.0.0.1:1', 'lqe_t\u00f6ken', 'access token has blanks'],
  ])('refuses the target %s with the token %j before the first request', (url, token, problem) => {
    expect(() => createIngestClient({ url, token, source: 'x' })).toThrow(ImportError);
    expect(() => createIngestClient({ url, token, source: 'x' })).toThrow(problem);
  });

  it('stops when interrupted, after the batch being sent was answered', async () => {
    const stop = new AbortController();
    const summary = await run((body) => stored(body), numbered(20), {
      signal: stop.signal,
      onProgress: () => stop.abort(),
    });
    expect(summary).toMatchObject({ accepted: 4, lastPlace: 4, end: 'interrupted' });
  });

  it('stops when interrupted while it waits for a server that does not answer', async () => {
    const stop = new AbortController();
    const summary = await run(
      () => ({ status: 503, headers: { 'Retry-After': '30' }, body: {} }),
      numbered(1),
      { signal: stop.signal },
      { signal: stop.signal, onWait: () => setImmediate(() => stop.abort()) }
    );
    expect(summary).toMatchObject({ accepted: 0, lastPlace: 0, end: 'interrupted' });
  });
});
