import { gzipSync } from 'node:zlib';
import type { QueryRequest } from '#contract/queries/query';
import { createStandInEngine, jsonResult } from '../../../support/fakes/engine';
import { connect, send, sendRaw } from '../../../support/fakes/connection';
import { BOOTSTRAP_TOKEN, createTestService, LOGS, type TestService, USAGE } from '../../../support/servers/in-memory';

const KEY = { 'X-API-KEY': BOOTSTRAP_TOKEN };
const PATH = '/api/endpoints/query';
const LOGS_CALL = `${PATH}/logs.all?project=abc`;

let service: TestService;
beforeEach(() => (service = createTestService()));
afterEach(() => service.close());

function lastRun(): QueryRequest {
  const run = service.engine.asked.filter(({ kind }) => kind === 'run').at(-1);
  if (!run) throw new Error('nothing was run');
  return run.request as QueryRequest;
}

describe('a call of a saved query', () => {
  it('returns exactly the rows, and facts in headers', async () => {
    const answer = await send(service.server, LOGS_CALL, { headers: KEY });
    expect(answer.status).toBe(200);
    expect(answer.text).toBe('{"result":[{"n":1}]}');
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'cache-status': 'log-query; fwd=bypass',
      'svc-endpoint-rows': '1',
      'svc-endpoint-revision': '7',
      'x-content-type-options': 'nosniff',
    });
    expect(answer.headers['vary']).toContain('SVC-ENDPOINT-REDACT-PII');
    expect(answer.headers['server-timing']).toMatch(
      /^queue;dur=[\d.]+, plan;dur=1.25, db;dur=2, redact;dur=0, encode;dur=0.1, trace;desc="[0-9a-f]{32}"$/
    );
    for (const absent of [
      'x-powered-by',
      'etag',
      'svc-endpoint-truncated',
      'svc-endpoint-redacted',
      'svc-endpoint-ignored-parameters',
    ])
      expect(answer.headers).not.toHaveProperty(absent);
  });

  it('accepts the id in any letter case, or the name', async () => {
    for (const q of [LOGS.id, LOGS.id.toUpperCase(), 'logs.all', 'logs%2Eall'])
      expect((await send(service.server, `${PATH}/${q}?project=abc`, { headers: KEY })).status).toBe(200);
    expect(lastRun().endpointId).toBe(LOGS.id);
  });

  it('passes declared parameters on in declared order, with absent and empty ones as null', async () => {
    await send(service.server, `${PATH}/logs.all?iso_timestamp_end=&project=a%20b%2Bc+d`, { headers: KEY });
    expect(Object.entries(lastRun().parameters)).toEqual([
      ['project', 'a b+c d'],
      ['iso_timestamp_start', null],
      ['iso_timestamp_end', null],
    ]);
  });

  it('uses the caps and the deadline of the saved query, and one "now"', async () => {
    await send(service.server, LOGS_CALL, { headers: KEY });
    expect(lastRun()).toMatchObject({
      maxRows: 1000,
      maxBytes: 8_388_608,
      timeoutMs: 10_000,
      revision: 7,
      redact: false,
    });
    expect(Math.abs(lastRun().nowMicros / 1000 - Date.now())).toBeLessThan(5000);
  });

  it('reports that the result was truncated', async () => {
    service.engine.answers.run = (request) => jsonResult(request, [], { truncated: true });
    const answer = await send(service.server, LOGS_CALL, { headers: KEY });
    expect(answer.headers['svc-endpoint-truncated']).toBe('true');
  });

  it('lists ignored parameters, none of which can break a header', async () => {
    const answer = await send(service.server, `${LOGS_CALL}&projekt=1&a[]=2&b%0D%0AX:1=3&%C3%A9=4`, { headers: KEY });
    expect(answer.headers['svc-endpoint-ignored-parameters']).toBe('projekt, a[], b%0D%0AX%3A1, %C3%A9');
  });

  it('answers HEAD like GET, without the body', async () => {
    const answer = await send(service.server, LOGS_CALL, { method: 'HEAD', headers: KEY });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-length']).toBe('20');
    expect(answer.body).toHaveLength(0);
  });

  it('ignores the Content-Type and the body of a GET', async () => {
    const headers = { ...KEY, 'Content-Type': 'image/png' };
    expect((await send(service.server, LOGS_CALL, { headers, body: 'project=x' })).status).toBe(200);
    expect(lastRun().parameters['project']).toBe('abc');
  });

  it('refuses a GET whose body has a text, which the older service would have run', async () => {
    const headers = { ...KEY, 'Content-Type': 'application/json' };
    for (const name of ['sql', 'lql']) {
      const body = JSON.stringify({ [name]: 'select 1' });
      const answer = await send(service.server, LOGS_CALL, { headers, body });
      expect([answer.status, answer.json().error.code]).toEqual([400, 'body_invalid']);
    }
    for (const body of ['{"project":"x"}', '{"sql', '[]', 'null'])
      expect((await send(service.server, LOGS_CALL, { headers, body })).status).toBe(200);
    expect(lastRun().parameters['project']).toBe('abc');
  });

  it('aborts the run when the client disconnects', async () => {
    const started = new Promise<AbortSignal>((resolve) => {
      service.engine.answers.run = (_request, { signal }) => {
        resolve(signal!);
        return new Promise(() => undefined);
      };
    });
    const connection = connect(service.server);
    connection.write(`GET ${LOGS_CALL} HTTP/1.1\r\nHost: t\r\nX-API-KEY: ${BOOTSTRAP_TOKEN}\r\n\r\n`);
    const signal = await started;
    expect(service.ctx.runPermits.running).toBe(1);
    connection.end();
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
    await new Promise(setImmediate);
    expect(service.ctx.runPermits.running).toBe(0);
  });
});

