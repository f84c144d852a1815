/** GROUP BY, with grouping sets. */
import type { Expression } from '../../../ast/expressions';
import type { GroupBy, GroupingItem } from '../../../ast/queries';
import type { CanonicalPrinter } from '../printer';

export function printGroupBy(printer: CanonicalPrinter, groupBy: GroupBy | null): string {
  if (groupBy === null) return '';
  if (groupBy.kind === 'all') return 'GROUP BY ALL';
  if (groupBy.kind === 'items') return `GROUP BY ${printList(printer, groupBy.items)}`;
  return `GROUP BY ${groupBy.items.map((item) => printGroupingItem(printer, item)).join(', ')}`;
}

export function printGroupingItem(printer: CanonicalPrinter, item: GroupingItem): string {
  switch (item.kind) {
    case 'expression':
      return printer.expression(item.expression);
    case 'empty':
      return '()';
    case 'rollup':
      return `ROLLUP (${printList(printer, item.items)})`;
    case 'cube':
      return `CUBE (${printList(printer, item.items)})`;
    case 'grouping-sets':
      return `GROUPING SETS (${item.items.map((inner) => printGroupingItem(printer, inner)).join(', ')})`;
  }
}

function printList(printer: CanonicalPrinter, items: readonly Expression[]): string {
  return items.map((item) => printer.expression(item)).join(', ');
}
