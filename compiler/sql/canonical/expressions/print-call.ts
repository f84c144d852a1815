/** Calls, with the modifiers of aggregates and windows. */
import type {
  CallExpression,
  FrameBound,
  InnerGroups,
  WindowFrame,
  WindowSpecification,
} from '../../../ast/expressions';
import { printName } from './print-name';
import { printOrderBy } from '../query/print-order-by';
import type { CanonicalPrinter } from '../printer';

export function printCall(printer: CanonicalPrinter, call: CallExpression): string {
  const parts = [
    call.distinct ? 'DISTINCT' : '',
    call.star ? '*' : call.args.map((argument) => printer.expression(argument)).join(', '),
    call.nulls === null ? '' : `${call.nulls} NULLS`,
    call.where === null ? '' : `WHERE ${printer.expression(call.where)}`,
    call.having === null ? '' : `HAVING ${call.having.which} ${printer.expression(call.having.key)}`,
    call.groups === null ? '' : printGroups(printer, call.groups),
    printOrderBy(printer, call.orderBy),
    call.limit === null ? '' : `LIMIT ${printer.expression(call.limit)}`,
  ];
  const over = call.over === null ? '' : ` OVER ${printWindow(printer, call.over)}`;
  return `${call.safe ? 'SAFE.' : ''}${call.name}(${joined(parts)})${over}`;
}

function printGroups(printer: CanonicalPrinter, { keys, having }: InnerGroups): string {
  const by = `GROUP BY ${keys.map((key) => printer.expression(key)).join(', ')}`;
  return having === null ? by : `${by} HAVING ${printer.expression(having)}`;
}

/** Prints the window with its parentheses; only its name if it has no other part. */
export function printWindow(printer: CanonicalPrinter, window: WindowSpecification): string {
  const { base, partitionBy, orderBy, frame } = window;
  if (base !== null && partitionBy.length === 0 && orderBy.length === 0 && frame === null) return printName(base);
  const partitions = partitionBy.map((expression) => printer.expression(expression)).join(', ');
  const parts = joined([
    base === null ? '' : printName(base),
    partitions === '' ? '' : `PARTITION BY ${partitions}`,
    printOrderBy(printer, orderBy),
    frame === null ? '' : printFrame(printer, frame),
  ]);
  return `(${parts})`;
}

function printFrame(printer: CanonicalPrinter, { unit, start, end }: WindowFrame): string {
  if (end === null) return `${unit} ${printBound(printer, start)}`;
  return `${unit} BETWEEN ${printBound(printer, start)} AND ${printBound(printer, end)}`;
}

function printBound(printer: CanonicalPrinter, bound: FrameBound): string {
  switch (bound.kind) {
    case 'current-row':
      return 'CURRENT ROW';
    case 'unbounded-preceding':
      return 'UNBOUNDED PRECEDING';
    case 'unbounded-following':
      return 'UNBOUNDED FOLLOWING';
    case 'preceding':
      return `${printer.expression(bound.amount)} PRECEDING`;
    case 'following':
      return `${printer.expression(bound.amount)} FOLLOWING`;
  }
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}
