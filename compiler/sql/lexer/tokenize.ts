/**
 * Lexer. Linear in the length of the text, whose size callers check first. Comments and white space produce no token;
 * every other character is part of exactly one token or refused with its position.
 */
import { syntaxError } from '../parse-errors';
import { skipIgnored } from './read-ignored';
import { createToken, readToken } from './read-token';
import { SourceText } from './source-text';
import type { Token } from './token';

/** Returns tokens that end with one of kind `end`. @throws ServiceError, mostly `sql_syntax` */
export function tokenize(text: string): readonly Token[] {
  const source = new SourceText(text);
  ensureStorable(source);
  const tokens: Token[] = [];
  let offset = skipIgnored(source, 0);
  while (offset < text.length) {
    const token = readToken(source, offset);
    tokens.push(token);
    offset = skipIgnored(source, token.position.end);
  }
  tokens.push(createToken(source, 'end', offset, offset, '', ''));
  return tokens;
}

/** Refuses NUL and unpaired surrogates everywhere, including comments: stores cannot represent them. */
function ensureStorable(source: SourceText): void {
  const bad = /\0|\p{Surrogate}/u.exec(source.text);
  if (bad === null) return;
  const what = bad[0] === '\0' ? 'the NUL character' : 'half of a surrogate pair';
  throw syntaxError(source.position(bad.index), `a text cannot hold ${what}`);
}
