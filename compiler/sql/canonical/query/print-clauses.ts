/** Clauses that queries and pipe operators share. */
import type { LimitClause, NamedWindow, SelectItem, SelectStar } from '../../../ast/queries';
import { printBase } from '../expressions/print-base';
import { printWindow } from '../expressions/print-call';
import { printAlias, printDottedName, printName } from '../expressions/print-name';
import type { CanonicalPrinter } from '../printer';

export function printSelectItem(printer: CanonicalPrinter, item: SelectItem): string {
  if (item.kind === 'select-expression') return `${printer.expression(item.expression)}${printAlias(item.alias)}`;
  const { except, replace } = item;
  const replacements = replace.map(({ expression, name }) => `${printer.expression(expression)} AS ${printName(name)}`);
  return joined([
    printStar(printer, item),
    except.length === 0 ? '' : `EXCEPT (${except.map(printName).join(', ')})`,
    replacements.length === 0 ? '' : `REPLACE (${replacements.join(', ')})`,
  ]);
}

function printStar(printer: CanonicalPrinter, { operand, qualifier }: SelectStar): string {
  if (operand !== null) return `${printBase(printer, operand)}.*`;
  return qualifier.length === 0 ? '*' : `${printDottedName(qualifier)}.*`;
}

export function printNamedWindows(printer: CanonicalPrinter, windows: readonly NamedWindow[]): string {
  if (windows.length === 0) return '';
  return `WINDOW ${windows.map(({ name, window }) => `${printName(name)} AS ${printWindow(printer, window)}`).join(', ')}`;
}

export function printLimit(printer: CanonicalPrinter, limit: LimitClause): string {
  const offset = limit.offset === null ? '' : ` OFFSET ${printer.expression(limit.offset)}`;
  return `LIMIT ${printer.expression(limit.count)}${offset}`;
}

export function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}
