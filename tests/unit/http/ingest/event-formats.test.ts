/** Events sent by OTLP and by Loki's push become entries like all others. */
import zlib, { gzipSync } from 'node:zlib';
import { createTestService, type TestService } from '../../../support/servers/in-memory';
import { ATTACK_ROUTES, attackBody, formatAttacks } from '../../../support/cases/http/format-attacks';
import { FORMAT_SOURCES, formatCases, readEntries } from '../../../support/cases/http/formats';
import { type RawAnswer, send } from '../../../support/fakes/connection';
import { decodeResponse, decodeStatus, encodeRequest } from '../../../support/references/otlp-messages';
import { encodePush, type Push } from '../../../support/references/loki-messages';
import { encodeSnappy, varint } from '../../../support/references/snappy';
import { failure } from '../../../support/fakes/engine';

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
    const accepted = Buffer.from(body!).toString('latin1').split('\n').length - 1;
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

/** One event in ISO 8859-1 beside others, on each route that takes text. */
it.each([
  ['/api/logs', 'application/x-ndjson', '{"event_message":"a"}\n{"event_message":"caf\xe9"}\n'],
  ['/api/logs', 'application/json', '[{"event_message":"a"},{"event_message":"caf\xe9"}]'],
  ['/api/logs', 'application/json', '{"batch":[{"event_message":"a"},{"event_message":"caf\xe9"}]}'],
  ['/api/logs/json', 'application/json', '[{"message":"a"},{"message":"caf\xe9"}]'],
  ['/api/logs/netlify', 'application/x-ndjson', '{"message":"a"}\n{"message":"caf\xe9"}'],
  ['/api/logs/syslogs', 'text/plain', '<13>1 - - - - - - a\n<13>1 - - - - - - caf\xe9\n'],
  ['/loki/api/v1/push', 'application/json', '{"streams":[{"stream":{},"values":[["1","a"],["2","caf\xe9"]]}]}'],
  ['/services/collector', 'application/json', '{"event":"a"}{"event":"caf\xe9"}'],
  ['/services/collector/raw', 'text/plain', 'a\ncaf\xe9\n'],
  ['/_bulk', 'application/x-ndjson', '{"index":{}}\n{"message":"a"}\n{"index":{}}\n{"message":"caf\xe9"}\n'],
  [
    '/v1/logs',
    'application/json',
    '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":"a"}},{"body":{"stringValue":"caf\xe9"}}]}]}]}',
  ],
])('a line that is not UTF-8 takes no other event away, and is stored: %s %s', async (path, type, body) => {
  const answer = await post(`${path}?source=function_events`, type, Buffer.from(body, 'latin1'));
  expect([200, 204]).toContain(answer.status);
  const texts = service.engine.asked.flatMap(({ options }) => Buffer.from(options.body!).toString('utf8'));
  expect(texts.join('')).toContain('"caf\ufffd"');
});

it.each([
  ['/api/logs', 'application/x-ndjson', '{"timestamp":"2026-03-01T12:00:00.123Z","event_message":"caf\xe9"}'],
  ['/loki/api/v1/push', 'application/json', '{"streams":[{"stream":{},"values":[["1772366400123456789","caf\xe9"]]}]}'],
  ['/services/collector', 'application/json', '{"time":1772366400.123,"event":"caf\xe9"}'],
])(
  'requests that differ only in what is not UTF-8 are two, and a request sent again is one: %s',
  async (path, type, body) => {
    for (const text of [body, body, body.replace('\xe9', '\xe8')])
      expect([200, 204]).toContain(
        (await post(`${path}?source=function_events`, type, Buffer.from(text, 'latin1'))).status
      );
    const [first, again, other] = service.engine.asked.map(
      ({ request }) => (request as { identity: { base: string } }).identity.base
    );
    expect(first).toEqual(expect.any(String));
    expect(again).toBe(first);
    expect(other).not.toBe(first);
  }
);

const FORMS = [
  { form: 'JSON', type: 'application/json', encode: (request: unknown) => Buffer.from(JSON.stringify(request)) },
  { form: 'protobuf', type: 'application/x-protobuf', encode: encodeRequest },
];

