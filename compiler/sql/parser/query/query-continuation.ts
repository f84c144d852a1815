/** Where queries begin and continue. */
import { atSetOperator } from './parse-set-operator';
import type { Parser } from '../parser';

const STARTS: ReadonlySet<string> = new Set(['SELECT', 'WITH', 'FROM']);
const CONTINUATIONS: ReadonlySet<string> = new Set(['ORDER', 'LIMIT', '|>', ')']);

/** Whether a query starts here, without parentheses. */
export function atQueryStart(parser: Parser): boolean {
  // WITH and a parenthesis is an expression.
  return parser.atAny(STARTS) && !parser.at('WITH', '(');
}

/** Whether a query in nested parentheses continues as a query, not as an operand or a table. */
export function atQueryContinuation(parser: Parser): boolean {
  return parser.atAny(CONTINUATIONS) || atSetOperator(parser);
}
