/** Prints what a field, an index or a star follows. */
import type { Expression } from '../../../ast/expressions';
import type { CanonicalPrinter } from '../printer';

/**
 * Operand before `.field`, `[index]` or `.*`, in parentheses if necessary. A path needs them before a field, which
 * would become a part of it.
 */
export function printBase(printer: CanonicalPrinter, base: Expression): string {
  const text = printer.expression(base);
  switch (base.kind) {
    case 'field':
    case 'index':
    case 'array':
    case 'struct':
    case 'cast':
    case 'extract':
    case 'tuple':
    case 'subquery':
    case 'array-subquery':
      return text;
    case 'call':
      return base.over === null ? text : `(${text})`;
    default:
      return `(${text})`;
  }
}
