/** A token whose limits change while the body of its request arrives. */
import type { IncomingMessage } from 'node:http';
import { savedQuerySchema } from '#contract/queries/saved-query';
import type { TokenPolicy } from '#contract/tokens/token';
import { tenantOf } from '#server/catalog/tokens/tenant-of';
import { setRequestFacts } from '#server/http/request/request-facts';
import { ensureStillValid } from '#server/http/request/token/ensure-still-valid';
import { createTestService, LOGS, type TestService } from '../../../support/servers/in-memory';
import { writePolicy } from '../../../support/servers/write-token';

let service: TestService;
beforeEach(() => (service = createTestService()));
afterEach(() => service.close());

/** Longer than a token is trusted without another look. */
const SLOW_MS = 1100;

/** A request whose headers arrived a while ago. */
function slowRequest(key: string): IncomingMessage {
  const req = { headersDistinct: { 'x-api-key': [key] } } as unknown as IncomingMessage;
  setRequestFacts(req, { id: 'r', traceId: 't', startedAtMs: performance.now() - SLOW_MS });
  return req;
}

async function checkAfter(policy: Partial<TokenPolicy>, meanwhile: () => void): Promise<void> {
  const { ctx } = service;
  const key = service.createToken({ name: 'a', ...policy });
  const principal = await ctx.tokens.authenticate(key);
  const tenant = tenantOf(principal, ctx.definitions);
  meanwhile();
  await ensureStillValid({ ctx, req: slowRequest(key), principal, tenant });
}

const CHANGED = { code: 'backend_unavailable', details: { reason: 'token_changed' } };
const LIMITS: readonly Partial<TokenPolicy>[] = [
  { scopes: ['query'] },
  { endpoints: ['logs.all'] },
  { fixed_parameters: { project: 'acme' } },
  { tenant: 'acme' },
  { force_redaction: true },
  { max_rows: 1 },
];

it.each(LIMITS)('a request is not run with limits from before the change to %j', async (changes) => {
  await expect(checkAfter({}, () => writePolicy(service.dataDir, 'a', changes))).rejects.toMatchObject(CHANGED);
});

it('a request is not run for all tenants once a fixed parameter names the tenant of its token', async () => {
  const definition = savedQuerySchema.parse({ ...LOGS, parameters: [{ name: 'project', tenant: true }] });
  const declare = (): void => service.ctx.definitions.replace([definition]);
  await expect(checkAfter({ fixed_parameters: { project: 'acme' } }, declare)).rejects.toMatchObject(CHANGED);
});

it.each<[string, () => void]>([
  ['its rate and expiry', () => writePolicy(service.dataDir, 'a', { rate: 5, expires_at: '2999-01-01T00:00:00Z' })],
  ['another token', () => void service.createToken({ name: 'b', max_rows: 3 })],
])('a request runs after a change of %s', async (_what, change) => {
  const policy = { endpoints: ['logs.all'], fixed_parameters: { project: 'acme' } };
  await expect(checkAfter(policy, change)).resolves.toBeUndefined();
});