describe('ad-hoc SQL', () => {
  it('of one token leaves a permit and all checks to another token', async () => {
    const owners: (string | undefined)[] = [];
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    service.engine.answers.run = async (request, { owner }) => {
      owners.push(owner);
      await ended;
      return jsonResult(request, []);
    };
    const call = (token: string, sql: string) =>
      send(service.server, `${LOGS_CALL}&sql=${sql}`, { headers: { 'X-API-KEY': token } });
    const token = service.createToken({ scopes: ['query', 'adhoc', 'endpoints:read'] });
    const busy = [1, 2, 3].map((number) => call(BOOTSTRAP_TOKEN, `select%20${number}`));
    while (owners.length < 1) await new Promise(setImmediate);
    const other = call(token, 'select%204');
    while (owners.length < 2) await new Promise(setImmediate);
    expect(owners[0]).toBe('bootstrap');
    expect(owners[1]).not.toBe('bootstrap');
    const check = await send(service.server, '/api/endpoints/validate', {
      headers: { 'X-API-KEY': token, 'Content-Type': 'application/json' },
      body: JSON.stringify({ endpoint: 'logs.all', sql: 'select 1' }),
      method: 'POST',
    });
    expect(check.status).toBe(200);
    end();
    for (const { status } of await Promise.all([...busy, other])) expect(status).toBe(200);
  });

  it('can be in the URL, beside the declared parameters', async () => {
    await send(service.server, `${LOGS_CALL}&sql=select%201`, { headers: KEY });
    expect(lastRun()).toMatchObject({ adhoc: { language: 'sql', text: 'select 1' }, parameters: { project: 'abc' } });
  });

  it.each(['POST', 'QUERY'])('can be in the body of %s, in all three forms', async (method) => {
    const bodies = [
      ['application/json', '{"params":{"project":"abc"},"sql":"select 1"}', `${PATH}/logs.all`],
      ['application/json; charset=UTF-8', '{"sql":"select 1","project":"abc"}', `${PATH}/logs.all`],
      ['application/sql', 'select 1', LOGS_CALL],
    ] as const;
    for (const [type, body, target] of bodies) {
      const answer = await send(service.server, target, { method, headers: { ...KEY, 'Content-Type': type }, body });
      expect(answer.status).toBe(200);
      expect(lastRun()).toMatchObject({ adhoc: { text: 'select 1' }, parameters: { project: 'abc' } });
      service.engine.asked.length = 0;
    }
  });

  it('may be sent gzipped', async () => {
    const headers = { ...KEY, 'Content-Type': 'application/sql', 'Content-Encoding': 'gzip' };
    await send(service.server, LOGS_CALL, { method: 'POST', headers, body: gzipSync('select 1') });
    expect(lastRun().adhoc?.text).toBe('select 1');
  });

  it('may wait for 100 Continue before its body is sent', async () => {
    const headers = { ...KEY, 'Content-Type': 'application/sql', Expect: '100-continue' };
    expect((await send(service.server, LOGS_CALL, { method: 'POST', headers, body: 'select 1' })).status).toBe(200);
  });

  it('gets no 100 Continue in HTTP/1.0, which knows none', async () => {
    const head = `POST ${LOGS_CALL} HTTP/1.0\r\nX-API-KEY: ${KEY['X-API-KEY']}\r\nContent-Type: application/sql\r\n`;
    const request = `${head}Expect: 100-continue\r\nContent-Length: 8\r\n\r\nselect 1`;
    expect((await sendRaw(service.server, Buffer.from(request))).status).toBe(200);
  });

  it('has numbers of a JSON body exactly as written', async () => {
    const body = '{"project":12345678901234567890.10}';
    await send(service.server, `${PATH}/logs.all`, {
      method: 'POST',
      headers: { ...KEY, 'Content-Type': 'application/json' },
      body,
    });
    expect(lastRun().parameters['project']).toBe('12345678901234567890.10');
  });

  it('needs its own scope', async () => {
    const token = service.createToken({ scopes: ['query'] });
    const answer = await send(service.server, `${LOGS_CALL}&sql=select%201`, { headers: { 'X-API-KEY': token } });
    expect([answer.status, answer.json().error.code]).toEqual([403, 'scope_missing']);
  });
});

