/** Creating, changing, rotating, revoking and listing tokens over HTTP, and the audit trail of it. */
import { readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SCOPES } from '#contract/tokens/token';
import { tokenFileSchema } from '#contract/tokens/token';
import { createManualClock } from '../../../support/fakes/clock';
import { send } from '../../../support/fakes/connection';
import { BOOTSTRAP_TOKEN, createTestService, type TestService } from '../../../support/servers/in-memory';
import { idOf, type TokenCalls, tokenCalls } from '../../../support/servers/token-calls';
import { storedTokens } from '../../../support/servers/write-token';

let service: TestService;
let admin: string;
let calls: TokenCalls;
beforeEach(() => open());
afterEach(() => service.close());

function open(options: Parameters<typeof createTestService>[0] = {}): void {
  service = createTestService({ tokensMaxAgeMs: 60_000, ...options });
  admin = service.createToken({ name: 'admin', scopes: [...SCOPES] });
  calls = tokenCalls(service, admin);
}

const statusOf = async (key: string): Promise<number> =>
  (await send(service.server, '/api/endpoints', { headers: { 'X-API-KEY': key } })).status;

it('a created token works at once, and its answer has all that the command line prints', async () => {
  const answer = await calls.create({ name: 'dashboard', expires_at: '90d', message: 'for ops' });
  expect([answer.status, answer.headers['cache-control']]).toEqual([201, 'no-store']);
  const { token, ...described } = answer.json().result;
  expect(answer.headers['location']).toBe(`/api/tokens/${described.id}`);
  expect(idOf(token)).toBe(described.id);
  expect(await statusOf(token)).toBe(200);
  const read = await calls.read(described.id);
  expect(read.json().result).toEqual({ ...described, last_used_at: expect.any(String) });
  expect(described).toEqual({
    id: described.id,
    name: 'dashboard',
    state: 'active',
    scopes: ['query', 'adhoc', 'endpoints:read'],
    endpoints: '*',
    fixed_parameters: {},
    tenant: null,
    force_redaction: false,
    max_rows: null,
    rate: null,
    expires_at: expect.any(String),
    created_at: expect.any(String),
    revoked_at: null,
    last_used_at: null,
  });
});

it('no token is created when the caller accepts no coding of the answer, which alone has its text', async () => {
  const before = storedTokens(service.dataDir);
  const answer = await calls.create({ name: 'dashboard' }, { 'Accept-Encoding': '*;q=0' });
  expect([answer.status, answer.json().error.code]).toEqual([406, 'not_acceptable']);
  expect(storedTokens(service.dataDir)).toEqual(before);
});

it('a changed token keeps its text, and the change is effective at once', async () => {
  const { token, id } = (await calls.create({ name: 'a', fixed_parameters: { region: 'eu', zone: 'a' } })).json()
    .result;
  expect(await statusOf(token)).toBe(200);
  const changed = await calls.change(
    id,
    {
      token: { name: 'b', scopes: ['query'], max_rows: 5, fixed_parameters: { zone: null, row: '1' } },
      message: 'why',
    },
    { 'Content-Type': 'application/merge-patch+json' }
  );
  expect([changed.status, changed.json().result]).toEqual([
    200,
    expect.objectContaining({
      name: 'b',
      scopes: ['query'],
      max_rows: 5,
      fixed_parameters: { region: 'eu', row: '1' },
    }),
  ]);
  expect(changed.text).not.toContain(token);
  expect(await statusOf(token)).toBe(403);
  expect((await calls.change(id, { max_rows: null, fixed_parameters: null })).json().result).toMatchObject({
    max_rows: null,
    fixed_parameters: {},
  });
});

it('a change that changes nothing leaves no trace', async () => {
  const before = storedTokens(service.dataDir);
  expect((await calls.change(idOf(admin), {})).status).toBe(200);
  expect((await calls.change(idOf(admin), { name: 'admin', tenant: null })).status).toBe(200);
  expect(storedTokens(service.dataDir)).toEqual(before);
  expect((await calls.audit()).json().result).toEqual([]);
});

