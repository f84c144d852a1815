/** Where a space belongs between two tokens of a line. */
import { opensQuery, wordAt } from './sql-clauses';
import type { SqlToken } from './sql-tokens';

type Tokens = readonly SqlToken[];

/** Words before a parenthesis that is not a call. */
const BEFORE_BRACKET = new Set(
  `select from where having qualify on and or not in as by is like ilike between when then else case join using
   over all any some except replace distinct union intersect limit offset with values`.split(/\s+/)
);

/** Whether a token inside a line is preceded by a space. */
export function isSpacedAt(tokens: Tokens, at: number): boolean {
  const token = tokens[at]!;
  const before = tokens[at - 1];
  if (!before) return false;
  if (before.kind === 'comment') return true;
  const { text } = token;
  if (text === ',' || text === ')' || text === ']' || text === ';' || before.text === '(' || before.text === '[')
    return false;
  if (text === '.' || before.text === '.') return token.isSpaced && !(isName(before) || isName(token));
  if (text === '::' || before.text === '::') return false;
  if (text === '[') return token.isSpaced && !isName(before) && before.text !== ')';
  if (text === '(') return isBracketSpaced(tokens, at, before);
  if (isUnary(tokens, at - 1)) return token.isSpaced && (text === '-' || text === '+');
  if (before.text === ',' || (token.kind !== 'operator' && before.kind !== 'operator'))
    return before.text === ',' || token.isSpaced;
  // The angle brackets of ARRAY<STRING> are not comparisons.
  if (/[<>]/.test(text) && !token.isSpaced && /^(array|struct)$/i.test(before.text)) return false;
  return true;
}

function isBracketSpaced(tokens: Tokens, at: number, before: SqlToken): boolean {
  switch (before.kind) {
    case 'word':
      return BEFORE_BRACKET.has(before.text.toLowerCase()) || isNamedQuery(tokens, at);
    case 'operator':
      return true;
    case 'name':
      return tokens[at]!.isSpaced;
    default:
      return false;
  }
}

/** Excludes `array(select ..)` and `exists(select ..)`. */
function isNamedQuery(tokens: Tokens, at: number): boolean {
  return opensQuery(tokens, at) && !/^(array|exists)$/.test(wordAt(tokens, at - 1));
}

function isUnary(tokens: Tokens, at: number): boolean {
  const { text, kind } = tokens[at]!;
  if (kind !== 'operator' || (text !== '-' && text !== '+' && text !== '~')) return false;
  const before = tokens[at - 1];
  if (!before || before.kind === 'comment') return true;
  if (before.kind === 'operator') return !/^[)\]]$/.test(before.text);
  return before.kind === 'word' && BEFORE_BRACKET.has(before.text.toLowerCase());
}

function isName({ kind }: SqlToken): boolean {
  return kind === 'word' || kind === 'name' || kind === 'variable';
}
