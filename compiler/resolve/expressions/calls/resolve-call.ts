/** Calls of functions, aggregates and windows. */
import type { CallExpression, Expression, WindowSpecification } from '../../../ast';
import { functionNames, lookupFunction } from '../../../functions/catalog';
import type { FunctionSpec, Value } from '../../../functions/function';
import { missingFunction } from '../../../functions/missing-functions';
import { isCall } from '../../../ir/operations/call';
import { withChildren } from '../../../ir/walk/children';
import type { Expr, WindowExpr } from '../../../ir/expression';
import { withSafeOperations } from '../../../ir/operations/safe-form';
import { isComparable, isNumeric, shortTypeName } from '../../../ir/types';
import { failure } from '../../failure';
import { ofInnerGroup, overItsRows } from './aggregate-rows';
import { overChoices } from './constant-choices';
import { valueOfEmptyFrame } from './empty-frame';
import type { ExpressionContext, InnerLevel } from '../expression-context';
import { ensureCounted, withFewSteps } from './list-work';
import { resolveFrame } from './window-frame';
import { didYouMean } from '#contract/nearest-name';
import { isPath } from '../../names/array-path';

export function resolveCall(r: ExpressionContext, expression: CallExpression): Value {
  const spec = lookupFunction(expression.name);
  if (spec === undefined) throw unknownFunction(expression);
  if (expression.safe && spec.safe === false) {
    throw failure('not_supported', `SAFE.${expression.name} is not supported`, expression.namePosition, {
      name: `SAFE.${expression.name}`,
    });
  }
  checkPlace(r, expression, spec.kind);
  if (spec.writtenAs !== undefined) return resolveCall(r, spec.writtenAs(expression, r));
  if (spec.kind === 'scalar') {
    const constants = spec.constants?.(expression) ?? [];
    return overChoices(r, constants, expression.args, () => scalarCall(r, spec, expression));
  }
  if (expression.over === null) {
    if (r.insideAggregate && r.innerLevel !== null) return ofInnerLevel(r, r.innerLevel, spec, expression);
    r.sawAggregate = true;
    const { insideWindow } = r;
    r.insideWindow = false;
    const value = overItsRows(r, spec, expression, () => resolved(r, spec, expression));
    r.insideWindow = insideWindow;
    return { ...value, position: expression.position };
  }
  r.sawWindow = true;
  r.insideWindow = true;
  const window = writtenOut(r, expression.over);
  const value = overItsRows(r, spec, expression, () => resolved(r, spec, { ...expression, over: window }));
  const over = resolveWindow(r, window, expression.over.base !== null);
  r.insideWindow = false;
  return { ...value, expr: withWindow(value.expr, over), position: expression.position };
}

function scalarCall(r: ExpressionContext, spec: FunctionSpec, expression: CallExpression): Value {
  const value = r.folded({ ...resolved(r, spec, expression), position: expression.position });
  if (isCall(value.expr, 'random', 'random_uuid')) r.resolution.isVolatile = true;
  if (r.lambdaLevel > 0 && isCall(value.expr, 'generate_array', 'generate_timestamp_array')) {
    ensureCounted(value.expr, expression.position);
    r.ensureListWork([value.expr], expression.position);
  }
  return { ...value, expr: withFewSteps(r, r.guarded(value.expr)) };
}

/** An aggregate in the arguments of one with inner groups. */
function ofInnerLevel(r: ExpressionContext, level: InnerLevel, spec: FunctionSpec, expression: CallExpression): Value {
  const over = ofInnerGroup(level, expression);
  r.innerLevel = null;
  // The function checks whether it can be computed for each row.
  const window: WindowSpecification = { kind: 'window', base: null, ...NO_PARTS, position: expression.position };
  const value = overItsRows(r, spec, expression, () => resolved(r, spec, { ...expression, over: window }));
  r.innerLevel = level;
  return { ...value, expr: withWindow(value.expr, over), position: expression.position };
}

const NO_PARTS = { partitionBy: [], orderBy: [], frame: null } as const;

/** With SAFE the operations of the call are safe; failures of its arguments are their own. */
function resolved(r: ExpressionContext, spec: FunctionSpec, expression: CallExpression): Value {
  // Some functions read an argument again when they know its type, which would double the time with each level.
  const args = expression.args.filter((argument) => !isPath(argument) && !r.known.has(argument));
  return r.resolvingOnce(args, () => resolvedCall(r, spec, expression));
}

function resolvedCall(r: ExpressionContext, spec: FunctionSpec, expression: CallExpression): Value {
  if (!expression.safe) return spec.resolve(expression, r);
  const { resolution } = r;
  const around = resolution.insideSafe;
  const inside = new WeakSet<Expr>();
  resolution.insideSafe = inside;
  const value = spec.resolve(expression, r);
  resolution.insideSafe = around;
  return { ...value, expr: withSafeOperations(value.expr, (part) => inside.has(part)) };
}

