/** Events sent by OTLP and by Loki's push become entries like all others. */
import zlib, { gzipSync } from 'node:zlib';
import { createTestService, type TestService } from '../../support/servers/in-memory';
import { ATTACK_DOORS, attackBody, formatAttacks } from '../../support/cases/format-attacks';
import { FORMAT_SOURCES, formatCases, readEntries } from '../../support/cases/formats';
import { type RawAnswer, send } from '../../support/fakes/connection';
import { decodeResponse, decodeStatus, encodeRequest } from '../../support/references/otlp-messages';
import { failure } from '../../support/fakes/engine';

const { zstdCompressSync } = zlib as { zstdCompressSync?: (bytes: Uint8Array) => Buffer };

let service: TestService;
let key: string;

function serve(settings: Record<string, string> = {}): void {
  service?.close();
  service = createTestService({ sources: FORMAT_SOURCES, settings });
  key = service.createToken();
}

beforeAll(() => serve());
beforeEach(() => {
  service.engine.asked.length = 0;
  service.engine.answers.ingest = (_request, { body }) => {
    const accepted = readEntries(body!).length;
    return { accepted, duplicates: 0, rejected: 0, errors: [] };
  };
});
afterAll(() => service.close());

const post = (target: string, type: string, body: string | Uint8Array, headers: Record<string, string> = {}) =>
  send(service.server, target, {
    method: 'POST',
    headers: { 'X-API-KEY': key, 'Content-Type': type, ...headers },
    body,
  });
const stored = (): Record<string, unknown[]> =>
  Object.fromEntries(
    service.engine.asked.map(({ request, options }) => [
      (request as { source: string }).source,
      readEntries(options.body!),
    ])
  );
const withSource = (path: string, source: string | undefined): string =>
  source === undefined ? path : `${path}?source=${source}`;

const FORMS = [
  { form: 'JSON', type: 'application/json', encode: (request: unknown) => Buffer.from(JSON.stringify(request)) },
  { form: 'protobuf', type: 'application/x-protobuf', encode: encodeRequest },
];

