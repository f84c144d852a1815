/** Reads what separates tokens: white space and comments. */
import { syntaxError } from '../parse-errors';
import { matchAt } from './match-at';
import type { SourceText } from './source-text';

/** `\s` covers the blanks of Unicode, the non-breaking space and the byte order mark. */
const BLANKS = /[\s\u0085]+/y;
const LINE_COMMENT = /(?:--|#)[^\r\n]*/y;

/** Offset after the white space and comments at `start`. @throws ServiceError `sql_syntax` for an unclosed comment */
export function skipIgnored(source: SourceText, start: number): number {
  let offset = start;
  for (;;) {
    const end = readComment(source, skipBlanks(source, offset));
    if (end === offset) return offset;
    offset = end;
  }
}

/** Offset after the white space at `start`. */
export function skipBlanks({ text }: SourceText, start: number): number {
  return start + (matchAt(BLANKS, text, start)?.length ?? 0);
}

/** Offset after the comment that starts at `start`; `start` if there is none. @throws ServiceError `sql_syntax` */
export function readComment(source: SourceText, start: number): number {
  const { text } = source;
  const line = matchAt(LINE_COMMENT, text, start);
  if (line !== null) return start + line.length;
  if (!text.startsWith('/*', start)) return start;
  const close = text.indexOf('*/', start + 2);
  if (close < 0) throw syntaxError(source.position(start, start + 2), 'unclosed comment', 'it ends with */');
  return close + 2;
}
