/** Writes a text as a literal of the dialect: `"it's"`, `'say "x"'`, `"two\nlines"`. */
import type { CallPrinter } from '../../dialect/dialect';
import type { BindOnce } from '../../dialect/bind-once';

/** A store's SQL. */
export interface TextLiteralForm {
  readonly bindOnce: BindOnce;
  readonly quoteText: (text: string) => string;
  /** Whether a text has a part that matches a regular expression. */
  readonly matches: (text: string, pattern: string) => string;
}

type Replacement = readonly [from: string, to: string];

const ESCAPES: readonly Replacement[] = [
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
];

/** Control characters without an escape of their own. A text has no NUL. */
const CONTROLS = '[\\x01-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f]';
const CONTROL_ESCAPES: readonly Replacement[] = Array.from({ length: 0x80 }, (_, code) => code)
  .filter((code) => new RegExp(CONTROLS).test(String.fromCharCode(code)))
  .map((code) => [String.fromCharCode(code), `\\x${code.toString(16).padStart(2, '0')}`]);

export function textLiteralPrinter({ bindOnce, quoteText, matches }: TextLiteralForm): CallPrinter<'text_literal'> {
  const replaced = (sql: string, pairs: readonly Replacement[]): string =>
    pairs.reduce((text, [from, to]) => `replace(${text}, ${quoteText(from)}, ${quoteText(to)})`, sql);
  const between = (mark: string, sql: string): string => `${quoteText(mark)} || ${sql} || ${quoteText(mark)}`;
  return (operands) =>
    bindOnce(operands, (x) => {
      const plain = replaced(x, ESCAPES);
      const escaped = `(CASE WHEN ${matches(x, CONTROLS)} THEN ${replaced(plain, CONTROL_ESCAPES)} ELSE ${plain} END)`;
      const hasMark = (mark: string): string => `${x} LIKE ${quoteText(`%${mark}%`)}`;
      return (
        `(CASE WHEN ${hasMark('"')} AND NOT ${hasMark("'")} THEN ${between("'", escaped)} ` +
        `ELSE ${between('"', replaced(escaped, [['"', '\\"']]))} END)`
      );
    });
}
