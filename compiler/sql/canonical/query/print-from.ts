/** FROM: tables and joins. */
import type { FromItem, JoinItem, Sampling, UnnestItem } from '../../../ast/queries';
import { printAlias, printDottedName, printName } from '../expressions/print-name';
import { printPivot, printUnpivot } from './print-pivot';
import type { CanonicalPrinter } from '../printer';

export function printFrom(printer: CanonicalPrinter, item: FromItem): string {
  switch (item.kind) {
    case 'table':
      return `${printDottedName(item.path)}${printAlias(item.alias)}${printOffset(item)}`;
    case 'derived':
      return `(${printer.query(item.query)})${printAlias(item.alias)}`;
    case 'unnest':
      return `UNNEST(${printer.expression(item.array)})${printAlias(item.alias)}${printOffset(item)}`;
    case 'parenthesized':
      return `(${printFrom(printer, item.item)})`;
    case 'pivot':
      return `${printFrom(printer, item.input)} ${printPivot(printer, item.pivot)}${printAlias(item.alias)}`;
    case 'unpivot':
      return `${printFrom(printer, item.input)} ${printUnpivot(item.unpivot)}${printAlias(item.alias)}`;
    case 'lateral':
      return `LATERAL (${printer.query(item.query)})${printAlias(item.alias)}`;
    case 'sampled':
      return `${printFrom(printer, item.input)} ${printSampling(printer, item)}`;
    case 'join':
      return `${printFrom(printer, item.left)}${printJoined(printer, item)}`;
  }
}

export function printSampling(printer: CanonicalPrinter, { method, size, unit }: Sampling): string {
  return `TABLESAMPLE ${method} (${printer.expression(size)} ${unit})`;
}

function printOffset({ offset }: Pick<UnnestItem, 'offset'>): string {
  return offset === null ? '' : ` WITH OFFSET${printAlias(offset)}`;
}

/** The operator of a join, what is to its right, and the condition. */
export function printJoined(printer: CanonicalPrinter, item: Omit<JoinItem, 'left' | 'kind'>): string {
  return `${printOperator(item)}${printFrom(printer, item.right)}${printCondition(printer, item)}`;
}

function printOperator({ join, comma }: Pick<JoinItem, 'join' | 'comma'>): string {
  if (comma) return ', ';
  return join === 'INNER' ? ' JOIN ' : ` ${join} JOIN `;
}

function printCondition(printer: CanonicalPrinter, { on, using }: Pick<JoinItem, 'on' | 'using'>): string {
  if (on !== null) return ` ON ${printer.expression(on)}`;
  return using.length === 0 ? '' : ` USING (${using.map(printName).join(', ')})`;
}
