/** The corpus of texts: accepted texts with their trees, refused texts with message and position. */
import { ServiceError, type ErrorCode } from '#contract/errors';
import type { ParseReason } from '#compiler/sql/parse-errors';
import { parseStatement } from '#compiler/sql/parser/query/parse-statement';
import { ACCEPTED, REFUSALS, SAME_TREE } from '../../../support/cases/sql/parser';
import { withoutPositions } from '../../../support/references/without-positions';

const CODES: Readonly<Record<ParseReason, ErrorCode>> = {
  query_empty: 'sql_empty',
  not_select: 'sandbox_violation',
  multiple_statements: 'sandbox_violation',
  syntax: 'sql_syntax',
  not_in_dialect: 'sql_syntax',
  not_supported: 'sandbox_violation',
  table_function: 'sandbox_violation',
  too_complex: 'query_too_complex',
};

test.each(ACCEPTED)('%s is accepted', (_name, text) => {
  expect(parseStatement(text).kind).toBe('query');
});

test.each(SAME_TREE)('%s reads as %s', (one, other) => {
  const [left, right] = [one, other].map((text) => withoutPositions(parseStatement(`SELECT ${text} FROM t`)));
  expect(left).toEqual(right);
});

test.each(REFUSALS)('$text is refused', ({ text, reason, line, column, message, hint }) => {
  const error = refusalOf(text);
  expect({ code: error.code, message: error.message, ...error.details }).toEqual({
    code: CODES[reason as ParseReason],
    message,
    reason,
    position: { line, column },
    ...(hint === undefined ? {} : { hint }),
    ...(reason === 'not_select' || reason === 'multiple_statements' ? { rule: 'statement' } : {}),
    ...(reason === 'not_supported' ? { rule: 'clause' } : {}),
    ...(reason === 'table_function' ? { rule: 'table', name: message.replace(/^.*: /, '') } : {}),
  });
});

test('each reason for a refusal has a case', () => {
  const covered = new Set(REFUSALS.map(({ reason }) => reason));
  // Texts that are too large are made by the tests of the limits.
  expect([...covered, 'too_complex'].sort()).toEqual(Object.keys(CODES).sort());
});

test('an empty text is an empty query', () => {
  expect(refusalOf('').code).toBe('sql_empty');
});

function refusalOf(text: string): ServiceError {
  try {
    parseStatement(text);
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error('the text was accepted');
}
