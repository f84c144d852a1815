/** Queries: WITH, set operations, SELECT and its clauses. */
import { printWindow } from './print-call';
import type {
  GroupBy,
  GroupingItem,
  LimitClause,
  QueryBody,
  QueryExpression,
  SelectBody,
  SelectItem,
} from '../../ast/queries';
import type { Expression } from '../../ast/expressions';
import { printFrom } from './print-from';
import { printAlias, printDottedName, printName } from './print-name';
import { printOrderBy } from './print-order-by';
import type { CanonicalPrinter } from './printer';

export function printQuery(printer: CanonicalPrinter, query: QueryExpression): string {
  const tables = query.with.map((table) => `${printName(table.name)} AS (${printer.query(table.query)})`);
  return joined([
    tables.length === 0 ? '' : `WITH ${query.recursive ? 'RECURSIVE ' : ''}${tables.join(', ')}`,
    printBody(printer, query.body),
    printOrderBy(printer, query.orderBy),
    printLimit(printer, query.limit),
  ]);
}

function printBody(printer: CanonicalPrinter, body: QueryBody): string {
  switch (body.kind) {
    case 'select':
      return printSelect(printer, body);
    case 'query':
      return `(${printer.query(body)})`;
    case 'set-operation':
      return body.branches.map((branch) => printBody(printer, branch)).join(` ${body.operator} `);
  }
}

function printSelect(printer: CanonicalPrinter, select: SelectBody): string {
  const condition = (word: string, expression: SelectBody['where']) =>
    expression === null ? '' : `${word} ${printer.expression(expression)}`;
  return joined([
    'SELECT',
    select.distinct ? 'DISTINCT' : '',
    select.as === null ? '' : `AS ${select.as}`,
    select.items.map((item) => printItem(printer, item)).join(', '),
    select.from === null ? '' : `FROM ${printFrom(printer, select.from)}`,
    condition('WHERE', select.where),
    printGroupBy(printer, select.groupBy),
    condition('HAVING', select.having),
    condition('QUALIFY', select.qualify),
    printNamedWindows(printer, select.windows),
  ]);
}

export function printNamedWindows(printer: CanonicalPrinter, windows: SelectBody['windows']): string {
  if (windows.length === 0) return '';
  return `WINDOW ${windows.map(({ name, window }) => `${printName(name)} AS ${printWindow(printer, window)}`).join(', ')}`;
}

function printItem(printer: CanonicalPrinter, item: SelectItem): string {
  if (item.kind === 'select-expression') return `${printer.expression(item.expression)}${printAlias(item.alias)}`;
  const { qualifier, except, replace } = item;
  const replacements = replace.map(({ expression, name }) => `${printer.expression(expression)} AS ${printName(name)}`);
  return joined([
    qualifier.length === 0 ? '*' : `${printDottedName(qualifier)}.*`,
    except.length === 0 ? '' : `EXCEPT (${except.map(printName).join(', ')})`,
    replacements.length === 0 ? '' : `REPLACE (${replacements.join(', ')})`,
  ]);
}

function printGroupBy(printer: CanonicalPrinter, groupBy: GroupBy | null): string {
  if (groupBy === null) return '';
  if (groupBy.kind === 'all') return 'GROUP BY ALL';
  if (groupBy.kind === 'items') return `GROUP BY ${printList(printer, groupBy.items)}`;
  return `GROUP BY ${groupBy.items.map((item) => printGroupingItem(printer, item)).join(', ')}`;
}

function printGroupingItem(printer: CanonicalPrinter, item: GroupingItem): string {
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

function printLimit(printer: CanonicalPrinter, limit: LimitClause | null): string {
  if (limit === null) return '';
  const offset = limit.offset === null ? '' : ` OFFSET ${printer.expression(limit.offset)}`;
  return `LIMIT ${printer.expression(limit.count)}${offset}`;
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}
