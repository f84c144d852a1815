/** Rebuilds plans with other expressions. Scans and WITH queries are kept: they are shared. */
import type { Replace } from './children';
import type { SortExpr } from '../expression';
import type { FromPlan, QueryPlan, RelationInput, SelectPlan } from '../plan';

function sorted<Key extends SortExpr>(keys: readonly Key[], replace: Replace): readonly Key[] {
  return keys.map((key) => ({ ...key, expr: replace(key.expr) }));
}

/** A copy of a plan in which every expression is replaced, at any depth of its FROM. */
export function withExpressions(plan: QueryPlan, replace: Replace): QueryPlan {
  const { body } = plan;
  return {
    ...plan,
    body:
      body.kind === 'select'
        ? withSelectParts(body, replace)
        : { ...body, branches: body.branches.map((branch) => withExpressions(branch, replace)) },
    orderBy: sorted(plan.orderBy, replace),
    limit: plan.limit && replace(plan.limit),
    offset: plan.offset && replace(plan.offset),
  };
}

function withSelectParts(select: SelectPlan, replace: Replace): SelectPlan {
  return {
    ...select,
    outputs: select.outputs.map(({ name, expr }) => ({ name, expr: replace(expr) })),
    from: select.from && withFromParts(select.from, replace),
    where: select.where.map(replace),
    groupBy: select.groupBy && select.groupBy.map(replace),
    having: select.having && replace(select.having),
    qualify: select.qualify && replace(select.qualify),
  };
}

function withFromParts(from: FromPlan, replace: Replace): FromPlan {
  if (from.kind === 'join') {
    return {
      ...from,
      left: withFromParts(from.left, replace),
      right: withFromParts(from.right, replace),
      on: from.on.map(replace),
    };
  }
  return {
    ...from,
    input: withInputParts(from.input, replace),
    unnests: from.unnests.map((unnest) => ({ ...unnest, list: replace(unnest.list) })),
  };
}

function withInputParts(input: RelationInput, replace: Replace): RelationInput {
  if (input.kind === 'derived') return { ...input, plan: withExpressions(input.plan, replace) };
  return input.kind === 'list' ? { ...input, list: replace(input.list) } : input;
}
