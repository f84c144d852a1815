import type { Parser } from './parser';

const CONTINUATIONS: ReadonlySet<string> = new Set(['UNION', 'INTERSECT', 'EXCEPT', 'ORDER', 'LIMIT', ')']);

/** Whether a query in parentheses, itself in parentheses, goes on as a query rather than as an operand or a table. */
export function atQueryContinuation(parser: Parser): boolean {
  return parser.atAny(CONTINUATIONS);
}
