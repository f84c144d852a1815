import { createSecretKey, randomBytes } from 'node:crypto';
import { type TokenPolicy, UNLIMITED_POLICY } from '#contract/tokens/token';
import { creation, policyChange } from '#server/catalog/tokens/token-edits';

const POLICY: TokenPolicy = { ...UNLIMITED_POLICY, name: 'test', scopes: ['query'] };
const key = createSecretKey(randomBytes(32));

function created(policy: TokenPolicy): Readonly<Record<string, unknown>> {
  return creation(policy, { key, request: null }, new Date(0))([]).note!.details!;
}

function changed(from: TokenPolicy, to: TokenPolicy): unknown {
  const { tokens } = creation(from, { key, request: null }, new Date(0))([]);
  return policyChange(tokens[0]!, to)(tokens).note?.details;
}

const names = (count: number): string[] => Array.from({ length: count }, (_, n) => `query.${n}`);
const texts = (count: number, text = 'x'): Record<string, string> =>
  Object.fromEntries(names(count).map((name) => [name, text]));

it('an entry has the whole of a policy of usual size', () => {
  const policy: TokenPolicy = { ...POLICY, endpoints: names(50), fixed_parameters: texts(50, 'a'.repeat(100)) };
  expect(created(policy)).toEqual(policy);
});

it('an entry has the first saved queries of a long list, and says that it is not whole', () => {
  const details = created({ ...POLICY, endpoints: names(1000) });
  expect(details).toEqual({ ...POLICY, endpoints: names(50), shortened: ['endpoints'] });
});

it('an entry of the largest policy is small', () => {
  const largest: TokenPolicy = {
    ...POLICY,
    endpoints: names(1000).map((name) => name.padEnd(128, 'x')),
    fixed_parameters: texts(100, '\u{1f600}'.repeat(512)),
  };
  const details = created(largest);
  expect(JSON.stringify(details).length).toBeLessThan(20_000);
  expect(details['shortened']).toEqual(['endpoints', 'fixed_parameters']);
  const change = changed(largest, { ...largest, endpoints: [...largest.endpoints].reverse(), fixed_parameters: {} });
  expect(JSON.stringify(change).length).toBeLessThan(40_000);
});

it('a change of a long list has what differs first', () => {
  const to = ['logs.added', ...names(1000).filter((name) => name !== 'query.700')];
  expect(changed({ ...POLICY, endpoints: names(1000) }, { ...POLICY, endpoints: to })).toEqual({
    changes: {
      endpoints: { from: ['query.700', ...names(49)], to: ['logs.added', ...names(49)] },
    },
    shortened: ['endpoints'],
  });
});

it('a change of many fixed parameters has those that differ first', () => {
  const from = texts(100);
  const to = { ...from, 'query.99': 'y'.repeat(101) };
  expect(changed({ ...POLICY, fixed_parameters: from }, { ...POLICY, fixed_parameters: to })).toEqual({
    changes: {
      fixed_parameters: {
        from: { 'query.99': 'x', ...texts(49) },
        to: { 'query.99': `${'y'.repeat(100)}…`, ...texts(49) },
      },
    },
    shortened: ['fixed_parameters'],
  });
});

it('a policy that is the same makes no entry', () => {
  expect(changed(POLICY, { ...POLICY })).toBeUndefined();
});