function unknownFunction({ name, namePosition }: CallExpression): Error {
  const missing = missingFunction(name);
  if (missing === undefined) {
    const plain = name.replace(/^SAFE_/, '');
    if (plain !== name && functionNames().includes(plain)) {
      return failure('unknown_function', `unknown function ${name}`, namePosition, {
        name,
        hint: `write SAFE.${plain}`,
      });
    }
    const message = `unknown function ${name}${didYouMean(name, functionNames())}`;
    return failure('unknown_function', message, namePosition, { name });
  }
  const { isGoogleSql, hint } = missing;
  const facts = { name, hint };
  return isGoogleSql
    ? failure('not_supported', `the function ${name} is not supported`, namePosition, facts)
    : failure('unknown_function', `unknown function ${name}`, namePosition, facts);
}

function checkPlace(r: ExpressionContext, expression: CallExpression, kind: 'scalar' | 'aggregate' | 'window'): void {
  const at = expression.namePosition;
  const { name } = expression;
  if (expression.star && name !== 'COUNT') {
    throw failure('wrong_arguments', `${name} does not accept "*" as an argument; only COUNT does`, at, { name });
  }
  if (kind !== 'scalar' && r.lambdaLevel > 0) {
    const reason = expression.over === null ? 'misplaced_aggregate' : 'misplaced_window';
    throw failure(reason, `${name} is not allowed inside a lambda`, at, { hint: 'compute it in a subquery first' });
  }
  if (kind === 'scalar') {
    const part = partOfAggregates(expression);
    if (part) throw failure('wrong_arguments', `${name} is not an aggregate function and takes no ${part}`, at);
    return;
  }
  if (expression.over !== null) {
    if (r.insideAggregate || r.insideWindow || !r.place.windows) {
      throw failure('misplaced_window', `${name} with OVER is not allowed in ${r.place.clause}`, at, {
        hint: 'compute it in a subquery first, or filter with QUALIFY',
      });
    }
    return;
  }
  if (kind === 'window') throw failure('wrong_arguments', `${name} needs OVER (...)`, at);
  if (r.insideAggregate && r.innerLevel !== null) return;
  if (r.insideAggregate || !r.place.aggregates) {
    throw failure('misplaced_aggregate', `the aggregate ${name} is not allowed in ${r.place.clause}`, at, {
      hint: aggregateHint(r.place.clause),
    });
  }
}

/** A part of the call that only aggregates take; null: it has none. */
function partOfAggregates(call: CallExpression): string | null {
  if (call.over) return 'OVER';
  if (call.distinct) return 'DISTINCT';
  if (call.orderBy.length > 0) return 'ORDER BY';
  if (call.limit) return 'LIMIT';
  if (call.nulls) return `${call.nulls} NULLS`;
  if (call.where) return 'WHERE';
  if (call.having) return 'HAVING';
  if (call.groups) return 'GROUP BY';
  return call.star ? '*' : null;
}

function aggregateHint(clause: string): string {
  if (clause.startsWith('|>')) return 'compute it with |> AGGREGATE first';
  return clause === 'WHERE' ? 'filter groups with HAVING' : 'compute it in a subquery first';
}

/** The window with the parts of the named window that it extends. */
function writtenOut(r: ExpressionContext, window: WindowSpecification): WindowSpecification {
  const { base } = window;
  if (base === null) return window;
  if (r.namedWindows !== null) return r.namedWindows.extended(window);
  throw failure('misplaced_window', `the window "${base.name}" cannot be used in ${r.place.clause}`, base.position, {
    name: base.name,
    hint: 'use it in the select list, with a name, and write that name here',
  });
}

/** @param isNamed whether other calls may share its parts */
function resolveWindow(r: ExpressionContext, specification: WindowSpecification, isNamed: boolean): WindowExpr {
  const resolve = (expression: Expression): Value =>
    isNamed && r.namedWindows !== null
      ? r.namedWindows.valueOf(expression, () => r.resolve(expression))
      : r.resolve(expression);
  const scalar = (expression: Expression): Value => {
    const value = resolve(expression);
    if (!isComparable(value.type)) {
      throw failure('type_mismatch', `cannot partition by ${shortTypeName(value.type)}`, expression.position);
    }
    return value;
  };
  const { frame } = specification;
  let isNumber = false;
  const orderBy = specification.orderBy.map((item) =>
    r.sortItem(item, (expression) => {
      const value = resolve(expression);
      isNumber = isNumeric(value.type);
      return value;
    })
  );
  const measured = [frame?.start, frame?.end].some(
    (bound) => bound?.kind === 'preceding' || bound?.kind === 'following'
  );
  if (frame?.unit === 'RANGE' && measured && (orderBy.length !== 1 || !isNumber)) {
    throw failure('bad_frame', 'a RANGE frame with an amount needs one numeric ORDER BY key', specification.position, {
      hint: 'order by UNIX_SECONDS(timestamp), or use ROWS',
    });
  }
  return {
    partitionBy: specification.partitionBy.map((expression) => scalar(expression).expr),
    orderBy,
    frame: frame && resolveFrame(r, frame, orderBy),
  };
}

function withWindow(expr: Expr, over: WindowExpr): Expr {
  if (expr.kind === 'aggregate') return valueOfEmptyFrame(expr, over) ?? { ...expr, over };
  // Some aggregates wrap their call (in a cast, default or condition): the window applies to the inner calls.
  const wraps = expr.kind === 'cast' || expr.kind === 'call' || expr.kind === 'case';
  return wraps ? withChildren(expr, (child) => withWindow(child, over)) : expr;
}
