import { savedQuerySchema, type SavedQuery } from '#contract/queries/saved-query';
import { LANES } from '#server/admission/permits';
import { toolNames } from '#server/http/mcp/tools/tool-names';
import { send } from '../../../support/fakes/connection';
import { failure, jsonResult } from '../../../support/fakes/engine';
import { BOOTSTRAP_TOKEN, createTestService, type TestService } from '../../../support/servers/in-memory';

interface Tool {
  readonly name: string;
  readonly inputSchema: { readonly properties: Record<string, object>; readonly required: readonly string[] };
  readonly annotations: object;
}

let service: TestService;
beforeEach(() => (service = createTestService()));
afterEach(() => service.close());

async function post(message: unknown, headers: Record<string, string> = {}) {
  return send(service.server, '/mcp', {
    method: 'POST',
    headers: { 'X-API-KEY': BOOTSTRAP_TOKEN, 'Content-Type': 'application/json', ...headers },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  });
}

async function ask(method: string, params: object = {}, token = BOOTSTRAP_TOKEN) {
  const answer = await post({ jsonrpc: '2.0', id: 1, method, params }, { 'X-API-KEY': token });
  return answer.json() as { result: Record<string, unknown>; error?: { code: number; message: string } };
}

async function toolsOf(token = BOOTSTRAP_TOKEN): Promise<readonly Tool[]> {
  return (await ask('tools/list', {}, token)).result['tools'] as Tool[];
}

async function callTool(name: string, args: object = {}, token = BOOTSTRAP_TOKEN) {
  const { result } = await ask('tools/call', { name, arguments: args }, token);
  return result as { isError?: boolean; content: [{ text: string }]; structuredContent: Record<string, unknown> };
}

describe('names of tools', () => {
  const named = (name: string, id = '7d1a9fd0-0000-4000-8000-000000000003'): SavedQuery =>
    savedQuerySchema.parse({ id, name, query: 'select 1 as n' });

  test('are letters, digits and underscores', () => {
    expect([...toolNames([named('usage.api-counts'), named('a--b_c')]).keys()]).toEqual(['usage_api_counts', 'a_b_c']);
  });

  test('end with a digest of the id where two would be one, and where a tool of the service has the name', () => {
    const queries = [
      named('a.b', '11111111-0000-4000-8000-000000000001'),
      named('a-b', '22222222-0000-4000-8000-000000000002'),
    ];
    const names = [...toolNames([...queries, named('query.logs')]).keys()];
    expect(names).toEqual(['a_b_b970bf54', 'a_b_50c244cc', 'query_logs_47e73c8f']);
    const [first, second] = names as [string, string];
    const others = [...toolNames([...queries, named(first)]).keys()];
    expect(others.slice(0, 2)).toEqual([first, second]);
    expect(others[2]).toMatch(/^a_b_[0-9a-f]{8}_[0-9a-f]{8}$/);
  });

  test('differ for ids that begin or end in the same way', () => {
    const ids = ['7d1a9fd0-0000-4000-8000-000000000001', '7d1a9fd0-0000-4000-8000-000000000002'];
    expect(toolNames([named('a.b', ids[0]), named('a-b', ids[1])]).size).toBe(2);
  });

  test('have at most 64 characters', () => {
    const long = 'x'.repeat(120);
    const names = [...toolNames([named(long), named(`${long}y`, '22222222-0000-4000-8000-000000000002')]).keys()];
    expect(names.map(({ length }) => length)).toEqual([64, 64]);
    expect(new Set(names).size).toBe(2);
  });
});

test('names of 30,000 saved queries take milliseconds, not the square of their number', () => {
  const queries = Array.from({ length: 30_000 }, (_, n) => ({ id: '', name: `team.query-${n}` }) as SavedQuery);
  const startedAt = performance.now();
  expect(toolNames(queries).size).toBe(30_000);
  expect(performance.now() - startedAt).toBeLessThan(5000);
});

