/** Requests that the form of a token makes. */
import fc from 'fast-check';
import type { DescribedToken } from '#contract/tokens/token';
import { fieldsOfToken, isTextOf, policyBody, policyPatch } from './token-fields';

const TOKEN: DescribedToken = {
  id: 'Ab3dE5gH',
  name: 'dashboard',
  scopes: ['query'],
  endpoints: ['logs.all', 'usage.api-counts'],
  fixed_parameters: { region: 'eu', project: 'a=b' },
  tenant: null,
  force_redaction: true,
  max_rows: 5,
  rate: null,
  expires_at: '2027-01-31T00:00:00.000Z',
  state: 'active',
  created_at: '2026-01-31T00:00:00.000Z',
  revoked_at: null,
  last_used_at: null,
};

test('a token that is not changed has an empty patch, and its fields are those of its policy', () => {
  const fields = fieldsOfToken(TOKEN);
  expect(policyPatch(fields, fields)).toEqual({});
  const { name, scopes, endpoints, fixed_parameters, tenant, force_redaction, max_rows, rate, expires_at } = TOKEN;
  expect(policyBody(fields)).toEqual({
    name,
    scopes,
    endpoints,
    fixed_parameters,
    tenant,
    force_redaction,
    max_rows,
    rate,
    expires_at,
  });
});

test('a token is valid to the end of a day in the zone of the person who chooses it', () => {
  const { expires_at } = policyBody({ ...fieldsOfToken(TOKEN), expires: ' 2027-01-31 ' });
  expect(expires_at).toBe(new Date(2027, 1, 1).toISOString());
});

test('a patch removes the fixed parameters that were removed, and has numbers as numbers', () => {
  const fields = fieldsOfToken(TOKEN);
  const changed = { ...fields, fixed: 'project = a=b\n\nzone=1', maxRows: '', rate: 'many', isForAll: true };
  expect(policyPatch(fields, changed)).toEqual({
    endpoints: '*',
    fixed_parameters: { region: null, project: 'a=b', zone: '1' },
    max_rows: null,
    rate: 'many',
  });
});

test('fixed parameters come back as they were', () => {
  const name = fc.stringMatching(/^[A-Za-z_]\w{0,9}$/);
  const value = fc.stringMatching(/^[!-~]([ -~]{0,8}[!-~])?$/);
  fc.assert(
    fc.property(fc.dictionary(name, value, { minKeys: 1 }), (fixed) => {
      const { fixed_parameters: read } = policyBody(fieldsOfToken({ ...TOKEN, fixed_parameters: fixed }));
      expect(read).toEqual({ ...fixed });
    })
  );
});

test.each([
  ['lqe_Ab3dE5gH_secret', true],
  ['lqe_Ab3dE5gHI_secret', false],
  ['a text of the configuration', false],
])('%s is a text of the token: %s', (text, isOne) => {
  expect(isTextOf(text, TOKEN.id)).toBe(isOne);
});
