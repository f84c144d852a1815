/** Parses OVER (...) and the WINDOW clause: partitions, order and frame. */
import type { FrameBound, WindowFrame, WindowSpecification } from '../../../ast/expressions';
import type { NamedWindow } from '../../../ast/queries';
import { parseOrderBy } from './parse-order-by';
import type { Parser } from '../parser';

/**
 * Parses the WINDOW clause at the cursor; empty without one.
 *
 * @param isEnd whether the clause ends behind a comma
 */
export function parseNamedWindows(parser: Parser, isEnd: () => boolean = () => false): readonly NamedWindow[] {
  if (!parser.accept('WINDOW')) return [];
  const windows = [parseNamedWindow(parser)];
  while (parser.accept(',') && !isEnd()) windows.push(parseNamedWindow(parser));
  return windows;
}

function parseNamedWindow(parser: Parser): NamedWindow {
  const start = parser.token.position;
  const name = parser.name();
  parser.expect('AS');
  const window = parseWindow(parser);
  return { kind: 'named-window', name, window, position: parser.node(start) };
}

/** Parses the part after OVER, or after AS in a WINDOW clause. */
export function parseWindow(parser: Parser): WindowSpecification {
  const start = parser.token.position;
  if (parser.atName()) {
    const base = parser.identifier();
    return { kind: 'window', base, partitionBy: [], orderBy: [], frame: null, position: parser.node(start) };
  }
  parser.expect('(');
  const base = parser.atName() ? parser.identifier() : null;
  const partitionBy = parsePartitionBy(parser);
  const orderBy = parseOrderBy(parser);
  const frame = parseFrame(parser);
  parser.expect(')');
  return { kind: 'window', base, partitionBy, orderBy, frame, position: parser.node(start) };
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
  const start = parser.token.position;
  if (parser.accept('CURRENT')) {
    parser.expect('ROW');
    return { kind: 'current-row', position: parser.node(start) };
  }
  if (parser.accept('UNBOUNDED')) {
    const kind = parseSide(parser) ? 'unbounded-preceding' : 'unbounded-following';
    return { kind, position: parser.node(start) };
  }
  const amount = parser.expression();
  const kind = parseSide(parser) ? 'preceding' : 'following';
  return { kind, amount, position: parser.node(start) };
}

/** True for PRECEDING. */
function parseSide(parser: Parser): boolean {
  if (parser.accept('PRECEDING')) return true;
  if (parser.accept('FOLLOWING')) return false;
  throw parser.unexpected('PRECEDING or FOLLOWING');
}
