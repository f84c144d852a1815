/** Parses `INTERVAL 5 MINUTE`. */
import type { IntervalExpression } from '../../ast/expressions';
import { notSupported } from '../parse-errors';
import { CALLABLE_RESERVED_WORDS, RESERVED_WORDS } from '../reserved-words';
import type { Parser } from './parser';

const AMOUNT_OPERATORS: ReadonlySet<string> = new Set(['(', '[', '-', '+', '~']);
const AMOUNT_WORDS: ReadonlySet<string> = new Set(
  'ARRAY CASE CAST EXISTS EXTRACT FALSE INTERVAL NULL STRUCT TRUE'.split(' ')
);

/** Whether `interval` is a name: no amount follows, as in `GROUP BY interval`. */
export function atIntervalName(parser: Parser): boolean {
  const { kind, symbol } = parser.lookahead(1);
  switch (kind) {
    case 'end':
      return true;
    case 'operator':
      return !AMOUNT_OPERATORS.has(symbol);
    case 'word':
      if (CALLABLE_RESERVED_WORDS.has(symbol)) return parser.lookahead(2).symbol !== '(';
      return RESERVED_WORDS.has(symbol) && !AMOUNT_WORDS.has(symbol);
    default:
      return false;
  }
}

export function parseInterval(parser: Parser): IntervalExpression {
  const start = parser.expect('INTERVAL').position;
  const amount = parser.expression();
  const { kind, symbol } = parser.token;
  if (kind !== 'word' || !parser.atName()) throw parser.unexpected('a unit of time', 'write INTERVAL 5 MINUTE');
  const unit = { ...parser.identifier(), name: symbol };
  if (parser.at('TO')) throw notSupported(parser.token.position, 'INTERVAL ... TO is not supported');
  return { kind: 'interval', amount, unit, position: parser.node(start) };
}
