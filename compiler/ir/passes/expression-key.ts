/** Structural keys of expressions: expressions with equal keys have equal values on the same row. */
import type { Expr } from '../expression';
import { NO_OPTIONS } from '../operations/ops';
import type { QueryPlan } from '../plan';
import { typeName } from '../types';

const planNumbers = new WeakMap<QueryPlan, number>();
let nextPlan = 0;

/** Ignores positions and display names. A subquery equals only itself. */
export function expressionKey(expr: Expr): string {
  switch (expr.kind) {
    case 'literal':
      return `l:${typeName(expr.type)}:${typeof expr.value}:${Object.is(expr.value, -0) ? '-0' : String(expr.value)}`;
    case 'now':
      return `now:${expr.offsetMicros}`;
    case 'bound':
      return `b:${expr.key}`;
    case 'column':
      return `c:${expr.relation}:${expr.name}`;
    case 'lazy-record':
      return `r:${expr.relation}:${expr.column}:${JSON.stringify(expr.path)}:${expr.type.kind}`;
    case 'call':
      return `f:${expr.safe ? '!' : ''}${expr.fn}:${optionsKey(expr.options)}(${expr.args.map(expressionKey).join(',')})`;
    case 'case':
      return `case(${expr.branches.map((b) => `${expressionKey(b.when)}>${expressionKey(b.then)}`).join(',')};${expr.otherwise ? expressionKey(expr.otherwise) : ''})`;
    case 'cast':
      return `cast:${typeName(expr.type)}:${expr.safe}(${expressionKey(expr.operand)})`;
    case 'aggregate':
      return `a:${JSON.stringify([
        expr.fn,
        expr.distinct,
        expr.ignoreNulls,
        expr.limit,
        expr.options,
        expr.safe,
        expr.args.map(expressionKey),
        expr.orderBy.map((s) => [expressionKey(s.expr), s.direction, s.nulls]),
        expr.over && {
          partition: expr.over.partitionBy.map(expressionKey),
          order: expr.over.orderBy.map((s) => [expressionKey(s.expr), s.direction, s.nulls]),
          frame: expr.over.frame && [
            expr.over.frame.unit,
            edgeKey(expr.over.frame.start),
            expr.over.frame.end && edgeKey(expr.over.frame.end),
          ],
        },
      ])}`;
    case 'element':
      return `e:${expr.name}`;
    case 'lambda':
      return `\\${expr.parameters.map(({ name }) => name).join(',')}(${expressionKey(expr.body)})`;
    case 'array':
      // An empty array, or one of NULLs, has a type that its items do not show.
      return `${typeName(expr.type)}[${expr.items.map(expressionKey).join(',')}]`;
    case 'struct':
      return `{${expr.fields.map((f) => `${JSON.stringify(f.name)}:${expressionKey(f.expr)}`).join(',')}}`;
    case 'struct-field':
      return `sf:${expr.index}(${expressionKey(expr.base)})`;
    case 'json-field':
      return `jf:${JSON.stringify(expr.path)}:${typeName(expr.type)}(${expressionKey(expr.base)})`;
    case 'redacted':
      return `x(${expressionKey(expr.operand)})`;
    case 'subquery':
      return `q:${expr.form}:${planNumber(expr.plan)}`;
    case 'in-subquery':
      return `iq:${planNumber(expr.plan)}(${expressionKey(expr.operand)})`;
  }
}

function optionsKey(options: object): string {
  return options === NO_OPTIONS ? '{}' : JSON.stringify(options);
}

function edgeKey(edge: { readonly kind: string; readonly amount?: Expr }): string {
  return edge.amount ? `${edge.kind}:${expressionKey(edge.amount)}` : edge.kind;
}

function planNumber(plan: QueryPlan): number {
  let found = planNumbers.get(plan);
  if (found === undefined) {
    found = nextPlan;
    nextPlan += 1;
    planNumbers.set(plan, found);
  }
  return found;
}
