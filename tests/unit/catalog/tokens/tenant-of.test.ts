import fc from 'fast-check';
import { type SavedQuery, savedQuerySchema } from '#contract/queries/saved-query';
import { isTenant } from '#contract/tokens/tenant';
import { tokenFileSchema } from '#contract/tokens/token';
import { ensureNoTenant, type TenantPolicy, tenantOf } from '#server/catalog/tokens/tenant-of';

const query = (number: number, parameters: object[]): SavedQuery =>
  savedQuerySchema.parse({
    id: `7d1a9fd0-0000-4000-8000-00000000000${number}`,
    name: `q${number}`,
    query: 'select 1',
    parameters,
  });

const LOGS = query(1, [{ name: 'project', tenant: true }]);
const USAGE = query(2, [{ name: 'project' }, { name: 'interval' }]);
const OTHER = query(3, [{ name: 'customer', tenant: true }]);

const of = (policy: Partial<TenantPolicy>, ...all: SavedQuery[]) =>
  tenantOf({ policy: { tenant: null, fixed_parameters: {}, ...policy } }, { all });

it('a token has the tenant it was created with', () => {
  expect(of({ tenant: 'acme' })).toBe('acme');
  expect(of({}, LOGS)).toBeNull();
});

it('a fixed parameter that any saved query declares as a tenant implies the tenant of the token', () => {
  expect(of({ fixed_parameters: { project: 'acme' } }, USAGE, LOGS)).toBe('acme');
  expect(of({ fixed_parameters: { project: 'acme' }, tenant: 'acme' }, USAGE, LOGS)).toBe('acme');
  expect(of({ fixed_parameters: { project: 'acme', customer: 'acme' } }, LOGS, OTHER)).toBe('acme');
});

it('a fixed parameter that no saved query declares as a tenant implies no tenant', () => {
  expect(of({ fixed_parameters: { project: 'acme', interval: 'daily' } }, USAGE)).toBeNull();
  expect(of({ fixed_parameters: { constructor: 'acme', __proto__: 'b' } }, LOGS)).toBeNull();
});

it.each<[string, Partial<TenantPolicy>, string]>([
  ['of its own and by a fixed parameter', { tenant: 'acme', fixed_parameters: { project: 'victim' } }, 'conflict'],
  ['by two fixed parameters', { fixed_parameters: { project: 'acme', customer: 'victim' } }, 'conflict'],
  ['in other letters', { tenant: 'acme', fixed_parameters: { project: 'ACME' } }, 'conflict'],
  ['and an empty one', { tenant: 'acme', fixed_parameters: { project: '' } }, 'conflict'],
])('a token with two tenants is refused: %s', (_what, policy, reason) => {
  let message = '';
  try {
    of(policy, LOGS, OTHER);
  } catch (error) {
    expect(error).toMatchObject({ code: 'tenant_denied', details: { reason: `tenant_${reason}` } });
    message = String(error);
  }
  expect(message).toContain('names two tenants');
  expect(message).not.toMatch(/victim|acme/i);
});

it.each(['', 'a\nb', 'a\u0000', 'x'.repeat(256)])('a fixed value that cannot be a tenant is refused: %j', (project) => {
  expect(() => of({ fixed_parameters: { project } }, LOGS)).toThrow('cannot be one');
});

it('the implied tenant is computed again when the saved queries change', () => {
  const policy = { fixed_parameters: { project: 'acme' } };
  expect([of(policy, LOGS), of(policy, USAGE), of(policy, LOGS)]).toEqual(['acme', null, 'acme']);
});

it('a tenant is 1 to 255 bytes of text without control characters', () => {
  for (const good of ['a', ' ', 'Ünï', 'é'.repeat(127), "a'b--", '日本']) expect(isTenant(good)).toBe(true);
  for (const bad of ['', 'é'.repeat(128), 'a\tb', '\u007f', '\u0085', '\ud800']) expect(isTenant(bad)).toBe(false);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      if (isTenant(text)) expect(Buffer.from(text).toString()).toBe(text);
    })
  );
});

it('a token file from before tenants is read as tokens without tenants', () => {
  const token = {
    ...{ id: 'abcdefgh', hash: 'a'.repeat(64), previous: null, created_at: '2026-01-01T00:00:00Z', revoked_at: null },
    ...{ name: 'old', scopes: ['query'], endpoints: '*', fixed_parameters: {}, force_redaction: false },
    ...{ max_rows: null, rate: null, expires_at: null },
  };
  const read = (extra: object) => tokenFileSchema.safeParse({ version: 1, tokens: [{ ...token, ...extra }] });
  expect(read({}).data?.tokens[0]?.tenant).toBeNull();
  expect(read({ tenant: 'acme' }).data?.tokens[0]?.tenant).toBe('acme');
  for (const tenant of ['', 'a\nb', 5]) expect(read({ tenant }).success).toBe(false);
});

it('an action on all tenants is refused to a token of a tenant', () => {
  expect(() => ensureNoTenant(null, 'Metrics are counted')).not.toThrow();
  expect(() => ensureNoTenant('acme', 'Metrics are counted')).toThrow(
    'Metrics are counted for all tenants; use an access token without a tenant.'
  );
});
