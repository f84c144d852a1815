/** Resolves queries inside expressions. */
import type { ArraySubqueryExpression, ExistsExpression, QueryExpression, SourcePosition } from '../../ast';
import type { Value } from '../../functions/function';
import { arrayOf, BOOL, type Type } from '../../ir/types';
import { failure } from '../failure';
import type { ExpressionContext } from './expression-context';
import type { ResolvedQuery } from '../query/resolved-query';
import { ResolvedSet } from '../query/resolved-set';
import { conditionOf, valueOf } from './values/value-of';

export function resolveScalarSubquery(r: ExpressionContext, query: QueryExpression, position: SourcePosition): Value {
  const resolved = r.inner(query);
  ensureOneColumn(resolved, position, 'a subquery used as a value');
  const type = valueType(resolved);
  return valueOf({ kind: 'subquery', form: 'scalar', plan: resolved.plan, type }, type, position);
}

export function resolveExists(r: ExpressionContext, { query, position }: ExistsExpression): Value {
  return conditionOf({ kind: 'subquery', form: 'exists', plan: r.inner(query).plan, type: BOOL }, position);
}

export function resolveArraySubquery(r: ExpressionContext, { query, position }: ArraySubqueryExpression): Value {
  const resolved = r.inner(query);
  ensureOneColumn(resolved, position, 'ARRAY(SELECT ...)');
  const element = valueType(resolved);
  resolved.plan.ordered = true;
  if (resolved instanceof ResolvedSet) resolved.keepBranchOrder();
  const type = arrayOf(element.kind === 'SINGLE' ? { kind: 'RECORD', shape: element.shape } : element);
  return valueOf({ kind: 'subquery', form: 'array', plan: resolved.plan, type }, type, position);
}

export function ensureOneColumn(query: ResolvedQuery, position: SourcePosition, what: string): void {
  if (query.columns.length === 1) return;
  throw failure('wrong_columns', `${what} must have one column, found ${query.columns.length}`, position, {
    hint: 'use SELECT AS STRUCT to keep several columns',
  });
}

/** Type of a subquery's only column, which is the subquery's value. */
export function valueType(query: ResolvedQuery): Type {
  const { name, type } = query.output(0, [], 'value');
  query.plan.value = name;
  return type;
}
