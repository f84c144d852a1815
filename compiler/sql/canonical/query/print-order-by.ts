import type { OrderItem } from '../../../ast/queries';
import type { CanonicalPrinter } from '../printer';

/** `ORDER BY ..`, or an empty text without items. Ascending order is not printed. */
export function printOrderBy(printer: CanonicalPrinter, items: readonly OrderItem[]): string {
  if (items.length === 0) return '';
  const texts = items.map(({ expression, direction, nulls }) => {
    const order = direction === 'DESC' ? ' DESC' : '';
    return `${printer.expression(expression)}${order}${nulls === null ? '' : ` NULLS ${nulls}`}`;
  });
  return `ORDER BY ${texts.join(', ')}`;
}