it('a rotated token works with both texts for the grace period', async () => {
  const { token, id } = (await calls.create({ name: 'a' })).json().result;
  const answer = await calls.rotate(id, { grace_seconds: 60 });
  expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store']);
  const second = answer.json().result.token;
  expect([await statusOf(token), await statusOf(second)]).toEqual([200, 200]);
  const third = (await calls.rotate(id, { grace_seconds: 0 })).json().result.token;
  expect([await statusOf(token), await statusOf(second), await statusOf(third)]).toEqual([401, 401, 200]);
});

it('rotation without a body has the default grace period', async () => {
  const { id } = (await calls.create({ name: 'a' })).json().result;
  const answer = await send(service.server, `/api/tokens/${id}/rotate`, {
    method: 'POST',
    headers: { 'X-API-KEY': admin },
  });
  expect(answer.status).toBe(200);
  expect(storedTokens(service.dataDir).find((token) => token.id === id)!.previous).not.toBeNull();
});

it('a revoked token is refused at once, and its entry stays', async () => {
  const { token, id } = (await calls.create({ name: 'a' })).json().result;
  expect(await statusOf(token)).toBe(200);
  expect((await calls.revoke(id, { 'SVC-ENDPOINT-CHANGE-NOTE': 'leaked' })).status).toBe(204);
  expect(await statusOf(token)).toBe(401);
  expect((await calls.read(id)).json().result).toMatchObject({ state: 'revoked' });
  expect((await calls.revoke(id)).status).toBe(204);
  expect((await calls.audit('?action=token.revoke')).json().result).toHaveLength(1);
});

