/** What both dialects know of aggregates. */
import type { AggregateExpr } from '../../ir/expression';
import type { Type } from '../../ir/types';

type Field = Extract<Type, { kind: 'STRUCT' }>['fields'][number];

/** The two fields of an element of APPROX_TOP_COUNT. */
export function topFields(type: Type): { readonly value: Field; readonly count: Field } {
  const [value, count] = type.kind === 'ARRAY' && type.element.kind === 'STRUCT' ? type.element.fields : [];
  if (value === undefined || count === undefined) throw new Error('APPROX_TOP_COUNT returns a list of pairs.');
  return { value, count };
}

/** Whether an aggregate compares its values. */
export function isOfKeys({ fn, distinct }: AggregateExpr): boolean {
  return distinct || fn === 'approx_count_distinct' || fn === 'grouping';
}
