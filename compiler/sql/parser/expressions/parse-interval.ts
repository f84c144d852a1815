/** Parses `INTERVAL 5 MINUTE` and `INTERVAL '1:30' HOUR TO MINUTE`. */
import type { IntervalExpression } from '../../../ast/expressions';
import type { Identifier } from '../../../ast/node';
import { CALLABLE_RESERVED_WORDS, RESERVED_WORDS } from '../../reserved-words';
import { amountOfText } from '../../../time/interval-amount';
import type { Parser } from '../parser';

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
      if (CALLABLE_RESERVED_WORDS.has(symbol) || symbol === 'WITH') return parser.lookahead(2).symbol !== '(';
      return RESERVED_WORDS.has(symbol) && !AMOUNT_WORDS.has(symbol);
    default:
      return false;
  }
}

export function parseInterval(parser: Parser): IntervalExpression {
  const start = parser.expect('INTERVAL').position;
  const instead = parser.token.kind === 'string' ? amountOfText(parser.token.value) : undefined;
  if (instead !== undefined) throw parser.unexpected('a number and a unit of time', `write INTERVAL ${instead}`);
  const amount = parser.expression();
  const unit = parseUnit(parser);
  const to = parser.accept('TO') ? parseUnit(parser) : null;
  return { kind: 'interval', amount, unit, to, position: parser.node(start) };
}

function parseUnit(parser: Parser): Identifier {
  const { kind, symbol } = parser.token;
  if (kind !== 'word' || !parser.atName()) throw parser.unexpected('a unit of time', 'write INTERVAL 5 MINUTE');
  return { ...parser.identifier(), name: symbol };
}