describe('tools of a token', () => {
  test('are its saved queries and those for its own texts, all read-only', async () => {
    const tools = await toolsOf();
    expect(tools.map(({ name }) => name)).toEqual([
      'describe_logs',
      'query_logs',
      'check_query',
      'closed',
      'logs_all',
      'usage_api_counts',
    ]);
    for (const { annotations } of tools) expect(annotations).toMatchObject({ readOnlyHint: true });
    const usage = tools.find(({ name }) => name === 'usage_api_counts')!;
    expect(usage.inputSchema).toMatchObject({
      properties: { interval: { type: 'string', enum: ['minutely', 'hourly', 'daily'] }, max_rows: { maximum: 1000 } },
      required: ['interval', 'project'],
      additionalProperties: false,
    });
  });

  test('leave out what the token may not do, see or change', async () => {
    const narrow = service.createToken({
      scopes: ['query'],
      endpoints: ['logs.all'],
      fixed_parameters: { project: 'mine' },
    });
    const tools = await toolsOf(narrow);
    expect(tools.map(({ name }) => name)).toEqual(['logs_all']);
    expect(Object.keys(tools[0]!.inputSchema.properties)).not.toContain('project');
    expect(tools[0]!.inputSchema.required).toEqual([]);
    const refused = await ask('tools/call', { name: 'usage_api_counts', arguments: {} }, narrow);
    expect(refused.error?.message).toMatch('There is no tool "usage_api_counts"');
    expect(await callTool('query_logs', { endpoint: 'logs.all', sql: 'select 1' }, narrow)).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'scope_missing' } },
    });
  });

  test('bind the fixed parameters and the row cap of the token', async () => {
    const narrow = service.createToken({
      scopes: ['query'],
      fixed_parameters: { project: 'mine' },
      max_rows: 7,
      force_redaction: true,
    });
    await callTool('logs_all', {}, narrow);
    expect(service.engine.asked.at(-1)?.request).toMatchObject({
      parameters: { project: 'mine' },
      maxRows: 7,
      redact: true,
      timestamps: 'rfc3339',
    });
    expect(await callTool('logs_all', { project: 'other' }, narrow)).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'parameter_locked' } },
    });
  });

  test('come in pages of a hundred', async () => {
    const definitions = Array.from({ length: 230 }, (_, n) =>
      savedQuerySchema.parse({
        id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
        name: `q${String(n).padStart(3, '0')}`,
        query: 'select 1 as n',
      })
    );
    service.close();
    service = createTestService({ definitions });
    const names: string[] = [];
    for (let cursor: string | undefined, pages = 0; pages < 5; pages += 1) {
      const { result } = await ask('tools/list', cursor === undefined ? {} : { cursor });
      names.push(...(result['tools'] as Tool[]).map(({ name }) => name));
      cursor = result['nextCursor'] as string | undefined;
      if (cursor === undefined) break;
    }
    expect(names).toEqual(definitions.map(({ name }) => name));
  });

  test('are not listed for a cursor that no page gave out', async () => {
    expect((await ask('tools/list', { cursor: '!' })).error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('"cursor"') as string,
    });
  });
});

test.each(['\u2028', '\u2029', '\u0085', '\r\n', '\n\ndata: x', '\u2028data: x'])(
  'an answer with the line separator %j in a row is whole',
  async (separator) => {
    const text = `a${separator}b`;
    service.engine.answers.run = (request) => jsonResult(request, [{ n: text }]);
    const { structuredContent } = await callTool('logs_all', { project: 'a' });
    expect(structuredContent).toMatchObject({ rows: [{ n: text }] });
  }
);

