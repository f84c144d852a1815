/**
 * Real answers have a status and a form that the OpenAPI document names, and real requests have a form that it takes.
 */
import { z } from 'zod';
import { send } from '../../../support/fakes/connection';
import { BOOTSTRAP_TOKEN, createTestService, type TestService } from '../../../support/servers/in-memory';

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly [key: string]: unknown;
}
interface Content {
  readonly content?: { readonly 'application/json'?: { readonly schema: Schema } };
}
interface Operation {
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content & { readonly $ref?: string }>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

let service: TestService;
let document: Document;
beforeAll(async () => {
  service = createTestService();
  document = inlined((await send(service.server, '/api/openapi.json')).json()) as Document;
});
afterAll(() => service.close());

/** The document with what its references name. */
function inlined(root: Schema): unknown {
  const resolve = (node: unknown): unknown => {
    if (typeof node !== 'object' || node === null) return node;
    if (Array.isArray(node)) return node.map(resolve);
    const { $ref: reference, ...rest } = node as Schema;
    if (typeof reference !== 'string') return Object.fromEntries(Object.entries(rest).map(([k, v]) => [k, resolve(v)]));
    const named = reference.slice(2).split('/');
    return resolve(named.reduce<unknown>((found, key) => (found as Schema)[key], root));
  };
  return resolve(root);
}

function ensureMeets(value: unknown, part: Content | undefined): void {
  const schema = part?.content?.['application/json']?.schema;
  expect(schema).toBeDefined();
  z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]).parse(value);
}

function propertiesOf({ properties = {}, allOf = [] }: Schema): readonly string[] {
  return [...Object.keys(properties), ...allOf.flatMap(propertiesOf)];
}

