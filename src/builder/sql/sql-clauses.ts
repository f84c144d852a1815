/** Where clauses, joins and nested queries begin among the tokens of a text, which may be half written. */
import type { SqlToken } from './sql-tokens';

type Tokens = readonly SqlToken[];

/** Keywords that begin a clause; `by` and the like follow on the same line. */
const CLAUSES = new Set(['select', 'from', 'where', 'group', 'having', 'qualify', 'order', 'limit', 'with']);
const SET_OPERATORS = new Set(['union', 'intersect']);
const JOINS = new Set(['join', 'cross', 'inner', 'left', 'right', 'full']);
export const PIPE = '|>';

/** The token in lower case if it is a word, or the operator of a pipe; empty for all others. */
export function wordAt(tokens: Tokens, at: number): string {
  const token = tokens[at];
  if (token?.kind === 'word') return token.text.toLowerCase();
  return token?.text === PIPE ? PIPE : '';
}

export function startsClause(tokens: Tokens, at: number): boolean {
  const word = wordAt(tokens, at);
  const next = wordAt(tokens, at + 1);
  const before = wordAt(tokens, at - 1);
  if (at === 0 || word === PIPE) return true;
  if (tokens[at - 1]?.text === '.' || before === PIPE) return false;
  if (isSetOperator(tokens, at))
    return !isSetMode(tokens, at - 1) && !(before === 'outer' && isSetMode(tokens, at - 2));
  if (isSetMode(tokens, at)) return true;
  if (word === 'left' || word === 'right') return next === 'join' || next === 'outer';
  if (word === 'join') return !JOINS.has(before) && before !== 'outer';
  if (JOINS.has(word)) return true;
  if (word === 'from') return before !== 'distinct';
  if (word === 'group') return next === 'by' || (next === 'and' && wordAt(tokens, at + 2) === 'order');
  if (word === 'order') return next === 'by' && !(before === 'and' && wordAt(tokens, at - 2) === 'group');
  return CLAUSES.has(word) && next !== 'offset';
}

export function startsJoin(tokens: Tokens, at: number): boolean {
  return JOINS.has(wordAt(tokens, at)) && !isSetMode(tokens, at);
}

/** @param at of an opening parenthesis */
export function opensQuery(tokens: Tokens, at: number): boolean {
  let next = at + 1;
  while (tokens[next]?.kind === 'comment' || tokens[next]?.text === '(') next += 1;
  return /^(select|with|from)$/.test(wordAt(tokens, next));
}

function isSetOperator(tokens: Tokens, at: number): boolean {
  const word = wordAt(tokens, at);
  return SET_OPERATORS.has(word) || (word === 'except' && /^(distinct|all)$/.test(wordAt(tokens, at + 1)));
}

/** The FULL of `full outer union all`. */
function isSetMode(tokens: Tokens, at: number): boolean {
  if (!/^(inner|left|full)$/.test(wordAt(tokens, at))) return false;
  return isSetOperator(tokens, wordAt(tokens, at + 1) === 'outer' ? at + 2 : at + 1);
}
