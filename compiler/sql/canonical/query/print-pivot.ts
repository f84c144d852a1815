/** Prints PIVOT and UNPIVOT with all that is in their parentheses. */
import type { PivotClause, UnpivotClause } from '../../../ast/queries';
import { LEVEL } from '../../parser/expressions/precedence';
import { printLiteral } from '../expressions/print-literal';
import { printAlias, printDottedName, printName } from '../expressions/print-name';
import type { CanonicalPrinter } from '../printer';

export function printPivot(printer: CanonicalPrinter, { aggregates, key, values }: PivotClause): string {
  const list = (items: PivotClause['values']) =>
    items.map(({ expression, alias }) => `${printer.expression(expression)}${printAlias(alias)}`).join(', ');
  return `PIVOT (${list(aggregates)} FOR ${printer.expression(key, LEVEL.COMPARISON + 1)} IN (${list(values)}))`;
}

export function printUnpivot({ includeNulls, values, name, columns }: UnpivotClause): string {
  const entries = columns.map(({ paths, label }) => {
    const written = label === null ? '' : ` AS ${printLiteral(label)}`;
    return `${group(paths.map(({ parts }) => printDottedName(parts)))}${written}`;
  });
  const nulls = includeNulls ? 'INCLUDE NULLS ' : '';
  return `UNPIVOT ${nulls}(${group(values.map(printName))} FOR ${printName(name)} IN (${entries.join(', ')}))`;
}

function group([first, ...others]: readonly string[]): string {
  return others.length === 0 ? (first ?? '') : `(${[first, ...others].join(', ')})`;
}
