/** Queries: WITH, set operations, SELECT and its clauses. */
import type { QueryBody, QueryExpression, SelectBody } from '../../../ast/queries';
import { joined, printLimit, printNamedWindows, printSelectItem } from './print-clauses';
import { printFrom } from './print-from';
import { printGroupBy } from './print-group-by';
import { printName } from '../expressions/print-name';
import { printOrderBy } from './print-order-by';
import { printPipe } from './print-pipe';
import { printSetOperator } from './print-set-operator';
import type { CanonicalPrinter } from '../printer';

export function printQuery(printer: CanonicalPrinter, query: QueryExpression): string {
  const tables = query.with.map((table) => `${printName(table.name)} AS (${printer.query(table.query)})`);
  return joined([
    tables.length === 0 ? '' : `WITH ${query.recursive ? 'RECURSIVE ' : ''}${tables.join(', ')}`,
    printBody(printer, query.body),
    printOrderBy(printer, query.orderBy),
    query.limit === null ? '' : printLimit(printer, query.limit),
  ]);
}

function printBody(printer: CanonicalPrinter, body: QueryBody): string {
  switch (body.kind) {
    case 'select':
      return printSelect(printer, body);
    case 'from':
      return `FROM ${printFrom(printer, body.from)}`;
    case 'pipe':
      return `${printBody(printer, body.source)} ${printPipe(printer, body.steps)}`;
    case 'query':
      return `(${printer.query(body)})`;
    case 'set-operation':
      return body.branches.map((branch) => printBody(printer, branch)).join(` ${printSetOperator(body)} `);
  }
}

function printSelect(printer: CanonicalPrinter, select: SelectBody): string {
  const condition = (word: string, expression: SelectBody['where']) =>
    expression === null ? '' : `${word} ${printer.expression(expression)}`;
  return joined([
    'SELECT',
    select.distinct ? 'DISTINCT' : '',
    select.as === null ? '' : `AS ${select.as}`,
    select.items.map((item) => printSelectItem(printer, item)).join(', '),
    select.from === null ? '' : `FROM ${printFrom(printer, select.from)}`,
    condition('WHERE', select.where),
    printGroupBy(printer, select.groupBy),
    condition('HAVING', select.having),
    condition('QUALIFY', select.qualify),
    printNamedWindows(printer, select.windows),
  ]);
}
