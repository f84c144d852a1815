import type { Parser } from './parser';

const CONTINUATIONS: ReadonlySet<string> = new Set(['UNION', 'INTERSECT', 'EXCEPT', 'ORDER', 'LIMIT', ')']);

/** Whether a query in nested parentheses continues as a query, not as an operand or a table. */
export function atQueryContinuation(parser: Parser): boolean {
  return parser.atAny(CONTINUATIONS);
}
