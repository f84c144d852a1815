/** Parses OVER (...): partitions, order and frame. */
import type { FrameBound, WindowFrame, WindowSpecification } from '../../ast/expressions';
import { notSupported } from '../parse-errors';
import { parseOrderBy } from './parse-order-by';
import type { Parser } from './parser';

/** Parses the part after OVER. */
export function parseWindow(parser: Parser): WindowSpecification {
  const start = parser.token.position;
  refuseNamedWindow(parser);
  parser.expect('(');
  refuseNamedWindow(parser);
  const partitionBy = parsePartitionBy(parser);
  const orderBy = parseOrderBy(parser);
  const frame = parseFrame(parser);
  parser.expect(')');
  return { kind: 'window', partitionBy, orderBy, frame, position: parser.node(start) };
}

function refuseNamedWindow(parser: Parser): void {
  if (parser.atName()) {
    throw notSupported(parser.token.position, 'named windows are not supported', 'write the window inside OVER (...)');
  }
}

function parsePartitionBy(parser: Parser): WindowSpecification['partitionBy'] {
  if (!parser.accept('PARTITION')) return [];
  parser.expect('BY');
  return parser.list(() => parser.expression());
}

function parseFrame(parser: Parser): WindowFrame | null {
  const unit = parser.token.symbol;
  if (unit !== 'ROWS' && unit !== 'RANGE') return null;
  parser.advance();
  if (!parser.accept('BETWEEN')) return { unit, start: parseBound(parser), end: null };
  const start = parseBound(parser);
  parser.expect('AND');
  return { unit, start, end: parseBound(parser) };
}

function parseBound(parser: Parser): FrameBound {
  if (parser.accept('CURRENT')) {
    parser.expect('ROW');
    return { kind: 'current-row' };
  }
  if (parser.accept('UNBOUNDED')) return { kind: parseSide(parser) ? 'unbounded-preceding' : 'unbounded-following' };
  const amount = parser.expression();
  return { kind: parseSide(parser) ? 'preceding' : 'following', amount };
}

/** True for PRECEDING. */
function parseSide(parser: Parser): boolean {
  if (parser.accept('PRECEDING')) return true;
  if (parser.accept('FOLLOWING')) return false;
  throw parser.unexpected('PRECEDING or FOLLOWING');
}
