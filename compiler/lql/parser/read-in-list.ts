/** `in(a,b,"c d")`: one of several values. */
import { lqlError } from '../errors';
import { LQL_LIMITS } from '../limits';
import type { FieldTest, Scalar } from '../rules';
import { classifyBare } from './classify';
import type { Reader } from './reader';

const ITEM = /[^\p{White_Space}",()]+/uy;

export function readInList(reader: Reader): Extract<FieldTest, { kind: 'in' }> {
  const start = reader.offset;
  reader.accept('in(');
  const items: Scalar[] = [];
  do {
    reader.skipWhite();
    items.push(readItem(reader));
    reader.skipWhite();
  } while (reader.accept(','));
  if (reader.atEnd) throw reader.unclosedParen(start);
  if (!reader.accept(')')) {
    throw lqlError('bad_value', 'expected "," or ")" in the list', reader.position(reader.offset, reader.offset + 1), {
      hint: 'put quotes round values with blanks, commas or parentheses',
    });
  }
  reader.expectBoundary('the closing parenthesis');
  if (items.length > LQL_LIMITS.maxInItems) {
    throw lqlError('too_many_clauses', `a list has more than ${LQL_LIMITS.maxInItems} values`, reader.position(start));
  }
  return { kind: 'in', items, position: reader.position(start) };
}

function readItem(reader: Reader): Scalar {
  const start = reader.offset;
  const quoted = reader.quoted();
  if (quoted !== null) return { type: 'string', text: quoted, position: reader.position(start) };
  const text = reader.match(ITEM)?.[0];
  if (text === undefined) {
    if (reader.atEnd) throw reader.unclosedParen(start);
    throw lqlError('bad_value', 'expected a value in the list', reader.position(start, start + 1));
  }
  const position = reader.position(start);
  if (text === 'NULL') {
    throw lqlError('null_operator', 'NULL cannot stand in a list', position, {
      hint: 'use a filter of its own: path:NULL or -path:NULL',
    });
  }
  return classifyBare(text, position);
}
