/** Operations that give NULL instead of a failure of the run: SAFE and IFERROR. Limits of growth fail all the same. */
import type { CallExpr, CastExpr, Expr } from '../expression';
import type { OpName } from './ops';
import { withChildren } from '../walk/children';

const SAFE_OPS: Readonly<Partial<Record<OpName, OpName>>> = {
  add: 'safe_add',
  sub: 'safe_sub',
  mul: 'safe_mul',
  neg: 'safe_neg',
  exp: 'safe_exp',
  power: 'safe_power',
  sqrt: 'safe_sqrt',
  ln: 'safe_ln',
  log10: 'safe_log10',
};

/** The operation with NULL for a failure of its own. */
export function safeForm(expr: CallExpr | CastExpr): Expr {
  if (expr.kind === 'cast') return { ...expr, safe: true };
  const { fn, options } = expr;
  return {
    ...expr,
    fn: SAFE_OPS[fn] ?? fn,
    options: Object.hasOwn(options, 'safe') ? { ...options, safe: true } : options,
    safe: true,
  };
}

/** Makes operations safe, down to the expressions that other calls made. */
export function withSafeOperations(expr: Expr, isOther: (part: Expr) => boolean): Expr {
  if (isOther(expr)) return expr;
  const inner = withChildren(expr, (child) => withSafeOperations(child, isOther));
  if (inner.kind === 'aggregate') return { ...inner, safe: true };
  return inner.kind === 'call' || inner.kind === 'cast' ? safeForm(inner) : inner;
}
