/** Names of select items: implicit and numbered names. */
import type { Expression, SourcePosition } from '../../ast';
import type { SelectColumn } from '../query/resolved-query';
import type { RangeVariable } from './scope';

export function impliedName(expression: Expression): string | undefined {
  if (expression.kind === 'path') return expression.parts.at(-1)?.name;
  return expression.kind === 'field' ? expression.field.name : undefined;
}

export function named(columns: readonly SelectColumn[]): SelectColumn[] {
  let unnamed = 0;
  return columns.map((column) => {
    if (column.name !== '') return column;
    unnamed += 1;
    return { name: `f${unnamed - 1}_`, value: column.value };
  });
}

export function columnsOf(variable: RangeVariable, position: SourcePosition): SelectColumn[] {
  if (variable.columns.length === 0) return [{ name: variable.name, value: variable.whole(position) }];
  return variable.columns.flatMap(({ name, isHidden }, index) =>
    isHidden ? [] : [{ name, value: variable.column(index, { display: name, position }) }]
  );
}