describe('ad-hoc LQL', () => {
  const adhoc = { language: 'lql', text: 'm.level:error' };

  it('can be in the URL, beside the declared parameters', async () => {
    await send(service.server, `${LOGS_CALL}&lql=m.level%3Aerror`, { headers: KEY });
    expect(lastRun()).toMatchObject({ adhoc, parameters: { project: 'abc' } });
  });

  it.each(['POST', 'QUERY'])('can be in the JSON body of %s', async (method) => {
    const headers = { ...KEY, 'Content-Type': 'application/json' };
    for (const body of [
      '{"params":{"project":"abc"},"lql":"m.level:error"}',
      '{"lql":"m.level:error","project":"abc"}',
    ]) {
      await send(service.server, `${PATH}/logs.all`, { method, headers, body });
      expect(lastRun()).toMatchObject({ adhoc, parameters: { project: 'abc' } });
      service.engine.asked.length = 0;
    }
  });

  it.each([
    ['sql=&lql=m.level%3Aerror', adhoc],
    ['lql=+&sql=select+1', { language: 'sql', text: 'select 1' }],
  ])('does not conflict with an empty text of the other language: %s', async (query, expected) => {
    await send(service.server, `${LOGS_CALL}&${query}`, { headers: KEY });
    expect(lastRun().adhoc).toEqual(expected);
  });

  it('lists its warnings, each once', async () => {
    const warning = {
      code: 'empty_range',
      message: '',
      position: { line: 1, column: 1 },
      offset: 0,
      length: 1,
    } as const;
    service.engine.answers.run = (request) => jsonResult(request, [], { warnings: [warning, warning] });
    const answer = await send(service.server, `${LOGS_CALL}&lql=error`, { headers: KEY });
    expect(answer.headers['svc-endpoint-warnings']).toBe('empty_range');
  });

  it('needs the scope of ad-hoc text', async () => {
    const token = service.createToken({ scopes: ['query'] });
    const answer = await send(service.server, `${LOGS_CALL}&lql=error`, { headers: { 'X-API-KEY': token } });
    expect([answer.status, answer.json().error.code]).toEqual([403, 'scope_missing']);
  });
});

