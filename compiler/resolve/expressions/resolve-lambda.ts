/** Lambdas: arguments of functions that apply them to the elements of a list. */
import type { LambdaExpression } from '../../ast';
import type { Value } from '../../functions/function';
import type { ElementExpr, Expr, LambdaExpr } from '../../ir/expression';
import { INT64, type Type } from '../../ir/types';
import { failure } from '../failure';
import { sameName } from '../names/scope';
import type { ExpressionContext, LambdaParameter } from './expression-context';
import { itemAt } from '../../items';

/** Maximum number of lambdas inside of one another: each multiplies the work for one row. */
const MAX_NESTING = 3;

/**
 * Resolves a lambda over the elements of a list. Its parameters hide columns of the same names.
 * @param convert checks and converts the body
 */
export function resolveLambda(
  r: ExpressionContext,
  { parameters, body, position }: LambdaExpression,
  { expr: list, element }: { readonly expr: Expr; readonly element: Type },
  convert: (body: Value) => Value
): LambdaExpr {
  const [item, offset, ...others] = parameters;
  if (others.length > 0 || (offset !== undefined && sameName(item.name, offset.name))) {
    throw failure('wrong_arguments', 'a lambda takes an element and its offset, with different names', position, {
      hint: 'write e -> ..., or (e, offset) -> ...',
    });
  }
  const level = r.lambdaLevel + 1;
  if (level > MAX_NESTING) {
    throw failure('too_complex', `lambdas are nested more than ${MAX_NESTING} levels deep`, position, {
      maximum: MAX_NESTING,
    });
  }
  r.ensureListWork([list], position);
  const exprs: ElementExpr[] = [{ kind: 'element', name: `e${level}`, of: 'element', type: element }];
  if (offset !== undefined) exprs.push({ kind: 'element', name: `i${level}`, of: 'offset', type: INT64 });
  const inner = exprs.map((expr, index): LambdaParameter => {
    const { name, position: at } = itemAt(parameters, index);
    return { name, value: { expr, type: expr.type, text: null, position: at } };
  });
  const frame = { parameters: inner, list };
  const value = convert(r.within(frame, () => r.resolve(body)));
  const expr = r.materialize(value);
  return { kind: 'lambda', parameters: exprs, body: expr, type: expr.type };
}

/** Error: a lambda as an argument of a function that takes none. */
export function misplacedLambda({ body, position }: LambdaExpression): Error {
  if (body.kind === 'literal' && body.literal.type === 'string') {
    const message = "-> is not part of this dialect; use JSON_VALUE(x, '$.name')";
    return failure('not_in_dialect', message, position);
  }
  return failure('wrong_arguments', 'this function takes no lambda here', position, {
    hint: 'functions with lambdas are ARRAY_FILTER, ARRAY_TRANSFORM, ARRAY_INCLUDES, ARRAY_FIND and ARRAY_OFFSET',
  });
}
