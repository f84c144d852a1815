/** Pipe operators. */
import type { AggregateItem, PipeAggregate, PipeStep } from '../../../ast/pipes';
import { joined, printLimit, printNamedWindows, printSelectItem } from './print-clauses';
import { printJoined, printSampling } from './print-from';
import { printGroupingItem } from './print-group-by';
import { printAlias, printName } from '../expressions/print-name';
import { printOrderBy } from './print-order-by';
import { printPivot, printUnpivot } from './print-pivot';
import { printSetOperator } from './print-set-operator';
import type { CanonicalPrinter } from '../printer';

export function printPipe(printer: CanonicalPrinter, steps: readonly PipeStep[]): string {
  return steps.map((step) => `|> ${printStep(printer, step)}`).join(' ');
}

function printStep(printer: CanonicalPrinter, step: PipeStep): string {
  switch (step.kind) {
    case 'pipe-select':
      return joined([
        'SELECT',
        step.distinct ? 'DISTINCT' : '',
        step.as === null ? '' : `AS ${step.as}`,
        step.items.map((item) => printSelectItem(printer, item)).join(', '),
        printNamedWindows(printer, step.windows),
      ]);
    case 'pipe-extend': {
      const items = step.items.map((item) => printSelectItem(printer, item)).join(', ');
      return joined([step.operator, items, printNamedWindows(printer, step.windows)]);
    }
    case 'pipe-set': {
      const items = step.items.map(({ name, expression }) => `${printName(name)} = ${printer.expression(expression)}`);
      return `SET ${items.join(', ')}`;
    }
    case 'pipe-drop':
      return `DROP ${step.names.map(printName).join(', ')}`;
    case 'pipe-rename':
      return `RENAME ${step.items.map(({ from, to }) => `${printName(from)} AS ${printName(to)}`).join(', ')}`;
    case 'pipe-as':
      return `AS ${printName(step.alias)}`;
    case 'pipe-where':
      return `WHERE ${printer.expression(step.condition)}`;
    case 'pipe-aggregate':
      return printAggregate(printer, step);
    case 'pipe-distinct':
      return 'DISTINCT';
    case 'pipe-order-by':
      return printOrderBy(printer, step.items);
    case 'pipe-limit':
      return printLimit(printer, step.limit);
    case 'pipe-join':
      return printJoined(printer, { ...step, comma: false }).trimStart();
    case 'pipe-set-operation':
      return `${printSetOperator(step)} ${step.branches.map((branch) => `(${printer.query(branch)})`).join(', ')}`;
    case 'pipe-pivot':
      return `${printPivot(printer, step.pivot)}${printAlias(step.alias)}`;
    case 'pipe-unpivot':
      return `${printUnpivot(step.unpivot)}${printAlias(step.alias)}`;
    case 'pipe-sample':
      return printSampling(printer, step);
    case 'pipe-with':
      return `WITH ${step.tables.map(({ name, query }) => `${printName(name)} AS (${printer.query(query)})`).join(', ')}`;
  }
}

function printAggregate(printer: CanonicalPrinter, { items, groupBy }: PipeAggregate): string {
  const list = (all: readonly AggregateItem[]): string => all.map((item) => printItem(printer, item)).join(', ');
  if (groupBy === null) return joined(['AGGREGATE', list(items)]);
  const groups = groupBy.items.map((item) =>
    item.kind === 'select-expression' ? printItem(printer, item) : printGroupingItem(printer, item)
  );
  return joined(['AGGREGATE', list(items), `GROUP ${groupBy.ordered ? 'AND ORDER ' : ''}BY ${groups.join(', ')}`]);
}

function printItem(printer: CanonicalPrinter, { expression, alias, order }: AggregateItem): string {
  const nulls = order === null || order.nulls === null ? '' : `NULLS ${order.nulls}`;
  return joined([`${printer.expression(expression)}${printAlias(alias)}`, order?.direction ?? '', nulls]);
}
