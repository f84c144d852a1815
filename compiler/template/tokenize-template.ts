/**
 * Tokenizer of templates, for editors and for texts before macros are replaced. It reads with the lexer of SQL, and
 * adds comments, macros and variables. It never fails: a half-typed text has a token `unclosed` or `unknown`.
 */
import { ServiceError } from '#contract/errors';
import { matchAt } from '../sql/lexer/match-at';
import { readComment, skipBlanks } from '../sql/lexer/read-ignored';
import { readToken } from '../sql/lexer/read-token';
import { SourceText } from '../sql/lexer/source-text';
import type { Token, TokenKind } from '../sql/lexer/token';
import type { TemplateToken } from './template-token';

/** Every character is read twice at most: an unclosed `${` ends at the next brace. */
const VARIABLE = /\$\{[^{}\r\n]*\}|\$\w+|\[\[\w+(?::\w+)?\]\]/y;
const PERIOD = /\d+[smhd](?!\w)/y;
/** Openings without an end, after which nothing can be known. */
const UNCLOSED = /\/\*|(?:r|b|rb|br)?["']|`/iy;
const UNKNOWN = /[\w.]+|[^]/uy;
/** More are no text of SQL; each costs an error of the lexer. */
const MAX_UNKNOWN = 100;

const KINDS: Readonly<Record<Exclude<TokenKind, 'end'>, TemplateToken['kind']>> = {
  word: 'word',
  'quoted-name': 'name',
  string: 'string',
  bytes: 'bytes',
  integer: 'number',
  float: 'number',
  parameter: 'variable',
  operator: 'operator',
};

export function tokenizeTemplate(text: string): readonly TemplateToken[] {
  const source = new SourceText(text);
  const tokens: TemplateToken[] = [];
  let unknownCount = 0;
  let offset = skipBlanks(source, 0);
  while (offset < text.length) {
    const token =
      unknownCount < MAX_UNKNOWN
        ? nextToken(source, offset, isAfterDot(tokens[tokens.length - 1], offset))
        : created('unknown', text.slice(offset), offset);
    if (token.kind === 'unknown') unknownCount += 1;
    tokens.push(token);
    offset = skipBlanks(source, token.end);
  }
  return tokens;
}

/** In the half-typed `m. FROM logs` the word after the blank is a keyword. */
function isAfterDot(previous: TemplateToken | undefined, offset: number): boolean {
  return previous?.symbol === '.' && previous.end === offset;
}

/**
 * Macros and variables are recognized between tokens of SQL, not replaced in advance: `${` in one string and `}` in the
 * next are no variable.
 */
function nextToken(source: SourceText, offset: number, isField: boolean): TemplateToken {
  const { text } = source;
  const variable = matchAt(VARIABLE, text, offset);
  if (variable !== null) return created('variable', variable, offset);
  const period = matchAt(PERIOD, text, offset);
  if (period !== null) return created('period', period, offset);
  try {
    const afterComment = readComment(source, offset);
    if (afterComment > offset) return created('comment', text.slice(offset, afterComment), offset);
    return fromSql(source, readToken(source, offset), isField);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (matchAt(UNCLOSED, text, offset) !== null) return created('unclosed', text.slice(offset), offset);
    return created('unknown', matchAt(UNKNOWN, text, offset) ?? '', offset);
  }
}

function created(kind: TemplateToken['kind'], text: string, offset: number): TemplateToken {
  return { kind, text, symbol: '', value: text, offset, end: offset + text.length };
}

function fromSql({ text }: SourceText, token: Token, isField: boolean): TemplateToken {
  const { offset, end } = token.position;
  const kind = token.kind === 'end' ? 'unknown' : KINDS[token.kind];
  const written = text.slice(offset, end);
  return {
    kind,
    text: written,
    symbol: kind === 'word' && isField ? '' : token.symbol,
    value: kind === 'string' || kind === 'name' ? token.value : written,
    offset,
    end,
  };
}
