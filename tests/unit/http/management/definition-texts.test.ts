/** Texts of definitions that are refused before anything is stored. */
import { send } from '../../../support/fakes/connection';
import { BOOTSTRAP_TOKEN, createTestService, type TestService } from '../../../support/servers/in-memory';

let service: TestService;
beforeEach(() => (service = createTestService({ settings: { LQE_MAX_QUERY_BODY_BYTES: '4194304' } })));
afterEach(() => service.close());

const ID = '9d1a9fd0-0000-4000-8000-00000000000b';
const OTHER_ID = '9d1a9fd0-0000-4000-8000-00000000000c';
const KIB = 1024;

async function change(method: 'POST' | 'PUT' | 'PATCH', target: string, body: string, headers = {}) {
  const answer = await send(service.server, `/api/endpoints${target}`, {
    method,
    headers: { 'X-API-KEY': BOOTSTRAP_TOKEN, 'Content-Type': 'application/yaml', ...headers },
    body,
  });
  return { status: answer.status, ...(answer.json() as { error?: { code: string; details: { problems: unknown } } }) };
}

const ABSENT = { 'If-None-Match': '*' };
const JSON_TYPE = { 'Content-Type': 'application/json' };

it.each([
  ['an id in YAML', `/${ID}`, `id: ${OTHER_ID}\nname: mixed\nquery: SELECT 1 AS n\n`, ABSENT, 'id'],
  [
    'an id in JSON',
    `/${ID}`,
    JSON.stringify({ id: OTHER_ID, name: 'mixed', query: 'SELECT 1 AS n' }),
    { ...ABSENT, ...JSON_TYPE },
    'id',
  ],
  ['a name in YAML', '/of.path', 'name: of.text\nquery: SELECT 1 AS n\n', ABSENT, 'name'],
])('%s that is not that of the path creates nothing', async (_what, target, body, headers, field) => {
  const refused = await change('PUT', target, body, headers);
  expect(refused).toMatchObject({
    status: 422,
    error: { code: 'definition_invalid', details: { problems: [{ path: [field] }] } },
  });
  expect(service.ctx.savedQueries.find(target.slice(1))).toBeUndefined();
  expect(service.ctx.definitions.ofOrigin('api')).toEqual([]);
});

it('the id and the name of the path may be in the text, an id in any letter case', async () => {
  const text = `id: ${ID.toUpperCase()}\nname: same\nquery: SELECT 1 AS n\n`;
  expect((await change('PUT', `/${ID}`, text, ABSENT)).status).toBe(201);
  expect((await change('PUT', '/named', 'name: named\nquery: SELECT 1 AS n\n', ABSENT)).status).toBe(201);
});

it('a text that is too long to be read as a file is refused, also as the result of a patch', async () => {
  const comment = `# ${'x'.repeat(700 * KIB)}\n`;
  const text = `name: long\nquery: SELECT 1 AS n\n`;
  expect((await change('POST', '', comment + comment + text)).error?.code).toBe('definition_invalid');
  expect((await change('POST', '', comment + text)).status).toBe(201);
  const patch = JSON.stringify({ description: 'x'.repeat(700 * KIB) });
  const patched = await change('PATCH', '/long', patch, { ...JSON_TYPE, 'If-Match': '"1"' });
  expect(patched.error?.code).toBe('definition_invalid');
});

it.each([
  ['POST', '', {}],
  ['PUT', '/few', { 'If-Match': '*' }],
  ['PUT', '/new', ABSENT],
] as const)('%s%s of a text with many aliases holds up no other request', async (method, target, headers) => {
  await change('POST', '', 'name: few\nquery: SELECT 1 AS n\n');
  const startedAt = performance.now();
  expect((await change(method, target, '*a '.repeat(60_000), headers)).error?.code).toBe('definition_invalid');
  // The parser of YAML needs half a minute for it.
  expect(performance.now() - startedAt).toBeLessThan(5000);
});
