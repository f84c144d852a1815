import { AUDIT_ACTIONS } from '#contract/changes/audit';

it('each action is listed once, as a schema with "enum" needs', () => {
  expect(AUDIT_ACTIONS).toEqual([...new Set(AUDIT_ACTIONS)]);
});
