/** Finds what FROM and JOIN of a template read: tables, and arrays in UNNEST. Works on half-typed texts. */
import { RESERVED_WORDS } from '../sql/reserved-words';
import type { TemplateToken } from './template-token';

export interface TemplateSource {
  readonly kind: 'table' | 'unnest';
  /** Names of the table or array; empty for an array that is not a path. */
  readonly path: readonly string[];
  readonly alias?: string;
  /** Number of parentheses around it. */
  readonly depth: number;
  /** Whether it directly follows FROM. */
  readonly isFirst: boolean;
  /** Range of the text, alias included. */
  readonly offset: number;
  readonly end: number;
}

/** Clauses after which a comma no longer separates sources. */
const AFTER_FROM = new Set([
  ...['SELECT', 'WHERE', 'GROUP', 'HAVING', 'QUALIFY', 'WINDOW', 'ORDER', 'LIMIT', 'UNION', 'INTERSECT', 'EXCEPT'],
  ';',
  '|>',
]);

/** Reads the sources of all queries in the text, in its order. */
export function readSources(written: readonly TemplateToken[]): readonly TemplateSource[] {
  const tokens = written.filter(({ kind }) => kind !== 'comment');
  const sources: TemplateSource[] = [];
  /** For each open parenthesis: whether it is in the list of FROM. */
  const lists: boolean[] = [false];
  let expected: 'first' | 'next' | undefined;
  for (let at = 0; at < tokens.length; at++) {
    const { symbol } = tokens[at]!;
    const last = lists.length - 1;
    const source: Placed | undefined = expected && readSource(tokens, at, last, expected === 'first');
    if (source) {
      sources.push(source.source);
      at = source.next - 1;
      expected = undefined;
    } else if (symbol === '(') lists.push(expected !== undefined);
    else if (symbol === ')') {
      if (last > 0) lists.pop();
      expected = undefined;
    } else if (symbol === 'FROM' && !isDistinctFrom(tokens, at)) {
      lists[last] = true;
      expected = 'first';
    } else if (symbol === 'JOIN' || (symbol === ',' && lists[last])) expected = 'next';
    else {
      if (AFTER_FROM.has(symbol) || (symbol === 'WITH' && expected)) lists[last] = false;
      expected = undefined;
    }
  }
  return sources;
}

interface Placed {
  readonly source: TemplateSource;
  /** Index of the token after it. */
  readonly next: number;
}

/** `IS [NOT] DISTINCT FROM` is an operator. */
function isDistinctFrom(tokens: readonly TemplateToken[], at: number): boolean {
  return tokens[at - 1]?.symbol === 'DISTINCT';
}

function readSource(
  tokens: readonly TemplateToken[],
  start: number,
  depth: number,
  isFirst: boolean
): Placed | undefined {
  const isUnnest = tokens[start]!.symbol === 'UNNEST' && tokens[start + 1]?.symbol === '(';
  const written = readPath(tokens, isUnnest ? start + 2 : start);
  if (!isUnnest && written.path.length === 0) return undefined;
  const isPath = !isUnnest || tokens[written.next]?.symbol === ')';
  const end = isUnnest ? closing(tokens, start + 1) : written.next;
  const { alias, next } = readAlias(tokens, end);
  return {
    source: {
      kind: isUnnest ? 'unnest' : 'table',
      path: isPath ? written.path : [],
      ...(alias === undefined ? {} : { alias }),
      depth,
      isFirst,
      offset: tokens[start]!.offset,
      end: tokens[next - 1]!.end,
    },
    next,
  };
}

function readPath(tokens: readonly TemplateToken[], start: number): { path: readonly string[]; next: number } {
  const path: string[] = [];
  let next = start;
  do {
    if (path.length > 0) next += 1;
    const from = next;
    while (isPartOfName(tokens, next, from)) next += 1;
    if (next === from) return { path, next: path.length > 0 ? next - 1 : start };
    path.push(
      tokens
        .slice(from, next)
        .map(({ value }) => value)
        .join('')
    );
  } while (tokens[next]?.symbol === '.');
  return { path, next };
}

/** A name with variables in it is several tokens without blanks between them: `logs_$day`. */
function isPartOfName(tokens: readonly TemplateToken[], at: number, from: number): boolean {
  const token = tokens[at];
  if (!token || (at > from && tokens[at - 1]!.end !== token.offset)) return false;
  return token.kind === 'name' || token.kind === 'variable' || (token.kind === 'word' && !isReserved(token));
}

function readAlias(tokens: readonly TemplateToken[], start: number): { alias?: string; next: number } {
  const hasAs = tokens[start]?.symbol === 'AS';
  const token = tokens[hasAs ? start + 1 : start];
  if (!token || (token.kind !== 'name' && token.kind !== 'word') || isReserved(token)) return { next: start };
  if (!hasAs && isTableOperator(token, tokens[start + 1])) return { next: start };
  return { alias: token.value, next: start + (hasAs ? 2 : 1) };
}

function isTableOperator({ symbol }: TemplateToken, next: TemplateToken | undefined): boolean {
  if (symbol === 'PIVOT') return next?.symbol === '(';
  return symbol === 'UNPIVOT' && ['(', 'INCLUDE', 'EXCLUDE'].includes(next?.symbol ?? '');
}

function isReserved({ symbol }: TemplateToken): boolean {
  return RESERVED_WORDS.has(symbol);
}

/** Index after the parenthesis that closes the one at `start`. */
function closing(tokens: readonly TemplateToken[], start: number): number {
  let depth = 0;
  for (let at = start; at < tokens.length; at++) {
    const { symbol } = tokens[at]!;
    depth += symbol === '(' ? 1 : symbol === ')' ? -1 : 0;
    if (depth === 0) return at + 1;
  }
  return tokens.length;
}