describe.each(FORMS)('OTLP in $form', ({ form, type, encode }) => {
  const messageOf = (answer: RawAnswer) =>
    form === 'JSON' ? answer.json() : answer.status === 200 ? decodeResponse(answer.body) : decodeStatus(answer.body);

  it.each(formatCases('otlp.yaml'))('$name', async ({ source, request, entries, refused }) => {
    const answer = await post(withSource('/v1/logs', source), type, encode(request));
    expect([answer.status, answer.headers['content-type']]).toEqual([200, type]);
    expect(stored()).toEqual(entries);
    const { partialSuccess } = messageOf(answer);
    expect(Number(partialSuccess?.rejectedLogRecords ?? 0)).toBe(refused.length);
    for (const code of refused) expect(partialSuccess.errorMessage).toContain(`: ${code}: `);
  });

  const one = { resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: { stringValue: 'a' } }] }] }] };

  it('accepts gzip, and a charset', async () => {
    const answer = await post('/v1/logs?source=edge_requests', `${type}; charset=UTF-8`, gzipSync(encode(one)), {
      'Content-Encoding': 'gzip',
    });
    expect([answer.status, stored()]).toEqual([200, { edge_requests: [{ event_message: 'a', metadata: {} }] }]);
  });

  it('accepts zstd where Node supports it, and otherwise lists the accepted codings', async () => {
    const headers = { 'Content-Encoding': 'zstd' };
    const body = zstdCompressSync ? zstdCompressSync(encode(one)) : Buffer.from('no matter what');
    const answer = await post('/v1/logs?source=edge_requests', type, body, headers);
    if (zstdCompressSync) {
      expect([answer.status, Object.keys(stored())]).toEqual([200, ['edge_requests']]);
      const bomb = await post('/v1/logs', type, zstdCompressSync(Buffer.alloc(80_000_000)), headers);
      expect([bomb.status, messageOf(bomb).code]).toEqual([413, 8]);
      expect((await post('/v1/logs', type, 'not zstd', headers)).status).toBe(400);
    } else {
      expect([answer.status, messageOf(answer).message]).toEqual([415, expect.stringContaining('gzip, identity')]);
    }
  });

  it('reports rejected events by their place in the request', async () => {
    service.engine.answers.ingest = ({ source }) => ({
      accepted: 1,
      duplicates: 1,
      rejected: 1,
      errors: [{ index: 1, code: 'out_of_retention', message: `too old for ${source}` }],
    });
    const records = ['edge_requests', 'function_events', 'edge_requests', 'function_events'].map((name) => ({
      attributes: [{ key: 'lqe.source', value: { stringValue: name } }],
    }));
    const answer = await post('/v1/logs', type, encode({ resourceLogs: [{ scopeLogs: [{ logRecords: records }] }] }));
    expect(messageOf(answer)).toEqual({
      partialSuccess: {
        rejectedLogRecords: '2',
        errorMessage:
          '2 of 4 events were not stored. event 2: out_of_retention: too old for edge_requests; event 3: out_of_retention: too old for function_events',
      },
    });
  });

  it('fails when nothing is stored, and lists the sources', async () => {
    const answer = await post('/v1/logs', type, encode(one));
    expect([answer.status, messageOf(answer).code]).toEqual([400, 3]);
    expect(messageOf(answer).message).toContain('the sources are edge_requests, function_events');
    expect(service.engine.asked).toEqual([]);
  });

  it.each([
    ['backend_unavailable', 503, '2', 14],
    ['concurrency_limited', 429, '1', 8],
    ['query_timeout', 504, undefined, 4],
    ['internal', 500, undefined, 13],
  ] as const)('says when to retry after %s', async (code, status, retryAfter, rpc) => {
    service.engine.answers.ingest = failure(code);
    const answer = await post('/v1/logs?source=edge_requests', type, encode(one));
    expect([answer.status, answer.headers['retry-after'], answer.headers['content-type']]).toEqual([
      status,
      retryAfter,
      type,
    ]);
    expect(messageOf(answer)).toEqual({ code: rpc, message: expect.stringContaining(code) });
    expect(service.ctx.ingestSlots.running).toBe(0);
  });

  it.each([
    ['a wrong token', '/v1/logs', { 'X-API-KEY': 'wrong' }, 401, 16],
    ['an unknown source', '/v1/logs?source=edge_request', {}, 404, 5],
    ['a coding we do not have', '/v1/logs', { 'Content-Encoding': 'snappy' }, 415, 3],
    ['bytes that are no gzip', '/v1/logs', { 'Content-Encoding': 'gzip' }, 400, 3],
  ])('reports %s in its own content type', async (_name, target, headers, status, rpc) => {
    const answer = await post(target, type, encode(one), headers);
    expect([answer.status, answer.headers['content-type'], messageOf(answer).code]).toEqual([status, type, rpc]);
  });

  it('counts stored and rejected events by source', async () => {
    const resourceLogs = [
      ...one.resourceLogs,
      {
        resource: { attributes: [{ key: 'lqe.source', value: { stringValue: 'edge_requests' } }] },
        ...one.resourceLogs[0],
      },
    ];
    serve();
    await post('/v1/logs', type, encode({ resourceLogs }));
    const text = await service.ctx.metrics.render();
    expect(text).toContain('logquery_ingest_entries_total{source="edge_requests",outcome="accepted"} 1');
    expect(text).toContain('logquery_ingest_entries_total{source="none",outcome="rejected"} 1');
  });
});

describe('the JSON form of Loki', () => {
  const push = (body: unknown, source?: string, headers: Record<string, string> = {}) =>
    post(withSource('/loki/api/v1/push', source), 'application/json', JSON.stringify(body), headers);

  it.each(formatCases('loki.yaml'))('$name', async ({ source, request, entries, refused }) => {
    const answer = await push(request, source);
    expect(stored()).toEqual(entries);
    if (refused.length === 0) expect([answer.status, answer.body.length]).toEqual([204, 0]);
    else {
      expect(answer.status).toBe(400);
      const { code, message, details } = answer.json().error;
      expect([code, details.rejected, details.accepted]).toEqual([
        'body_invalid',
        refused.length,
        Object.values(entries).flat().length,
      ]);
      for (const reason of refused) expect(message).toContain(`: ${reason}: `);
    }
  });

  it('is recommended to a sender of protobuf', async () => {
    const answer = await post('/loki/api/v1/push', 'application/x-protobuf', Buffer.from([0, 1, 2]), {
      'Content-Encoding': 'snappy',
    });
    expect([answer.status, answer.json().error.code]).toEqual([415, 'media_type_unsupported']);
    expect(answer.json().error.details.hint).toMatch(/JSON.*\/v1\/logs/);
  });
});

describe('a body that no shipper sends', () => {
  beforeAll(() => serve({ LQE_MAX_INGEST_BODY_BYTES: '2000000', LQE_MAX_INGEST_INFLATED_BYTES: '2100000' }));

  it.each(formatAttacks())('to $to is read or refused: $name', async (attack) => {
    const [path, type] = ATTACK_DOORS[attack.to];
    const answer = await post(path, type, attackBody(attack), attack.gzip ? { 'Content-Encoding': 'gzip' } : {});
    expect([answer.status, Object.values(stored()).flat().length]).toEqual([attack.status, attack.stored]);
    if (attack.reason !== undefined) expect(answer.text).toContain(attack.reason);
    expect((await send(service.server, '/health/live')).status).toBe(200);
  });
});
