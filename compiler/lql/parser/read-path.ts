/** `a.b`, `m.b`, `m."user-agent"`: a column and fields below it. */
import type { Identifier } from '../../ast';
import { lqlError } from '../errors';
import { LQL_LIMITS } from '../limits';
import type { LqlPath } from '../rules';
import type { Reader } from './reader';

const SEGMENT = /[\p{L}_][\p{L}\p{M}\p{N}_]*/uy;

/**
 * Reads the longest path at this offset; null, with nothing consumed, if there is none or it ends after a dot.
 *
 * @param mayStartQuoted whether the first name may be quoted, which in a filter is a message search
 */
export function readPath(reader: Reader, mayStartQuoted: boolean): LqlPath | null {
  const start = reader.offset;
  const isQuoted = reader.at('"');
  const parts: Identifier[] = [];
  do {
    const part = readSegment(reader, mayStartQuoted || parts.length > 0);
    if (part === null) {
      reader.offset = start;
      return null;
    }
    parts.push(part);
  } while (reader.accept('.'));
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
function withoutShorthand(parts: readonly Identifier[]): readonly Identifier[] {
  const [first, ...rest] = parts as [Identifier, ...Identifier[]];
  if (first.name === 'm' && rest.length > 0) return [{ ...first, name: 'metadata' }, ...rest];
  return parts;
}
