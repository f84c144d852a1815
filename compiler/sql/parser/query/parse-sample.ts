/** Parses TABLESAMPLE, behind a table in FROM and as a pipe operator. */
import type { Expression } from '../../../ast/expressions';
import type { FromItem, SampledTable, Sampling } from '../../../ast/queries';
import { notSupported } from '../../parse-errors';
import type { Parser } from '../parser';

const METHODS = ['BERNOULLI', 'SYSTEM', 'RESERVOIR'] as const;
const UNITS = ['PERCENT', 'ROWS'] as const;

/** `TABLESAMPLE method (size unit)` behind a table and its alias, or joins in parentheses. */
export function parseSample(parser: Parser, input: SampledTable['input']): FromItem {
  return { kind: 'sampled', input, ...parseSampling(parser), position: parser.node(input.position) };
}

/** Parses `TABLESAMPLE method (size unit)`; the next token is TABLESAMPLE. */
export function parseSampling(parser: Parser): Sampling {
  parser.expect('TABLESAMPLE');
  const method = METHODS.find((word) => parser.accept(word));
  if (method === undefined) throw parser.unexpected('BERNOULLI, SYSTEM or RESERVOIR');
  parser.expect('(');
  const size = parseAmount(parser);
  const unit = UNITS.find((word) => parser.accept(word));
  if (unit === undefined) throw parser.unexpected('PERCENT or ROWS');
  if (parser.at('PARTITION')) {
    throw notSupported(
      parser.token.position,
      'PARTITION BY in TABLESAMPLE is not supported',
      'write QUALIFY ROW_NUMBER() OVER (PARTITION BY key ORDER BY RAND()) <= n'
    );
  }
  parser.expect(')');
  const { position } = parser.token;
  if (parser.at('REPEATABLE')) {
    throw notSupported(
      position,
      'REPEATABLE is not supported',
      "compare a hash: WHERE TO_HEX(MD5(id)) < '1a' takes about a tenth"
    );
  }
  if (parser.at('WITH', 'WEIGHT')) throw notSupported(position, 'WITH WEIGHT is not supported');
  return { method, size, unit };
}

/** A number or a parameter. */
function parseAmount(parser: Parser): Expression {
  if (!['integer', 'float', 'parameter'].includes(parser.token.kind))
    throw parser.unexpected('a number or a parameter');
  return parser.operand();
}