interface Request {
  readonly method: string;
  readonly path: string;
  readonly target?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

async function ask({ method, path, target = path, body, headers = {} }: Request) {
  const type: Record<string, string> = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const answer = await send(service.server, target, {
    method,
    headers: { 'X-API-KEY': BOOTSTRAP_TOKEN, ...type, ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { answer, operation: document.paths[path]![method.toLowerCase()]! };
}

const MESSAGE = { jsonrpc: '2.0', id: 1 };

it.each<[name: string, request: Request, status: number, documented: string]>([
  ['a ready server', { method: 'GET', path: '/health/ready' }, 200, '200'],
  ['a collector', { method: 'GET', path: '/services/collector/health' }, 200, '200'],
  ['status', { method: 'GET', path: '/api/status' }, 200, '200'],
  ['own token', { method: 'GET', path: '/api/token' }, 200, '200'],
  ['calls', { method: 'GET', path: '/api/calls' }, 200, '200'],
  ['a refused collector', { method: 'POST', path: '/services/collector', body: {} }, 400, 'default'],
  ['a refused bulk request', { method: 'POST', path: '/_bulk', body: {} }, 400, 'default'],
  ['a refused batch of OTLP', { method: 'POST', path: '/v1/logs', body: [] }, 400, 'default'],
  ['a refused push', { method: 'POST', path: '/loki/api/v1/push', body: [] }, 400, 'default'],
  ['a message', { method: 'POST', path: '/mcp', body: { ...MESSAGE, method: 'ping' } }, 200, '200'],
  ['a broken message', { method: 'POST', path: '/mcp', body: MESSAGE }, 400, '400'],
  ['a list of messages', { method: 'POST', path: '/mcp', body: [] }, 400, '400'],
])('the answer to %s is documented', async (_name, request, status, documented) => {
  const { answer, operation } = await ask(request);
  expect(answer.status).toBe(status);
  ensureMeets(answer.json(), operation.responses[documented]);
});

it('the empty answer to a notification is documented', async () => {
  const body = { jsonrpc: '2.0', method: 'notifications/initialized' };
  const { answer, operation } = await ask({ method: 'POST', path: '/mcp', body });
  expect([answer.status, answer.text, operation.responses['202']]).toEqual([
    202,
    '',
    { description: expect.any(String) },
  ]);
});

it.each(['/health/ready', '/services/collector/health'])('%s of a server that ends is documented', async (path) => {
  const ending = jest.spyOn(service.ctx.lifecycle, 'state', 'get').mockReturnValue('draining');
  const { answer, operation } = await ask({ method: 'GET', path });
  ending.mockRestore();
  expect(answer.status).toBe(503);
  ensureMeets(answer.json(), operation.responses['503']);
});

const SAVED = '/api/endpoints/{q}';
const NEW = '/api/endpoints/new.one';
const MATCH = { 'If-Match': '*' };
const definition = { name: 'new.one', query: 'SELECT 1 AS n' };

// In this order: each request needs those before it.
it.each<[name: string, request: Request, status: number]>([
  ['a new saved query', { method: 'POST', path: '/api/endpoints', body: { definition } }, 201],
  ['a replaced one', { method: 'PUT', path: SAVED, target: NEW, body: { definition }, headers: MATCH }, 200],
  [
    'one that PUT creates',
    {
      method: 'PUT',
      path: SAVED,
      target: '/api/endpoints/b',
      body: { query: 'SELECT 1 AS n' },
      headers: { 'If-None-Match': '*' },
    },
    201,
  ],
  [
    'a patched one',
    { method: 'PATCH', path: SAVED, target: NEW, body: { definition: { max_rows: 5 } }, headers: MATCH },
    200,
  ],
  ['a saved query', { method: 'GET', path: SAVED, target: NEW }, 200],
  ['all saved queries', { method: 'GET', path: '/api/endpoints' }, 200],
  ['revisions', { method: 'GET', path: `${SAVED}/revisions`, target: `${NEW}/revisions` }, 200],
  ['a revision', { method: 'GET', path: `${SAVED}/revisions/{n}`, target: `${NEW}/revisions/1` }, 200],
  [
    'a restored one',
    { method: 'POST', path: `${SAVED}/revisions/{n}/restore`, target: `${NEW}/revisions/1/restore` },
    200,
  ],
  ['the audit trail', { method: 'GET', path: '/api/audit' }, 200],
  ['a valid definition', { method: 'POST', path: '/api/endpoints/validate', body: { definition } }, 200],
  ['a new source', { method: 'POST', path: '/api/sources', body: { definition: { name: 'app' } } }, 201],
  [
    'a patched source',
    {
      method: 'PATCH',
      path: '/api/sources/{s}',
      target: '/api/sources/app',
      body: { definition: { retention_days: 5 } },
      headers: MATCH,
    },
    200,
  ],
  ['a source', { method: 'GET', path: '/api/sources/{s}', target: '/api/sources/app' }, 200],
  [
    'revisions of a source',
    { method: 'GET', path: '/api/sources/{s}/revisions', target: '/api/sources/app/revisions' },
    200,
  ],
  [
    'a revision of a source',
    { method: 'GET', path: '/api/sources/{s}/revisions/{n}', target: '/api/sources/app/revisions/1' },
    200,
  ],
  [
    'a restored source',
    {
      method: 'POST',
      path: '/api/sources/{s}/revisions/{n}/restore',
      target: '/api/sources/app/revisions/1/restore',
    },
    200,
  ],
  ['sources', { method: 'GET', path: '/api/sources' }, 200],
  ['events', { method: 'POST', path: '/api/logs', target: '/api/logs?source=edge_requests', body: [{}, 1] }, 200],
])('the properties of the answer about %s are documented', async (_name, request, status) => {
  const { answer, operation } = await ask(request);
  expect(answer.status).toBe(status);
  const documented = operation.responses[String(status)];
  ensureMeets(answer.json(), documented);
  const { result } = answer.json();
  const schema = documented!.content!['application/json']!.schema.properties!.result!;
  const [item, itemSchema] = Array.isArray(result) ? [result[0], schema.items!] : [result, schema];
  expect(propertiesOf(itemSchema)).toEqual(expect.arrayContaining(Object.keys(item)));
});

const TOKEN = '/api/tokens/{id}';

it('each patch of a token that the service takes is documented, and so is the header of its note', async () => {
  service.createToken({ scopes: ['query'] });
  const { answer } = await ask({ method: 'GET', path: '/api/tokens' });
  const target = `/api/tokens/${answer.json().result[0].id}`;
  for (const body of [
    { fixed_parameters: { a: 'b' } },
    { fixed_parameters: { a: null } },
    { fixed_parameters: null },
  ]) {
    const headers = { 'SVC-ENDPOINT-CHANGE-NOTE': 'a note' };
    const { answer: changed, operation } = await ask({ method: 'PATCH', path: TOKEN, target, body, headers });
    expect(changed.status).toBe(200);
    ensureMeets(body, operation.requestBody);
    ensureMeets(changed.json(), operation.responses['200']);
    expect(operation.parameters.map(({ name }) => name)).toContain('SVC-ENDPOINT-CHANGE-NOTE');
  }
  const notes = (await ask({ method: 'GET', path: '/api/audit' })).answer.json().result;
  expect(notes[0].message).toBe('a note');
});
