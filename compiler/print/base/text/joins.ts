/**
 * The elements of a list in one text, with separators that rows may determine. Stores join with texts that no element
 * has, since a lambda would copy the separator of the row for each element, and replace them in the joined text.
 */
import type { BindOnce } from '../../dialect/bind-once';
import type { CallPrinter } from '../../dialect/dialect';
import { isBrief } from './text-growth';

export interface Marks {
  readonly separator: string;
  /** In place of NULL. */
  readonly missing: string;
  /** Bytes of the joined text that are one byte of the result. */
  readonly digits: number;
}

const TEXT_MARKS: Marks = { separator: '\0s', missing: '\0m', digits: 1 };
/** Among hexadecimal digits. */
const DIGIT_MARKS: Marks = { separator: '-s', missing: '-m', digits: 2 };

/** A store's SQL; all parameters are short texts. */
export interface JoinForm {
  readonly bindOnce: BindOnce;
  quoteText(text: string): string;
  /**
   * Joins the elements.
   * @param element text of the element `e`
   * @param missing in place of NULL, reads nothing of the row; undefined: NULL is left out
   */
  joined(list: string, element: string, separator: string, missing: string | undefined): string;
  /** A joined text with its marks replaced; fails if it would be too long. */
  replaced(joined: string, marks: Marks, separator: string, missing: string | undefined): string;
  /** NULL if one of the values is. */
  unlessNull(values: readonly string[], sql: string): string;
}

export function joinPrinters(form: JoinForm): {
  readonly texts: CallPrinter<'array_to_string'>;
  readonly bytes: CallPrinter<'bytes_join'>;
} {
  const marked = (marks: Marks, list: string, element: string, missing: string | undefined): string =>
    form.joined(list, element, form.quoteText(marks.separator), missing && form.quoteText(marks.missing));
  const present = (values: readonly (string | undefined)[]): readonly string[] => values.filter((x) => x !== undefined);
  return {
    texts: (operands) =>
      form.bindOnce(operands, (list, separator, missing) => {
        const joined =
          isBrief(operands[1].expr) && isBrief(operands[2]?.expr)
            ? form.joined(list, 'e', separator, missing)
            : form.replaced(marked(TEXT_MARKS, list, 'e', missing), TEXT_MARKS, separator, missing);
        return form.unlessNull(present([list, separator, missing]), joined);
      }),
    bytes: (operands) =>
      form.bindOnce(operands, (list, separator, missing) => {
        const digits = marked(DIGIT_MARKS, list, 'hex(e)', missing);
        const joined = form.replaced(digits, DIGIT_MARKS, `hex(${separator})`, missing && `hex(${missing})`);
        return form.unlessNull(present([list, separator, missing]), `unhex(${joined})`);
      }),
  };
}
