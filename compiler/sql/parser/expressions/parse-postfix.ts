/** Parses the suffixes of an operand: `.field`, `[index]`, `::type`. Each counts towards the depth limit. */
import type { Expression, IndexExpression } from '../../../ast/expressions';
import type { SourcePosition } from '../../../ast/node';
import { parseTypeName } from './parse-type-name';
import type { Parser } from '../parser';

const INDEX_MODES: ReadonlyMap<string, IndexExpression['mode']> = new Map([
  ['OFFSET', 'offset'],
  ['SAFE_OFFSET', 'safe_offset'],
  ['ORDINAL', 'ordinal'],
  ['SAFE_ORDINAL', 'safe_ordinal'],
]);

/** @param start start of the operand, parentheses included */
export function parsePostfix(parser: Parser, operand: Expression, start: SourcePosition): Expression {
  let base = operand;
  let levels = 0;
  for (;;) {
    const next = parseOne(parser, base, start);
    if (next === null) break;
    parser.enter();
    levels += 1;
    base = next;
  }
  parser.leave(levels);
  return base;
}

function parseOne(parser: Parser, base: Expression, start: SourcePosition): Expression | null {
  // The fields of a record, in a select list.
  if (parser.at('.', '*')) return null;
  if (parser.accept('.')) {
    return { kind: 'field', base, field: parser.nameAfterDot(), position: parser.node(start) };
  }
  if (parser.accept('[')) {
    const { mode, index } = parseIndex(parser);
    parser.expect(']');
    return { kind: 'index', base, mode, index, position: parser.node(start) };
  }
  if (parser.accept('::')) {
    const type = parseTypeName(parser);
    return { kind: 'cast', operand: base, type, safe: false, format: null, position: parser.node(start) };
  }
  return null;
}

function parseIndex(parser: Parser): Pick<IndexExpression, 'mode' | 'index'> {
  const mode = INDEX_MODES.get(parser.token.symbol);
  if (mode === undefined || parser.lookahead(1).symbol !== '(') return { mode: 'plain', index: parser.expression() };
  parser.advance();
  parser.expect('(');
  const index = parser.expression();
  parser.expect(')');
  return { mode, index };
}
