/** Lays out the digits of a number as FORMAT does: sign, prefix, least digits, groups of digits and width. */
import type { OptionsOf } from '../../../ir/operations/ops';
import type { CallPrinter } from '../../dialect/dialect';
import type { BindOnce } from '../../dialect/bind-once';

/** A store's SQL; all parameters are short texts. */
export interface LayoutForm {
  readonly bindOnce: BindOnce;
  /** The digits that a text begins with, of a class of a regular expression; `''` if there are none. */
  leading(text: string, digits: string): string;
  /** A separator between each `size` digits, from the right. */
  grouped(digits: string, size: number, separator: string): string;
}

type Options = OptionsOf<'format_layout'>;

export function layoutPrinter(form: LayoutForm): CallPrinter<'format_layout'> {
  return (operands, { options }) =>
    form.bindOnce(operands, (x) => {
      const body = withLeastDigits(`(CASE WHEN ${x} LIKE '-%' THEN substr(${x}, 2) ELSE ${x} END)`, options);
      const sign = `(CASE WHEN ${x} LIKE '-%' THEN '-' ELSE '${options.sign}' END)`;
      return withWidth(`${sign} || ${prefixOf(body, options)}`, withGroups(form, body, options), x, options);
    });
}

/** As in C, no digit is left of a zero without digits. */
function withLeastDigits(digits: string, { least }: Options): string {
  if (least === null) return digits;
  if (least === 0) return `(CASE WHEN ${digits} = '0' THEN '' ELSE ${digits} END)`;
  return `(repeat('0', greatest(${least} - length(${digits}), 0)) || ${digits})`;
}

/** `0` of an octal number is not repeated, except for a zero. */
function prefixOf(body: string, { prefix }: Options): string {
  if (prefix !== '0') return `'${prefix}'`;
  return `(CASE WHEN ${body} = '0' OR ${body} NOT LIKE '0%' THEN '0' ELSE '' END)`;
}

function withGroups(form: LayoutForm, body: string, { group }: Options): string {
  if (group === null) return body;
  const whole = form.leading(body, group.digits);
  return `(${form.grouped(whole, group.size, group.separator)} || substr(${body}, length(${whole}) + 1))`;
}

function withWidth(head: string, digits: string, x: string, { width, fill }: Options): string {
  if (width === 0) return `(${head} || ${digits})`;
  const missing = `greatest(${width} - length(${head} || ${digits}), 0)`;
  const blanks = `repeat(' ', ${missing})`;
  if (fill === 'right') return `(${head} || ${digits} || ${blanks})`;
  const left = `(${blanks} || ${head} || ${digits})`;
  if (fill === 'left') return left;
  // "nan" and "inf" are not filled with zeros.
  return `(CASE WHEN lower(${x}) IN ('nan', 'inf', '-inf') THEN ${left} ELSE ${head} || repeat('0', ${missing}) || ${digits} END)`;
}
