/** Errors for filters that do not fit the type of a column. */
import type { SourcePosition } from '../../ast';
import { shortTypeName, type Type } from '../../ir/types';
import { printPath } from '../encode/print-path';
import { lqlError } from '../errors';
import { withArticle, type Access } from './access';

/** Element type of a list; other types unchanged. */
export function elementOf(type: Type): Type {
  return type.kind === 'ARRAY' ? type.element : type;
}

export function ensureText({ type, path: written }: Access, position: SourcePosition, what: string): void {
  if (type.kind === 'STRING' || type.kind === 'NULL') return;
  throw lqlError(
    'type_mismatch',
    `${what} needs text, but "${printPath(written)}" is ${withArticle(shortTypeName(type))}`,
    position,
    {
      hint: 'compare the value instead: path:>=400 path:<500',
    }
  );
}

export function textList({ path: written, type }: Access, position: SourcePosition): Error {
  const message = `a regular expression needs texts, but "${printPath(written)}" is a list of ${shortTypeName(elementOf(type))}`;
  return lqlError('type_mismatch', message, position, { hint: `write ${printPath(written)}:@>value` });
}

export function notQueryable({ path: written, type }: Access): Error {
  const what = type.kind === 'ARRAY' ? 'a list of records' : 'a record';
  return lqlError(
    'not_queryable',
    `"${printPath(written)}" is ${what}; filter on one of its fields`,
    written.position,
    {
      hint: `write ${printPath(written)}.field`,
    }
  );
}

/** Error for a filter on JSON or INTERVAL, which have no values in LQL. */
export function notCompared({ path: written, type }: Access): Error {
  const name = printPath(written);
  const what = type.kind === 'ARRAY' ? `a list of ${shortTypeName(type.element)}` : withArticle(shortTypeName(type));
  return lqlError('not_queryable', `"${name}" is ${what}, which no filter compares`, written.position, {
    hint:
      type.kind === 'ARRAY' ? 'send SQL in the parameter sql' : `write ${name}:NULL, or send SQL in the parameter sql`,
  });
}

export function needsIncludes({ path: written }: Access): Error {
  const name = printPath(written);
  return lqlError('array_needs_includes', `"${name}" is a list; ask whether it includes a value`, written.position, {
    hint: `write ${name}:@>value or ${name}:@>~regex`,
  });
}

export function needsArray({ path: written, type }: Access): Error {
  const name = printPath(written);
  const message = `"${name}" is ${withArticle(shortTypeName(type))}, not a list`;
  return lqlError('includes_needs_array', message, written.position, { hint: `write ${name}:value or ${name}:~regex` });
}
