/** `a.b`, `m.b`, `m."user-agent"`: a column and fields below it. */
import type { Identifier } from '../../ast';
import { lqlError } from '../errors';
import { LQL_LIMITS } from '../limits';
import type { LqlPath } from '../rules';
import type { Reader } from './reader';
import type { NonEmpty } from '../../items';

const SEGMENT = /[\p{L}_][\p{L}\p{M}\p{N}_]*/uy;

/**
 * Reads the longest path at this offset; null, with nothing consumed, if there is none or it ends after a dot.
 *
 * @param mayStartQuoted whether the first name may be quoted, which in a filter is a message search
 */
export function readPath(reader: Reader, mayStartQuoted: boolean): LqlPath | null {
  const start = reader.offset;
  const isQuoted = reader.at('"');
  const first = readSegment(reader, mayStartQuoted);
  const others: Identifier[] = [];
  let last = first;
  while (last !== null && reader.accept('.')) {
    last = readSegment(reader, true);
    if (last !== null) others.push(last);
  }
  if (first === null || last === null) {
    reader.offset = start;
    return null;
  }
  const parts: NonEmpty<Identifier> = [first, ...others];
  if (parts.length > LQL_LIMITS.maxPathParts) {
    throw lqlError('bad_path', `a path has more than ${LQL_LIMITS.maxPathParts} parts`, reader.position(start));
  }
  return { parts: isQuoted ? parts : withoutShorthand(parts), position: reader.position(start) };
}

function readSegment(reader: Reader, mayBeQuoted: boolean): Identifier | null {
  const start = reader.offset;
  const name = (mayBeQuoted ? reader.quoted() : null) ?? reader.match(SEGMENT)?.[0];
  if (name === undefined || name === '') return null;
  return { name, quoted: true, position: reader.position(start) };
}

/** Expands a leading `m.` to `metadata.`. */
function withoutShorthand(parts: NonEmpty<Identifier>): NonEmpty<Identifier> {
  const [first, ...rest] = parts;
  if (first.name === 'm' && rest.length > 0) return [{ ...first, name: 'metadata' }, ...rest];
  return parts;
}
