/** Parses set operators: `UNION ALL`, `LEFT OUTER UNION ALL BY NAME ON (a, b)`, `EXCEPT DISTINCT CORRESPONDING`. */
import type { Identifier } from '../../../ast/node';
import type { ColumnMatch, SetOperator } from '../../../ast/queries';
import { syntaxError } from '../../parse-errors';
import type { Parser } from '../parser';

const OPERATORS: ReadonlySet<string> = new Set(['UNION', 'INTERSECT', 'EXCEPT']);
const MODES: ReadonlySet<string> = new Set(['INNER', 'LEFT', 'FULL']);

/** Whether a set operator starts here, its mode included: not the LEFT of a join. */
export function atSetOperator(parser: Parser): boolean {
  return OPERATORS.has(parser.token.symbol) || atMode(parser);
}

function atMode(parser: Parser): boolean {
  if (!parser.atAny(MODES)) return false;
  const next = parser.lookahead(1).symbol;
  return OPERATORS.has(next === 'OUTER' ? parser.lookahead(2).symbol : next);
}

export function parseSetOperator(parser: Parser): SetOperator {
  const start = parser.token.position;
  const mode = atMode(parser) ? parser.advance().symbol : null;
  if (mode !== null && mode !== 'INNER') parser.accept('OUTER');
  if (!OPERATORS.has(parser.token.symbol)) throw parser.unexpected('UNION, INTERSECT or EXCEPT');
  const { symbol } = parser.advance();
  if (!parser.at('ALL') && !parser.at('DISTINCT')) {
    const all = symbol === 'UNION' ? 'UNION ALL or ' : '';
    throw parser.unexpected('ALL or DISTINCT', `write ${all}${symbol} DISTINCT`);
  }
  const quantifier = parser.advance().symbol;
  const match = parseMatch(parser, mode as ColumnMatch['mode'] | null);
  if (match === null && mode !== null) {
    throw syntaxError(
      start,
      `${mode} ${symbol} ${quantifier} needs BY NAME`,
      `write ${mode} ${symbol} ${quantifier} BY NAME`
    );
  }
  return { operator: `${symbol} ${quantifier}` as SetOperator['operator'], match };
}

function parseMatch(parser: Parser, mode: ColumnMatch['mode'] | null): ColumnMatch | null {
  if (parser.accept('BY')) {
    parser.expect('NAME');
    return { mode: mode ?? 'STRICT', columns: parseColumns(parser, 'ON') };
  }
  const { position } = parser.token;
  const isStrict = parser.at('STRICT', 'CORRESPONDING');
  if (isStrict) parser.advance();
  if (!parser.accept('CORRESPONDING')) return null;
  if (isStrict && mode !== null) throw syntaxError(position, `STRICT cannot follow ${mode}`, 'leave out one of them');
  return { mode: isStrict ? 'STRICT' : (mode ?? 'INNER'), columns: parseColumns(parser, 'BY') };
}

function parseColumns(parser: Parser, word: string): readonly Identifier[] {
  if (!parser.accept(word)) return [];
  parser.expect('(');
  const names = parser.list(() => parser.name());
  parser.expect(')');
  return names;
}

/** Whether two operators may follow one another without parentheses. */
export function sameOperator(a: SetOperator, b: SetOperator): boolean {
  const names = ({ match }: SetOperator): string | undefined =>
    match?.columns.map(({ name }) => name.toLowerCase()).join('\n');
  return a.operator === b.operator && a.match?.mode === b.match?.mode && names(a) === names(b);
}
