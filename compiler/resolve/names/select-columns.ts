/** Names of select items: implicit names, numbered names, and the aliases that later clauses can use. */
import type { Expression, Identifier, SourcePosition } from '../../ast';
import type { Value } from '../../functions/function';
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

/** Select aliases by lower-case name, without names that two items share. */
export function aliasMap(columns: readonly SelectColumn[]): ReadonlyMap<string, Value> {
  const aliases = new Map<string, Value>();
  const doubled = new Set<string>();
  for (const { name, value } of columns) {
    const key = name.toLowerCase();
    if (aliases.has(key)) doubled.add(key);
    aliases.set(key, value);
  }
  for (const key of doubled) aliases.delete(key);
  return aliases;
}

/** A bare name refers to a select alias before a column. */
export function aliasOf(expression: Expression, aliases: ReadonlyMap<string, Value>): Value | undefined {
  if (expression.kind !== 'path' || expression.parts.length !== 1) return undefined;
  return aliases.get((expression.parts[0] as Identifier).name.toLowerCase());
}