describe('arguments', () => {
  const detailsOf = async (tool: string, args: Record<string, unknown>): Promise<unknown> => {
    const { structuredContent } = await callTool(tool, args);
    const { request_id, ...details } = (structuredContent as { error: { details: Record<string, unknown> } }).error
      .details;
    return details;
  };

  test('that are unknown have the nearest one, or where parameters belong, as a hint', async () => {
    const allowed = ['endpoint', 'sql', 'lql', 'parameters', 'max_rows'];
    expect(await detailsOf('query_logs', { endpoint: 'logs.all', sgl: 'select 1' })).toEqual({
      parameter: 'sgl',
      allowed,
      hint: 'did you mean "sql"?',
    });
    expect(await detailsOf('query_logs', { endpoint: 'logs.all', sql: 'select 1', project: 'a' })).toEqual({
      parameter: 'project',
      allowed,
      hint: 'parameters of the saved query belong in "parameters"',
    });
  });

  test('of a wrong value do not list the names of arguments', async () => {
    expect(await detailsOf('logs_all', { project: 'a', max_rows: 1001 })).toEqual({ parameter: 'max_rows' });
  });

  const CHECK = { endpoint: 'usage.api-counts', sql: 'select 1' };

  test.each([
    ['of a wrong type', 'logs_all', { project: ['a'] }, 'parameter_invalid'],
    ['of too many rows', 'logs_all', { project: 'a', max_rows: 1001 }, 'parameter_invalid'],
    ['that are missing', 'logs_all', {}, 'parameter_missing'],
    ['of a wrong value', 'usage_api_counts', { project: 'a', interval: 'weekly' }, 'parameter_invalid'],
    ['that are unknown', 'query_logs', { endpoint: 'logs.all', sql: 'select 1', sgl: '' }, 'parameter_invalid'],
    ['of both languages', 'query_logs', { endpoint: 'logs.all', sql: 'select 1', lql: 'a' }, 'parameter_conflict'],
    ['without a text', 'check_query', { endpoint: 'logs.all' }, 'parameter_missing'],
    [
      'of a wrong value for a check',
      'check_query',
      { ...CHECK, parameters: { interval: 'weekly' } },
      'parameter_invalid',
    ],
    ['of an unknown saved query', 'query_logs', { endpoint: 'none', sql: 'select 1' }, 'endpoint_not_found'],
    ['of one without a sandbox', 'describe_logs', { endpoint: 'closed' }, 'sandbox_disabled'],
    ['with half of a character', 'query_logs', { endpoint: 'logs.all', sql: '\ud800' }, 'encoding_invalid'],
  ])('%s are a failure of the tool with a code, and hold no permit', async (_name, tool, args, code) => {
    expect(await callTool(tool, args)).toMatchObject({
      isError: true,
      structuredContent: { error: { code } },
    });
    const { runPermits, describePermits } = service.ctx;
    expect([...LANES.map((lane) => runPermits.runningIn(lane)), describePermits.running]).toEqual([0, 0, 0, 0, 0]);
  });
});

describe('names that no parameter has', () => {
  const parameters = { project: 'a', projekt: 'b' };

  test.each([
    ['logs_all', parameters],
    ['query_logs', { endpoint: 'logs.all', sql: 'select 1 as n', parameters }],
    ['check_query', { endpoint: 'logs.all', sql: 'select 1 as n', parameters }],
    ['describe_logs', { endpoint: 'logs.all', parameters: { projekt: 'b' } }],
    ['describe_logs', { endpoint: 'logs.all', table: 'edge_logs', parameters: { projekt: 'b' } }],
  ])('are listed by %s', async (tool, args) => {
    const { content, structuredContent } = await callTool(tool, args);
    const note = 'Ignored, since the saved query does not declare them: projekt.';
    expect(structuredContent['notes']).toEqual([note]);
    expect(content[0].text).toContain(note);
  });
});

test('check_query lists names that no parameter has for an invalid text, too', async () => {
  service.engine.answers.validate = failure('query_invalid', { position: { line: 1, column: 8 } });
  const args = { endpoint: 'logs.all', sql: 'select x', parameters: { projekt: 'b' } };
  const { content, structuredContent } = await callTool('check_query', args);
  const note = 'Ignored, since the saved query does not declare them: projekt.';
  expect(structuredContent).toMatchObject({ valid: false, notes: [note] });
  expect(content[0].text).toContain(note);
});

