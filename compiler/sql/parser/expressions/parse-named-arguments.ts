/** Parses arguments with names, as in `MAKE_INTERVAL(day => 1, hour => 12)`. They become arguments by position. */
import type { Expression } from '../../../ast/expressions';
import { syntaxError } from '../../parse-errors';
import type { Parser } from '../parser';

/** Functions whose arguments have names, and the names in order; an argument that is left out is 0. */
const NAMES: ReadonlyMap<string, readonly string[]> = new Map([
  ['MAKE_INTERVAL', ['YEAR', 'MONTH', 'DAY', 'HOUR', 'MINUTE', 'SECOND']],
]);

/** Null if no argument of the function has a name. */
export function parseNamedArguments(parser: Parser, name: string): readonly Expression[] | null {
  const names = NAMES.get(name);
  if (names === undefined) return null;
  const given: (Expression | undefined)[] = [];
  let next = 0;
  parser.list(() => {
    const { symbol, position } = parser.token;
    const isNamed = parser.lookahead(1).symbol === '=>';
    const index = isNamed ? names.indexOf(symbol) : next;
    if (isNamed) {
      if (index === -1) throw syntaxError(position, `${name} has no argument "${symbol}"`, names.join(', '));
      parser.advance();
      parser.advance();
    } else if (next === -1) throw syntaxError(position, 'an argument behind one with a name has a name, too');
    if (given[index] !== undefined) throw syntaxError(position, `${name} has the argument ${names[index] ?? ''} twice`);
    given[index] = parser.expression();
    next = isNamed ? -1 : next + 1;
  });
  const { position } = parser.token;
  const zero: Expression = { kind: 'literal', literal: { type: 'integer', digits: '0' }, position };
  return Array.from(given, (argument) => argument ?? zero);
}
