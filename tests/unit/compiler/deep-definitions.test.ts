/** A saved query is validated in linear time: its author may be any token with the scope `endpoints:write`. */
import { savedQuerySchema } from '#contract/queries/saved-query';
import { validateDefinition } from '#compiler/compile';
import { LINEAR_MS, processorMs } from '../../support/jest/processor-time';

const ID = '11111111-1111-4111-8111-111111111111';
const DEPTH = 8;
const deep = (open: string, close: string): string => `${open.repeat(DEPTH)}1${close.repeat(DEPTH)}`;

it.each([
  ['records', deep('STRUCT(', ')')],
  ['lists of records', deep('STRUCT([', '])')],
  ['calls', deep('ABS(', ')')],
  ['conditions', deep('CASE WHEN TRUE THEN ', ' END')],
  ['subqueries', deep('(SELECT ', ')')],
])('%s in eight levels', (_what, expression) => {
  const definition = savedQuerySchema.parse({ id: ID, name: 'deep', query: `SELECT ${expression} AS a` });
  const validate = () => validateDefinition(definition, { dialect: 'duckdb', sources: [] }, null, null);
  expect(processorMs(validate, LINEAR_MS, 1)).toBeLessThan(LINEAR_MS);
});