describe('requests', () => {
  test('of several messages are refused', async () => {
    const answer = await post([{ jsonrpc: '2.0', id: 1, method: 'tools/list' }]);
    expect([answer.status, answer.json().error.code]).toEqual([400, 'body_invalid']);
  });

  test.each([
    ['with a name twice', '{"jsonrpc":"2.0","jsonrpc":"2.0"}'],
    ['with the name __proto__', '{"jsonrpc":"2.0","params":{"__proto__":{}}}'],
    [
      'of 1,001 arguments',
      JSON.stringify({ params: { arguments: Object.fromEntries([...Array(1001).keys()].map((n) => [n, n])) } }),
    ],
    ['of 2,001 values at any place', JSON.stringify({ params: { _meta: { a: [Array(1000).fill({ b: 1 })] } } })],
    ['that are null', 'null'],
    ['that are a text', '"tools/list"'],
    ['nested deeply', `{"params":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ])('%s are refused', async (_name, body) => {
    const answer = await post(body);
    expect([answer.status, answer.json().error.code]).toEqual([400, 'body_invalid']);
  });

  test('that are not JSON are refused', async () => {
    expect((await post('{')).status).toBe(400);
    expect((await post('{}', { 'Content-Type': 'text/plain' })).status).toBe(415);
  });

  test.each([
    { hello: 1 },
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: null },
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'logs_all', arguments: [] } },
  ])('that are JSON and no message are refused by the protocol: %j', async (message) => {
    const answer = await post(message);
    expect([answer.status < 500, typeof answer.json().error.code]).toEqual([true, 'number']);
  });

  test.each([
    ['logs.all', 'There is no tool "logs.all". Did you mean "logs_all"?'],
    ['query_log', 'There is no tool "query_log". Did you mean "query_logs"?'],
    ['something_else', 'There is no tool "something_else".'],
  ])('for the tool "%s" name the nearest one', async (name, message) => {
    const answer = await post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } });
    expect(answer.json().error.message).toBe(message);
  });

  test('of pages of other origins are refused', async () => {
    const answer = await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, { Origin: 'https://evil.example' });
    expect([answer.status, answer.json().error.code]).toEqual([403, 'origin_denied']);
    service.close();
    service = createTestService({ settings: { LQE_CORS_ORIGINS: 'https://app.example' } });
    const allowed = await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, { Origin: 'https://app.example' });
    expect(allowed.status).toBe(200);
  });

  test('without a token, or without the scope, are refused before the protocol', async () => {
    const none = await send(service.server, '/mcp', { method: 'POST', body: '{}' });
    expect(none.status).toBe(401);
    const other = service.createToken({ scopes: ['ingest'] });
    expect((await post({}, { 'X-API-KEY': other })).status).toBe(403);
  });

  test('that would keep a stream open end at once', async () => {
    for (const method of ['subscriptions/listen', 'resources/subscribe', 'logging/setLevel']) {
      const answer = await post({ jsonrpc: '2.0', id: 1, method, params: {} });
      expect(answer.json().error).toBeDefined();
    }
  });

  test('count against the rate of the token', async () => {
    const slow = service.createToken({ rate: 2 });
    const statuses = [];
    for (let n = 0; n < 3; n += 1)
      statuses.push((await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, { 'X-API-KEY': slow })).status);
    expect(statuses).toEqual([200, 200, 429]);
  });

  test('do not show tokens that arguments contain', async () => {
    const token = service.createToken();
    const { content } = await callTool('query_logs', { endpoint: token, sql: 'select 1' });
    expect(content[0].text).not.toContain(token);
    service.engine.answers.validate = failure('query_invalid', { name: token, position: { line: 1, column: 8 } });
    const checked = await callTool('check_query', { endpoint: 'logs.all', sql: `select ${token}` });
    expect(checked).toMatchObject({
      structuredContent: { valid: false, error: { message: 'The engine refuses.', details: { name: 'lqe_[hidden]' } } },
    });
    expect(checked.content[0].text).not.toContain(token);
    const { error } = await ask('tools/call', { name: token, arguments: {} });
    expect(error?.message).toBe('There is no tool "lqe_[hidden]".');
  });
});

test('a run that fails counts as a failed call of its saved query', async () => {
  const args = { endpoint: 'logs.all', sql: 'select 1 as n', parameters: { project: 'a' } };
  expect((await callTool('query_logs', args)).isError).toBeUndefined();
  service.engine.answers.run = failure('query_timeout');
  const failed = await callTool('query_logs', { ...args, sql: 'select 2 as n' });
  expect([failed.isError, failed.content[0].text]).toEqual([true, expect.stringContaining('"The engine refuses."')]);
  const calls = await send(service.server, '/api/calls', { headers: { 'X-API-KEY': BOOTSTRAP_TOKEN } });
  expect(calls.json().result).toMatchObject([{ name: 'logs.all', adhoc_calls: 2, failed: 1 }]);
});