describe('the response', () => {
  it.each([
    ['text/csv', 'csv', 'text/csv; charset=utf-8; header=present'],
    ['application/x-ndjson;q=0.9, text/csv;q=0.8', 'ndjson', 'application/x-ndjson; charset=utf-8'],
    ['application/vnd.apache.arrow.stream', 'arrow', 'application/vnd.apache.arrow.stream'],
    ['text/*', 'csv', 'text/csv; charset=utf-8; header=present'],
    ['*/*;q=0.1', 'json', 'application/json; charset=utf-8'],
    ['application/json;q=0, */*', 'ndjson', 'application/x-ndjson; charset=utf-8'],
    ['application/problem+json', 'json', 'application/json; charset=utf-8'],
    ['text/csv;header=present', 'csv', 'text/csv; charset=utf-8; header=present'],
  ])('for Accept %s has the format %s', async (accept, format, type) => {
    const answer = await send(service.server, LOGS_CALL, { headers: { ...KEY, Accept: accept } });
    expect([answer.status, lastRun().format, answer.headers['content-type']]).toEqual([200, format, type]);
  });

  it.each([
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip;q=0.5, br;q=0.6', 'br'],
    ['x-gzip', 'gzip'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['identity, gzip;q=0.5', undefined],
    ['', undefined],
    ['deflate', undefined],
  ])('that is large is encoded for Accept-Encoding "%s" as %s', async (accepted, coding) => {
    const rows = Array.from({ length: 300 }, (_, n) => ({ n }));
    service.engine.answers.run = (request) => jsonResult(request, rows);
    const answer = await send(service.server, LOGS_CALL, { headers: { ...KEY, 'Accept-Encoding': accepted } });
    expect(answer.headers['content-encoding']).toBe(coding);
    expect(answer.json().result).toEqual(rows);
    expect(Number(answer.headers['content-length'])).toBe(answer.body.length);
  });

  it('that is small is not encoded, unless the client refuses plain bytes', async () => {
    const small = await send(service.server, LOGS_CALL, { headers: { ...KEY, 'Accept-Encoding': 'gzip' } });
    expect(small.headers).not.toHaveProperty('content-encoding');
    const forced = await send(service.server, LOGS_CALL, {
      headers: { ...KEY, 'Accept-Encoding': 'gzip, identity;q=0' },
    });
    expect(forced.headers['content-encoding']).toBe('gzip');
    expect(forced.json()).toEqual({ result: [{ n: 1 }] });
  });

  it('is a refusal without a run when no coding is acceptable', async () => {
    const answer = await send(service.server, LOGS_CALL, { headers: { ...KEY, 'Accept-Encoding': 'identity;q=0' } });
    expect([answer.status, answer.json().error.code]).toEqual([406, 'not_acceptable']);
    expect(service.engine.asked).toHaveLength(0);
  });

  it('has facts in its body on request', async () => {
    const answer = await send(service.server, LOGS_CALL, { headers: { ...KEY, 'SVC-ENDPOINT-META': 'TRUE' } });
    expect(answer.json()).toEqual({
      result: [{ n: 1 }],
      meta: {
        columns: [],
        rows: 1,
        truncated: false,
        redacted: false,
        revision: 7,
        cache: { status: 'bypass', age: 0 },
      },
    });
  });

  it('has RFC 3339 times on request', async () => {
    await send(service.server, LOGS_CALL, { headers: { ...KEY, 'SVC-ENDPOINT-TIMESTAMPS': 'rfc3339' } });
    expect(lastRun().timestamps).toBe('rfc3339');
  });
});

describe('redaction', () => {
  it.each(['SVC-ENDPOINT-REDACT-PII', 'LF-ENDPOINT-REDACT-PII'])('is switched on by %s', async (name) => {
    service.engine.answers.run = (request) => jsonResult(request, [], { redacted: request.redact });
    const answer = await send(service.server, LOGS_CALL, { headers: { ...KEY, [name]: 'True' } });
    expect([answer.status, answer.headers['svc-endpoint-redacted'], lastRun().redact]).toEqual([200, 'true', true]);
    // Without it, a cache of the client would give rows that are not redacted.
    expect(answer.headers['vary']!.split(', ')).toContain(name);
  });

  it('is never switched off by a caller', async () => {
    service.close();
    service = createTestService({ definitions: [{ ...LOGS, redact_pii: true }] });
    service.engine.answers.run = (request) => jsonResult(request, [], { redacted: request.redact });
    await send(service.server, LOGS_CALL, { headers: { ...KEY, 'SVC-ENDPOINT-REDACT-PII': 'false' } });
    expect(lastRun().redact).toBe(true);
  });

  it('withholds rows that should have been redacted but were not', async () => {
    const answer = await send(service.server, LOGS_CALL, { headers: { ...KEY, 'SVC-ENDPOINT-REDACT-PII': 'true' } });
    expect([answer.status, answer.json().error.code]).toEqual([500, 'internal']);
    expect(answer.text).not.toContain('"n":1');
  });
});

describe('a token', () => {
  const call = (token: string, target: string) => send(service.server, target, { headers: { 'X-API-KEY': token } });

  it('may be sent as Bearer, or in both headers when they are the same', async () => {
    const token = service.createToken();
    const choices: Record<string, string>[] = [
      { Authorization: `Bearer ${token}` },
      { Authorization: `bearer ${token}`, 'X-API-KEY': token },
    ];
    for (const headers of choices) expect((await send(service.server, LOGS_CALL, { headers })).status).toBe(200);
  });

  it('sees only its own saved queries; the others look as if they did not exist', async () => {
    const token = service.createToken({ endpoints: ['logs.all'] });
    expect((await call(token, LOGS_CALL)).status).toBe(200);
    const hidden = await call(token, `${PATH}/${USAGE.id}?interval=daily&project=a`);
    const unknown = await call(token, `${PATH}/nothing`);
    expect(hidden.status).toBe(404);
    const withoutId = (text: string) => text.replace(/"request_id":"[^"]*"/, '');
    expect(withoutId(hidden.text)).toBe(withoutId(unknown.text));
  });

  it('fills in its fixed parameters, which a caller cannot change', async () => {
    const token = service.createToken({ fixed_parameters: { project: 'mine' } });
    for (const query of ['', '?project=', '?project=mine']) {
      expect((await call(token, `${PATH}/logs.all${query}`)).status).toBe(200);
      expect(lastRun().parameters['project']).toBe('mine');
    }
    const other = await call(token, `${PATH}/logs.all?project=yours`);
    expect([other.status, other.json().error.code]).toEqual([403, 'parameter_locked']);
    expect(other.text).not.toContain('mine');
  });

  it('with a fixed parameter cannot call a query that does not filter by it', async () => {
    const token = service.createToken({ fixed_parameters: { project: 'mine' } });
    const answer = await call(token, `${PATH}/closed`);
    expect([answer.status, answer.json().error.code]).toEqual([403, 'parameter_locked']);
  });

  it('can lower the row cap and force redaction', async () => {
    service.engine.answers.run = (request) => jsonResult(request, [], { redacted: request.redact });
    await call(service.createToken({ max_rows: 5, force_redaction: true }), LOGS_CALL);
    expect(lastRun()).toMatchObject({ maxRows: 5, redact: true });
    await call(service.createToken({ max_rows: 5000 }), LOGS_CALL);
    expect(lastRun().maxRows).toBe(1000);
  });
});

describe('too many calls at once', () => {
  it('wait, then are refused with a time to retry', async () => {
    service.close();
    service = createTestService({
      settings: { LQE_MAX_RUNNING_PER_TOKEN: '1', LQE_MAX_WAITING: '2', LQE_MAX_WAITING_PER_TOKEN: '1' },
    });
    const releases: (() => void)[] = [];
    service.engine.answers.run = (request) =>
      new Promise((resolve) => releases.push(() => resolve(jsonResult(request, []))));
    const calls = [1, 2, 3].map(() => send(service.server, LOGS_CALL, { headers: KEY }));
    const refused = await calls[2]!;
    expect([refused.status, refused.json().error.code, refused.headers['retry-after']]).toEqual([
      429,
      'concurrency_limited',
      '1',
    ]);
    expect(releases).toHaveLength(1);
    releases[0]!();
    expect((await calls[0]!).status).toBe(200);
    while (releases.length < 2) await new Promise(setImmediate);
    releases[1]!();
    expect((await calls[1]!).status).toBe(200);
  });
});

it('the stand-in engine stops waiting when its signal aborts', async () => {
  const engine = createStandInEngine();
  engine.answers.run = () => new Promise(() => undefined);
  const controller = new AbortController();
  const run = engine.call('run', {} as QueryRequest, { signal: controller.signal });
  controller.abort(new Error('canceled'));
  await expect(run).rejects.toThrow('canceled');
});