it('the list is paged, oldest first, with revoked tokens and without secrets', async () => {
  const texts: string[] = [];
  for (let n = 0; n < 5; n += 1) texts.push((await calls.create({ name: `t${n}` })).json().result.token);
  await calls.revoke(idOf(texts[1]!));
  const names: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await calls.list(`?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
    expect(page.headers['cache-control']).toBe('no-store');
    for (const text of texts) expect(page.text).not.toContain(text.slice(13, 56));
    expect(page.text).not.toMatch(/[0-9a-f]{64}/);
    names.push(...page.json().result.map(({ name }: { name: string }) => name));
    cursor = page.json().next_cursor;
  }
  expect(names).toEqual(['admin', 't0', 't1', 't2', 't3', 't4']);
});

it.each(['limit=0', 'limit=101', 'limit=x', 'cursor=%21', 'limit=1&limit=2'])('the list refuses %s', async (query) => {
  expect((await calls.list(`?${query}`)).status).toBe(400);
});

it('a confined token lists the tokens within its confinement only', async () => {
  await calls.create({ name: 'own', tenant: 'acme' });
  await calls.create({ name: 'other', tenant: 'victim' });
  const confined = tokenCalls(service, service.createToken({ name: 'me', scopes: ['tokens:admin'], tenant: 'acme' }));
  const page = await confined.list();
  expect(
    page
      .json()
      .result.map(({ name }: { name: string }) => name)
      .sort()
  ).toEqual(['me', 'own']);
});

it('the audit trail has every change with its author, note and request, and no secret', async () => {
  const created = await calls.create({ name: 'a', message: 'first' }, { 'X-Request-Id': 'request-1' });
  const { id, token } = created.json().result;
  await calls.change(id, { max_rows: 5 });
  await calls.rotate(id, { grace_seconds: 0, message: 'turn' });
  await calls.revoke(id);
  const audit = await calls.audit('?limit=3');
  const by = { token_id: idOf(admin), token_name: 'admin' };
  expect(audit.headers['cache-control']).toBe('no-store');
  expect(audit.json().result).toMatchObject([
    { action: 'token.revoke', by, object: { id, name: 'a' }, message: null },
    { action: 'token.rotate', by, message: 'turn', details: { grace_seconds: 0 } },
    { action: 'token.change', by, details: { changes: { max_rows: { from: null, to: 5 } } } },
  ]);
  const rest = await calls.audit(`?limit=3&cursor=${audit.json().next_cursor}`);
  expect(rest.json()).toMatchObject({
    result: [{ action: 'token.create', by, message: 'first', request_id: 'request-1', details: { name: 'a' } }],
    next_cursor: null,
  });
  expect(audit.text + rest.text).not.toContain(token.slice(13, 56));
});

it('the audit trail hides access tokens in notes', async () => {
  await calls.create({ name: 'a', message: `replaces ${admin}` });
  const { text } = await calls.audit();
  expect(text).toContain('replaces lqe_[hidden]');
  expect(text).not.toContain(admin.slice(13, 56));
});

it('the audit trail is filtered by action, object and time', async () => {
  const { id } = (await calls.create({ name: 'a' })).json().result;
  await calls.create({ name: 'b' });
  await calls.change(id, { name: 'c' });
  const actions = async (query: string): Promise<string[]> =>
    (await calls.audit(query)).json().result.map(({ action }: { action: string }) => action);
  expect(await actions(`?object=${id}`)).toEqual(['token.change', 'token.create']);
  expect(await actions('?object=b')).toEqual(['token.create']);
  expect(await actions('?action=token.change')).toEqual(['token.change']);
  expect(await actions('?since=2999-01-01')).toEqual([]);
  expect(await actions('?until=2020-01-01')).toEqual([]);
  expect(await actions('?since=2020-01-01&until=2999-01-01T00:00:00Z')).toHaveLength(3);
  for (const query of ['?action=token.craete', '?since=yesterday', '?since=2027-02-31', '?cursor=AAAA', '?limit=500'])
    expect((await calls.audit(query)).json().error.code).toBe('parameter_invalid');
});

it.each([{ tenant: 'acme' }, { endpoints: ['logs.all'] }, { force_redaction: true }, { fixed_parameters: { a: 'b' } }])(
  'the audit trail is refused to a token with %j',
  async (policy) => {
    const answer = await tokenCalls(service, service.createToken({ scopes: ['tokens:admin'], ...policy })).audit();
    expect([answer.status, answer.json().error.code]).toEqual([403, 'tenant_denied']);
  }
);

it('a token without the scope gets 403 on every route', async () => {
  const other = tokenCalls(
    service,
    service.createToken({ scopes: SCOPES.filter((scope) => scope !== 'tokens:admin') })
  );
  const id = idOf(admin);
  const answers = [
    await other.create({ name: 'x' }),
    await other.list(),
    await other.read(id),
    await other.change(id, {}),
    await other.rotate(id, {}),
    await other.revoke(id),
    await other.audit(),
  ];
  expect(answers.map(({ status, headers }) => `${status} ${headers['cache-control']}`)).toEqual(
    answers.map(() => '403 no-store')
  );
});

describe('a request with an Idempotency-Key', () => {
  const key = { 'Idempotency-Key': 'attempt-1' };

  it('gets the first answer again, also after a restart, and makes one token', async () => {
    const first = await calls.create({ name: 'a', expires_at: '90d' }, key);
    expect(first.status).toBe(201);
    await calls.create({ name: 'other' });
    for (const each of [calls, tokenCalls(reopened(), admin)]) {
      const again = await each.create({ expires_at: '90d', name: 'a' }, key);
      expect([again.status, again.json()]).toEqual([201, first.json()]);
      expect(again.headers['location']).toBe(first.headers['location']);
    }
    expect(storedTokens(service.dataDir)).toHaveLength(3);
    expect((await calls.audit('?action=token.create')).json().result).toHaveLength(2);
  });

  it('rotates once, and works for a token that rotates itself', async () => {
    const first = await calls.rotate(idOf(admin), { grace_seconds: 60 }, key);
    const again = await calls.rotate(idOf(admin), { grace_seconds: 60 }, key);
    expect(again.json()).toEqual({ result: { ...first.json().result, last_used_at: null } });
    expect(await statusOf(first.json().result.token)).toBe(200);
  });

  it('is refused with another body, and for another route', async () => {
    const { id } = (await calls.create({ name: 'a' }, key)).json().result;
    for (const answer of [await calls.create({ name: 'b' }, key), await calls.rotate(id, {}, key)])
      expect([answer.status, answer.json().error.code]).toEqual([422, 'idempotency_conflict']);
  });

  it('is another request for another token, and after 24 hours', async () => {
    service.close();
    const clock = createManualClock();
    open({ clock, tokensMaxAgeMs: 0 });
    const first = (await calls.create({ name: 'a' }, key)).json().result;
    const other = tokenCalls(service, service.createToken({ scopes: [...SCOPES] }));
    expect((await other.create({ name: 'a' }, key)).json().result.id).not.toBe(first.id);
    await clock.pass(24 * 3_600_000);
    expect((await calls.create({ name: 'a' }, key)).json().result.id).not.toBe(first.id);
    expect(storedTokens(service.dataDir).find(({ id }) => id === first.id)!.requests).toBeUndefined();
  });

  it('is refused with a hint when the secret cannot be derived any more', async () => {
    const { id } = (await calls.create({ name: 'a' }, key)).json().result;
    const rotated = (await calls.rotate(idOf(admin), {})).json().result.token;
    const answer = await tokenCalls(service, rotated).create({ name: 'a' }, key);
    expect([answer.status, answer.json().error.code]).toEqual([422, 'idempotency_conflict']);
    expect(answer.json().error.details).toMatchObject({ reason: 'secret_replaced', token_id: id });
    // The old text of the caller still derives it.
    expect((await calls.create({ name: 'a' }, key)).status).toBe(201);
    await calls.rotate(id, {});
    expect((await calls.create({ name: 'a' }, key)).status).toBe(422);
  });

  it('leaves nothing at rest or in the log that reveals the secret', async () => {
    const { token } = (await calls.create({ name: 'a' }, key)).json().result;
    const secret = token.slice(13, 56);
    for (const name of readdirSync(service.dataDir, { recursive: true, encoding: 'utf8' })) {
      const path = join(service.dataDir, name);
      if (!statSync(path).isFile()) continue;
      const text = readFileSync(path, 'utf8');
      for (const hidden of [secret, 'attempt-1', admin.slice(13, 56)]) expect(text).not.toContain(hidden);
    }
    expect(service.logText()).not.toContain(secret);
  });

  /** A new server on the same data folder. */
  const reopened = (): TestService => createTestService({ dataDir: service.dataDir });
});

describe('at the same time', () => {
  it('two changes of one token both apply', async () => {
    const { id } = (await calls.create({ name: 'a' })).json().result;
    const bootstrap = tokenCalls(service, BOOTSTRAP_TOKEN);
    const answers = await Promise.all([calls.change(id, { max_rows: 5 }), bootstrap.change(id, { rate: 7 })]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect((await calls.read(id)).json().result).toMatchObject({ max_rows: 5, rate: 7 });
  });

  it('200 requests with one key make one token', async () => {
    service.close();
    open({ settings: { LQE_MAX_CHANGES_PER_MINUTE: '1000' } });
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => calls.create({ name: 'a' }, { 'Idempotency-Key': 'same' }))
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(made.length).toBeGreaterThan(0);
    expect(new Set(made.map(({ text }) => text)).size).toBe(1);
    for (const { status } of answers) expect([201, 429, 503]).toContain(status);
    expect(storedTokens(service.dataDir)).toHaveLength(2);
  });

  it('200 requests make as many tokens as were answered with 201', async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => calls.create({ name: `t${n}` })));
    const made = answers.filter(({ status }) => status === 201);
    expect(made.length).toBeGreaterThan(0);
    for (const { status } of answers) expect([201, 429, 503]).toContain(status);
    expect(storedTokens(service.dataDir)).toHaveLength(1 + made.length);
    for (const { text } of made) expect(await statusOf(JSON.parse(text).result.token)).toBe(200);
  });

  it('a token is revoked or rotated first, and never valid after its revocation', async () => {
    const { id, token } = (await calls.create({ name: 'a' })).json().result;
    const bootstrap = tokenCalls(service, BOOTSTRAP_TOKEN);
    const [rotated, revoked] = await Promise.all([calls.rotate(id, {}), bootstrap.revoke(id)]);
    expect(revoked.status).toBe(204);
    expect([200, 404]).toContain(rotated.status);
    const texts = rotated.status === 200 ? [token, rotated.json().result.token] : [token];
    for (const text of texts) expect(await statusOf(text)).toBe(401);
  });

  it('a token that is revoked while its request waits makes no change', async () => {
    const other = service.createToken({ name: 'other', scopes: [...SCOPES] });
    const before = storedTokens(service.dataDir).length;
    // The lock of another program delays both; the revocation comes first.
    writeFileSync(join(service.dataDir, 'tokens.json.lock'), `${process.pid} locked`);
    const revoking = calls.revoke(idOf(other));
    await new Promise((resolve) => setTimeout(resolve, 50));
    const creating = tokenCalls(service, other).create({ name: 'late' });
    await new Promise((resolve) => setTimeout(resolve, 50));
    rmSync(join(service.dataDir, 'tokens.json.lock'));
    expect((await revoking).status).toBe(204);
    const refused = await creating;
    expect([refused.status, refused.json().error.code]).toEqual([401, 'token_invalid']);
    expect(storedTokens(service.dataDir)).toHaveLength(before);
  });
});

describe('when the token file', () => {
  it('is damaged, nothing is written and the caller may retry', async () => {
    service.close();
    open({ tokensMaxAgeMs: 0 });
    const file = join(service.dataDir, 'tokens.json');
    expect(await statusOf(admin)).toBe(200);
    writeFileSync(file, '{"version":1,"tokens":[{}]}');
    const answer = await tokenCalls(service, BOOTSTRAP_TOKEN).create({ name: 'x' });
    expect([answer.status, answer.json().error.code]).toEqual([503, 'backend_unavailable']);
    expect(readFileSync(file, 'utf8')).toBe('{"version":1,"tokens":[{}]}');
    const own = await calls.list();
    expect([own.status, own.json().error.code]).toEqual([503, 'backend_unavailable']);
  });

  it('is locked by a program that died, the change is made', async () => {
    const lock = join(service.dataDir, 'tokens.json.lock');
    writeFileSync(lock, `${2 ** 30} x`);
    utimesSync(lock, Date.now() / 1000 - 10, Date.now() / 1000 - 10);
    expect((await calls.create({ name: 'x' })).status).toBe(201);
  });

  it('has tokens of an earlier version, they are read', () => {
    const [{ requests: _requests, ...old }] = storedTokens(service.dataDir) as [ReturnType<typeof storedTokens>[0]];
    expect(tokenFileSchema.parse({ version: 1, tokens: [old] }).tokens).toHaveLength(1);
  });
});

it('a token of an earlier version with endpoints:write and a tenant is refused the scope, and logged once', async () => {
  const old = service.createToken({ scopes: ['endpoints:write', 'query', 'endpoints:read'], tenant: 'acme' });
  for (let n = 0; n < 3; n += 1) {
    const answer = await send(service.server, '/api/endpoints/logs.all/cache', {
      method: 'DELETE',
      headers: { 'X-API-KEY': old },
    });
    expect([answer.status, answer.json().error]).toMatchObject([
      403,
      { code: 'scope_missing', details: { reason: 'scope_conflict' } },
    ]);
  }
  expect(await statusOf(old)).toBe(200);
  expect(
    service.log.filter(({ token_id: id, msg }) => id === idOf(old) && /contradict/.test(String(msg)))
  ).toHaveLength(1);
});

it('changes are limited to 60 a minute for each token', async () => {
  const statuses: number[] = [];
  for (let n = 0; n < 62; n += 1) statuses.push((await calls.change(idOf(admin), {})).status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(60);
  expect(statuses.slice(60)).toEqual([429, 429]);
  expect((await calls.list()).status).toBe(200);
});
