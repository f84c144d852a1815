/** Parses the type in a cast: one word, converted to upper case. The resolver validates it. */
import type { Identifier } from '../../ast/node';
import { notSupported } from '../parse-errors';
import type { Parser } from './parser';

const UNSUPPORTED: ReadonlySet<string> = new Set(['ARRAY', 'STRUCT', 'INTERVAL', 'RANGE', 'PROTO', 'ENUM']);

export function parseTypeName(parser: Parser): Identifier {
  const { kind, symbol, position } = parser.token;
  if (symbol === 'BYTES') throw notSupported(position, 'BYTES is not supported');
  if (UNSUPPORTED.has(symbol)) throw notSupported(position, `a cast to ${symbol} is not supported`);
  if (kind !== 'word' || !parser.atName()) throw parser.unexpected('a type');
  const type = parser.identifier();
  if (parser.at('(')) {
    throw notSupported(parser.token.position, 'parameters of a type are not supported', `write ${symbol}`);
  }
  return { ...type, name: symbol };
}
