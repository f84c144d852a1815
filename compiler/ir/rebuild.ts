/** Rebuilds expressions and plans with other parts. Scans and WITH queries are kept: they are shared. */
import type { AggregateExpr, Expr, FrameEdge, SortExpr, WindowExpr } from './expression';
import type { FromPlan, QueryPlan, RelationInput, SelectPlan } from './plan';

export type Replace = (expr: Expr) => Expr;

/** The expression with each direct child replaced. Plans of subqueries are not children. */
export function withChildren(expr: Expr, replace: Replace): Expr {
  switch (expr.kind) {
    case 'literal':
    case 'now':
    case 'bound':
    case 'column':
    case 'lazy-record':
    case 'subquery':
    case 'element':
      return expr;
    case 'call':
      return { ...expr, args: expr.args.map(replace) };
    case 'case':
      return {
        ...expr,
        branches: expr.branches.map(({ when, then }) => ({ when: replace(when), then: replace(then) })),
        otherwise: expr.otherwise && replace(expr.otherwise),
      };
    case 'cast':
    case 'redacted':
    case 'in-subquery':
      return { ...expr, operand: replace(expr.operand) };
    case 'aggregate':
      return withAggregateParts(expr, replace);
    case 'lambda':
      return { ...expr, body: replace(expr.body) };
    case 'array':
      return { ...expr, items: expr.items.map(replace) };
    case 'struct':
      return { ...expr, fields: expr.fields.map(({ name, expr: value }) => ({ name, expr: replace(value) })) };
    case 'struct-field':
    case 'json-field':
      return { ...expr, base: replace(expr.base) };
  }
}

function withAggregateParts(expr: AggregateExpr, replace: Replace): AggregateExpr {
  const { args, orderBy, over } = expr;
  return {
    ...expr,
    args: args.map(replace),
    orderBy: sorted(orderBy, replace),
    over: over && withWindowParts(over, replace),
  };
}

function withWindowParts({ partitionBy, orderBy, frame }: WindowExpr, replace: Replace): WindowExpr {
  const edge = (bound: FrameEdge): FrameEdge =>
    'amount' in bound ? { ...bound, amount: replace(bound.amount) } : bound;
  return {
    partitionBy: partitionBy.map(replace),
    orderBy: sorted(orderBy, replace),
    frame: frame && { ...frame, start: edge(frame.start), end: frame.end && edge(frame.end) },
  };
}

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
