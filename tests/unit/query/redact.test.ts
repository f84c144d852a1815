import { redact, redactionPolicy } from '#server/query/redact';

test('who asks for redaction gets a refusal, never rows', () => {
  expect(() => redactionPolicy(true)).toThrow(expect.objectContaining({ code: 'header_invalid' }));
});

test('a policy of none passes the rows through and says so', () => {
  const rows = { columns: [['a']], rowCount: 1, truncated: false };
  expect(redact([], rows, redactionPolicy(false))).toEqual({ ...rows, fields: [], isRedacted: false });
});
