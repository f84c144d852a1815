/** Prints literals from their values. */
import type { LiteralExpression } from '../../../ast/expressions';

export function printLiteral({ literal }: LiteralExpression): string {
  switch (literal.type) {
    case 'string':
      return printString(literal.value);
    case 'bytes':
      return `b'${literal.hex.replace(/../g, '\\x$&')}'`;
    case 'integer':
      return literal.digits;
    case 'float':
      return printFloat(literal.value);
    case 'bool':
      return literal.value ? 'TRUE' : 'FALSE';
    case 'null':
      return 'NULL';
  }
}

export function printString(value: string): string {
  return `'${escapeText(value, "'")}'`;
}

/** Backslash, the quote and control characters (C0 and delete) as escapes. */
export function escapeText(text: string, quote: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  return text.replace(/[\\'`\u0000-\u001f\u007f]/g, (character) => {
    if (character === "'" || character === '`') return character === quote ? `\\${character}` : character;
    return NAMED_ESCAPES.get(character) ?? `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
}

const NAMED_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** Prints a dot or an exponent, which distinguishes a float from an integer. */
function printFloat(value: number): string {
  if (!Number.isFinite(value) || value < 0) throw new Error('a float literal is finite and has no sign');
  const digits = String(value);
  return /[.e]/.test(digits) ? digits : `${digits}.0`;
}
