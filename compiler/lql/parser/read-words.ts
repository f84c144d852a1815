/**
 * Words of an LQL text: its clauses, separated by white space outside of quotes and parentheses. For editors and for
 * texts before macros are replaced. It never fails: values are not checked, and an unclosed quote reaches to the end.
 */
import { ServiceError } from '#contract/errors';
import { type ClauseHead, type Keyword, readHead } from './read-head';
import type { Operator } from './read-operator';
import { Reader } from './reader';

export interface LqlWord {
  /** Text as written. */
  readonly text: string;
  readonly isNegated: boolean;
  /** Undefined for filters. */
  readonly keyword?: Keyword;
  /** Names before the operator, `m` expanded; empty for a search of the message. */
  readonly path: readonly string[];
  readonly operator?: Operator;
  /** What follows the operator, or `-` in a search of the message, as written. */
  readonly value: string;
  /** The decoded value, if it is a quoted text. */
  readonly quoted?: string;
  /** Range `[offset, end)` of the text. */
  readonly offset: number;
  readonly end: number;
}

/** `in(a, "b)")` and `c:group_by($__timeGroup(timestamp, 5m))`. */
const CALL = /\w+\((?:"(?:\\["\\]|\\(?!["\\])|[^"\\])*"|\([^()]*\)|[^"()])*\)/uy;
const PARENTHESIZED = /\([^)]*\)/uy;
const PLAIN = /(?:\\"|[^\p{White_Space}"])+/uy;

export function readWords(text: string): readonly LqlWord[] {
  const reader = new Reader(text);
  // Looking for the end of each open parenthesis of a long text would take very long.
  const lastParenthesis = text.lastIndexOf(')');
  const words: LqlWord[] = [];
  for (reader.skipWhite(); !reader.atEnd; reader.skipWhite()) words.push(readWord(reader, lastParenthesis));
  return words;
}

function readWord(reader: Reader, lastParenthesis: number): LqlWord {
  const offset = reader.offset;
  const { negated, field } = readTolerantHead(reader);
  const start = reader.offset;
  if (field && start < lastParenthesis) skipParentheses(reader, field);
  const afterParentheses = reader.offset;
  const quoted = readQuoted(reader);
  const isQuoted = afterParentheses === start && reader.atBoundary;
  skipRest(reader);
  return {
    text: reader.text.slice(offset, reader.offset),
    isNegated: negated,
    ...(field?.keyword === undefined ? {} : { keyword: field.keyword }),
    path: field?.path.parts.map(({ name }) => name) ?? [],
    ...(field === undefined ? {} : { operator: field.operator }),
    value: reader.text.slice(start, reader.offset),
    ...(isQuoted && quoted !== undefined ? { quoted } : {}),
    offset,
    end: reader.offset,
  };
}

function readTolerantHead(reader: Reader): ClauseHead {
  const start = reader.offset;
  try {
    return readHead(reader);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    reader.offset = start;
    const negated = reader.accept('-');
    return { negated };
  }
}

/** Skips parentheses that may contain white space; unclosed ones may not. */
function skipParentheses(reader: Reader, { path, operator, keyword }: NonNullable<ClauseHead['field']>): void {
  const isList = (operator === ':' || operator === ':!=') && reader.at('in(');
  if (keyword === 'chart' || isList) reader.match(CALL);
  else if (keyword === undefined && !operator.endsWith('~') && !isTime(path.parts)) reader.match(PARENTHESIZED);
}

function isTime([first, ...rest]: readonly { readonly name: string }[]): boolean {
  return rest.length === 0 && (first?.name === 't' || first?.name === 'timestamp');
}

/** Skips to white space outside of quotes. */
function skipRest(reader: Reader): void {
  while (!reader.atBoundary) if (reader.match(PLAIN) === null) readQuoted(reader);
}

/** Reads `"…"`; undefined, at the end of the text, if it is unclosed. */
function readQuoted(reader: Reader): string | undefined {
  try {
    return reader.quoted() ?? undefined;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    reader.offset = reader.text.length;
    return undefined;
  }
}