it.each([
  [
    'a line of Loki',
    '/loki/api/v1/push?source=function_events',
    '{"streams":[{"values":[["-1","x"]]}]}',
    'function_events',
  ],
  ['labels of Loki', '/loki/api/v1/push', '{"streams":[{"stream":{"lqe_source":"function_events"},"values":[["-1","x"]]}]}', 'function_events'], // prettier-ignore
  ['a line of Loki without a source', '/loki/api/v1/push', '{"streams":[{"values":[["-1","x"]]}]}', 'none'],
  ['a document', '/elasticsearch/_bulk', '{"create":{"_index":"function_events"}}\n{\n', 'function_events'],
  ['a document of an unknown index', '/elasticsearch/_bulk?source=edge_requests', '{"create":{"_index":"x"}}\n{\n', 'edge_requests'], // prettier-ignore
  ['an event of a drain', '/api/logs/vercel?source=function_events', '[5]', 'function_events'],
  ['an event of the collector', '/services/collector?source=function_events', '{"event":""}', 'function_events'],
])('%s that cannot be read is counted for its source', async (_name, target, body, source) => {
  serve();
  await post(target, 'application/json', body);
  const text = await service.ctx.metrics.render();
  expect(text).toContain(`logquery_ingest_entries_total{source="${source}",outcome="rejected"} 1`);
});

