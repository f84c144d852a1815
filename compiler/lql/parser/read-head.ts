/** Reads the begin of a clause, up to its value: `-`, path and operator. */
import type { LqlPath } from '../rules';
import { type Operator, readOperator } from './read-operator';
import { readPath } from './read-path';
import type { Reader } from './reader';

export type Keyword = 'from' | 'select' | 'chart';

/** Names that begin a clause before a plain `:`. */
export const KEYWORDS: ReadonlyMap<string, Keyword> = new Map([
  ['f', 'from'],
  ['from', 'from'],
  ['s', 'select'],
  ['select', 'select'],
  ['c', 'chart'],
  ['chart', 'chart'],
]);

export interface ClauseHead {
  readonly negated: boolean;
  /** Undefined for a search of the message; then nothing but `-` is consumed. */
  readonly field?: { readonly path: LqlPath; readonly operator: Operator; readonly keyword: Keyword | undefined };
}

/** @throws ServiceError for an unclosed quote in a path, and a path with too many parts */
export function readHead(reader: Reader): ClauseHead {
  const negated = acceptMinus(reader);
  if (reader.at('~') || reader.at('"')) return { negated };
  const start = reader.offset;
  const path = readPath(reader, false);
  const operator = path && readOperator(reader);
  if (path === null || operator === null) {
    reader.offset = start;
    return { negated };
  }
  const keyword = operator === ':' && path.parts.length === 1 ? KEYWORDS.get(path.parts[0]?.name ?? '') : undefined;
  return { negated, field: { path, operator, keyword } };
}

/** Consumes a `-` that precedes something else. */
function acceptMinus(reader: Reader): boolean {
  const start = reader.offset;
  if (!reader.accept('-')) return false;
  if (!reader.atBoundary) return true;
  reader.offset = start;
  return false;
}
