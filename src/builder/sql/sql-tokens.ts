/** Tokens of SQL with macros and variables, for parsing and formatting, and what is printed as one. */
import { CALLED_WITHOUT_PARENTHESES, RESERVED_WORDS, tokenizeTemplate, type TemplateToken } from '#compiler/browser';

export interface SqlToken extends Pick<TemplateToken, 'kind' | 'text' | 'value'> {
  /** Whether white space precedes it. */
  readonly isSpaced: boolean;
  /** Whether a line break precedes it. */
  readonly isOnNewLine: boolean;
}

/** Undefined if the text cannot be tokenized: an unterminated quote or comment, or an invalid character. */
export function tokenizeSql(text: string): readonly SqlToken[] | undefined {
  const tokens = tokenizeTemplate(text);
  if (tokens.some(({ kind }) => kind === 'unclosed' || kind === 'unknown')) return undefined;
  return tokens.map(({ kind, text: written, value, offset }, at) => {
    const blanks = text.slice(tokens[at - 1]?.end ?? 0, offset);
    return { kind, text: written, value, isSpaced: blanks !== '', isOnNewLine: /[\r\n]/.test(blanks) };
  });
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** Prints a literal with `$` and `[[` escaped, so that no variable or macro is replaced in it. */
export function printString(value: string): string {
  const escaped = value.replace(/[\\'$\u0000-\u001f\u007f]|\[(?=\[)/g, (character) => {
    if (character === '\\' || character === "'") return `\\${character}`;
    const named = Object.entries(ESCAPES).find(([, meant]) => meant === character)?.[0];
    return named ? `\\${named}` : `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
  return `'${escaped}'`;
}

/** Whether a name needs backticks. */
export function isReserved(word: string): boolean {
  const symbol = word.toUpperCase();
  return RESERVED_WORDS.has(symbol) || CALLED_WITHOUT_PARENTHESES.has(symbol);
}

export function printName(name: string): string {
  if (/^[A-Za-z_]\w*$/.test(name) && !isReserved(name)) return name;
  return `\`${printString(name).slice(1, -1).replace(/`/g, '\\`')}\``;
}