it('whole numbers of OTLP in JSON may have a fraction of zeros or an exponent', async () => {
  const record =
    '{"timeUnixNano":1.772352e18,"severityNumber":9.0,"body":{"intValue":1e3},' +
    '"attributes":[{"key":"n","value":{"intValue":"-2.0"}}]}';
  const body = `{"resourceLogs":[{"scopeLogs":[{"logRecords":[${record}]}]}]}`;
  expect((await post('/v1/logs?source=edge_requests', 'application/json', body)).status).toBe(200);
  expect(stored()).toEqual({
    edge_requests: [
      {
        timestamp: '2026-03-01T08:00:00.000000Z',
        event_message: '1000',
        metadata: { n: -2, level: 'info', severity_number: 9 },
      },
    ],
  });
});

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

  it('with two media types is refused', async () => {
    const answer = await post('/v1/logs?source=edge_requests', type, encode(one), {
      'content-type': 'application/xml',
    });
    expect([answer.status, stored()]).toEqual([400, {}]);
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
          '2 of 4 events were not stored: event 2: out_of_retention: too old for edge_requests; event 3: out_of_retention: too old for function_events',
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
    expect(service.ctx.ingestPermits.running).toBe(0);
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

const PUSH_FORMS = [
  { form: 'JSON', type: 'application/json', encode: (push: unknown) => Buffer.from(JSON.stringify(push)) },
  {
    form: 'protobuf',
    type: 'application/x-protobuf',
    encode: (push: unknown) => encodeSnappy(encodePush(push as Push)),
  },
];

describe.each(PUSH_FORMS)('Loki’s push in $form', ({ type, encode }) => {
  const push = (body: unknown, source?: string, headers: Record<string, string> = {}) =>
    post(withSource('/loki/api/v1/push', source), type, encode(body), headers);

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

  describe('with a limit of 5,000 events', () => {
    beforeAll(() => serve({ LQE_MAX_INGEST_EVENTS: '5000' }));
    afterAll(() => serve());

    it('may have as many streams of one line as a request has events', async () => {
      const streams = Array.from({ length: 5000 }, () => ({ stream: { a: 'b' }, values: [['1', 'x']] }));
      expect((await push({ streams }, 'edge_requests')).status).toBe(204);
      expect((await push({ streams: [...streams, streams[0]] }, 'edge_requests')).status).toBe(413);
    });
  });
});

describe('Loki’s push in protobuf', () => {
  const push = (body: Uint8Array, headers: Record<string, string> = {}) =>
    post('/loki/api/v1/push?source=edge_requests', 'application/x-protobuf', body, headers);
  const one = encodePush({ streams: [{ stream: { job: 'a' }, values: [['1', 'x']] }] });

  // Written by Loki's push package and its snappy, both in Go.
  it('of Loki’s own package is stored', async () => {
    const sent =
      `e901b00ae6010a767b66696c656e616d653d222f7661722f6c6f672f70726f78792f612e6c6f67222c206a6f623d22700113d0222c206e6f74
      653d226361665c7530306539205c22715c225c6e222c2070726f6a6563743d2261626364222c20736572766963655f095cf052656467655f72657175657374
      73227d123e0a0b0880e48fcd0610959aef3a121b474554207c20323030207c202f726573742f76312f6f72646572731a120a0874726163655f696412063462
      6639326612 2a0a0b9e400004182a`.replace(/\s/g, '');
    expect((await push(Buffer.from(sent, 'hex'))).status).toBe(204);
    const labels = {
      filename: '/var/log/proxy/a.log',
      job: 'proxy',
      note: 'café "q"\n',
      project: 'abcd',
      service_name: 'edge_requests',
    };
    const event = {
      timestamp: '2026-03-01T08:00:00.123456Z',
      event_message: 'GET | 200 | /rest/v1/orders',
      project: 'abcd',
    };
    expect(stored()).toEqual({
      edge_requests: [
        { ...event, metadata: { trace_id: '4bf92f', labels } },
        { ...event, metadata: { labels } },
      ],
    });
  });

  it('may say its compression, and have another around it', async () => {
    expect((await push(encodeSnappy(one), { 'Content-Encoding': 'snappy' })).status).toBe(204);
    expect((await push(gzipSync(encodeSnappy(one)), { 'Content-Encoding': 'gzip' })).status).toBe(204);
    expect((await push(encodeSnappy(one), { 'Content-Encoding': 'br' })).status).toBe(415);
    const otlp = await post('/v1/logs', 'application/json', '{}', { 'Content-Encoding': 'snappy' });
    expect(otlp.status).toBe(415);
  });

  it('without a time gets that of its arrival', async () => {
    const bytes = Buffer.from('0a0b0a027b7d1205120361' + '6263', 'hex');
    expect((await push(encodeSnappy(bytes))).status).toBe(204);
    expect(stored()).toEqual({ edge_requests: [{ event_message: 'abc', metadata: {} }] });
  });

  it.each([
    ['{a="b"}', { a: 'b' }],
    ['{ a = "b" , c="" ,}', { a: 'b', c: '' }],
    ['{}', null],
    ['', null],
    ['{"k8s.pod/name"="x", a_b:c="y"}', { 'k8s.pod/name': 'x', 'a_b:c': 'y' }],
    [String.raw`{a="\"q\" \\ \n\t\u00e9\U0001f600\x41\xff"}`, { a: '"q" \\ \n\té😀A\ufffd' }],
    ['{__proto__="x", constructor="y"}', { ['__proto__']: 'x', constructor: 'y' }],
    ['{a="1",a="2"}', { a: '2' }],
  ])('has the labels %s', async (labels, expected) => {
    const stream = Buffer.concat([field(1, Buffer.from(labels)), field(2, field(2, Buffer.from('x')))]);
    expect((await push(encodeSnappy(field(1, stream)))).status).toBe(204);
    const metadata = expected === null ? {} : { labels: expected };
    expect(JSON.stringify(stored())).toBe(JSON.stringify({ edge_requests: [{ event_message: 'x', metadata }] }));
  });

  it.each([
    '{',
    'a="b"',
    '{a}',
    '{a=}',
    '{a=b}',
    '{a="b}',
    '{a="b"',
    '{a="b" c="d"}',
    '{,}',
    '{="b"}',
    '{a="b"}x',
    String.raw`{a="\q"}`,
    String.raw`{a="\u12"}`,
    '{a="b\\',
  ])('refuses the labels %s', async (labels) => {
    // prettier-ignore
    const stream = Buffer.concat([field(1, Buffer.from(labels)), field(2, field(2, Buffer.from('x')))]);
    const answer = await push(encodeSnappy(field(1, stream)));
    const { code, details, message } = answer.json().error;
    expect([answer.status, code, details.reason]).toEqual([400, 'body_invalid', 'bad_value']);
    expect(message).toMatch(/at character \d+/);
    expect(stored()).toEqual({});
  });

  it('is refused with the forms that are taken when it is something else', async () => {
    const answer = await post('/loki/api/v1/push', 'text/plain', 'x');
    expect([answer.status, answer.json().error.details.available]).toEqual([
      415,
      ['application/x-protobuf', 'application/json'],
    ]);
  });
});

/** A length-delimited field. */
function field(number: number, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([(number << 3) | 2]), varint(bytes.length), bytes]);
}

describe('a body that no shipper sends', () => {
  beforeAll(() => serve({ LQE_MAX_INGEST_BODY_BYTES: '2000000', LQE_MAX_INGEST_INFLATED_BYTES: '2100000' }));

  it.each(formatAttacks())('to $to is read or refused: $name', async (attack) => {
    const [path, type] = ATTACK_ROUTES[attack.to];
    const answer = await post(path, type, attackBody(attack), attack.gzip ? { 'Content-Encoding': 'gzip' } : {});
    expect([answer.status, Object.values(stored()).flat().length]).toEqual([attack.status, attack.stored]);
    if (attack.reason !== undefined) expect(answer.text).toContain(attack.reason);
    expect((await send(service.server, '/health/live')).status).toBe(200);
  });
});
