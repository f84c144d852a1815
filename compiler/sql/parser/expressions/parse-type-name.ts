/** Parses types: `INT64`, `ARRAY<STRING>`, `STRUCT<a INT64, STRING>`. The resolver validates their names. */
import type { TypeName, TypePart } from '../../../ast/type-name';
import { notSupported } from '../../parse-errors';
import type { Parser } from '../parser';

const UNSUPPORTED: ReadonlySet<string> = new Set(['RANGE', 'PROTO', 'ENUM']);

/** A type that ends with `>>` ends its outer type, too: the token is shared by both. */
interface Closing {
  shared: boolean;
}

export function parseTypeName(parser: Parser): TypeName {
  const closing: Closing = { shared: false };
  const type = parseType(parser, closing);
  if (closing.shared) throw parser.unexpected('">"');
  return type;
}

function parseType(parser: Parser, closing: Closing): TypeName {
  const { kind, symbol, position } = parser.token;
  if (symbol === 'ARRAY' || symbol === 'STRUCT') return parseNested(parser, symbol, closing);
  if (UNSUPPORTED.has(symbol)) throw notSupported(position, `a cast to ${symbol} is not supported`);
  if (symbol === 'INTERVAL') {
    parser.advance();
    return { name: symbol, quoted: false, position };
  }
  if (kind !== 'word' || !parser.atName()) throw parser.unexpected('a type');
  const type = parser.identifier();
  if (parser.at('(')) {
    throw notSupported(parser.token.position, 'parameters of a type are not supported', insteadOf(parser, symbol));
  }
  return { ...type, name: symbol };
}

/** What to write instead of a type with parameters. NUMERIC(10, 2) is rounded to two digits. */
function insteadOf(parser: Parser, type: string): string {
  const isDecimal = ['NUMERIC', 'DECIMAL', 'BIGNUMERIC', 'BIGDECIMAL'].includes(type);
  if (!isDecimal) return `write ${type}`;
  const scale = parser.lookahead(2).symbol === ',' ? parser.lookahead(3).value : '0';
  return `write ROUND(CAST(... AS ${type}), ${scale})`;
}

function parseNested(parser: Parser, name: 'ARRAY' | 'STRUCT', closing: Closing): TypeName {
  const { position } = parser.advance();
  parser.expect('<');
  parser.enter();
  const parts: TypePart[] = [parsePart(parser, name, closing)];
  while (name === 'STRUCT' && !closing.shared && parser.accept(',')) parts.push(parsePart(parser, name, closing));
  parser.leave();
  close(parser, closing);
  parser.count('maxNodes');
  return { name, quoted: false, parts, position };
}

function parsePart(parser: Parser, of: 'ARRAY' | 'STRUCT', closing: Closing): TypePart {
  const next = parser.lookahead(1);
  const isNamed = of === 'STRUCT' && parser.atName() && (next.kind === 'word' || next.kind === 'quoted-name');
  const name = isNamed ? parser.identifier() : null;
  return { name, type: parseType(parser, closing) };
}

function close(parser: Parser, closing: Closing): void {
  if (closing.shared) {
    closing.shared = false;
    parser.expect('>>');
  } else if (parser.at('>>')) closing.shared = true;
  else parser.expect('>');
}
