/** Arithmetic functions: some keep INT64, the others always return FLOAT64. */
import { BOOL, FLOAT64, INT64, isTime, type Type } from '../../ir/types';
import { argument, argumentName, callValue, checkCount, fixedFunction, numericValue, valueOf } from '../arguments';
import type { FunctionSpec } from '../function';
import type { PlainOp } from '../../ir/operations/ops';

/** Operations that give NULL where the function fails. */
const SAFE_FORMS: Readonly<Partial<Record<PlainOp, PlainOp>>> = {
  exp: 'safe_exp',
  power: 'safe_power',
  sqrt: 'safe_sqrt',
  ln: 'safe_ln',
  log10: 'safe_log10',
};

export const numberFunctions: readonly FunctionSpec[] = [
  keepingType('ABS', 'abs', 'The distance from zero.'),
  keepingType('SIGN', 'sign', '-1, 0 or 1.'),
  fixedFunction({
    names: ['MOD'],
    fn: 'mod',
    takes: [INT64, INT64],
    returns: INT64,
    usage: 'MOD(value, divisor)',
    summary: 'The rest of a whole division, with the sign of the value; NULL for a divisor of zero.',
  }),
  fixedFunction({
    names: ['DIV'],
    fn: 'int_div',
    takes: [INT64, INT64],
    returns: INT64,
    usage: 'DIV(value, divisor)',
    summary: 'Whole division, toward zero; NULL for a divisor of zero.',
  }),
  toFloat(['SAFE_DIVIDE'], 'safe_divide', 2, 'SAFE_DIVIDE(value, divisor)', 'Division; NULL for a divisor of zero.'),
  toFloat(
    ['IEEE_DIVIDE'],
    'ieee_divide',
    2,
    'IEEE_DIVIDE(value, divisor)',
    'Division; infinity or NaN, which answers write as null, for a divisor of zero.'
  ),
  rounding(['ROUND'], 'round', 'Rounded to digits after the point; halves go away from zero.'),
  rounding(['TRUNC'], 'trunc', 'Cut to digits after the point.'),
  toFloat(['CEIL', 'CEILING'], 'ceil', 1, 'CEIL(value)', 'The next whole number that is not smaller.'),
  toFloat(['FLOOR'], 'floor', 1, 'FLOOR(value)', 'The next whole number that is not larger.'),
  toFloat(['SQRT'], 'sqrt', 1, 'SQRT(value)', 'The square root.'),
  toFloat(['POWER', 'POW'], 'power', 2, 'POWER(value, exponent)', 'A power.'),
  toFloat(['EXP'], 'exp', 1, 'EXP(value)', 'e to the power of the value.'),
  toFloat(['LN'], 'ln', 1, 'LN(value)', 'The natural logarithm.'),
  toFloat(['LOG10'], 'log10', 1, 'LOG10(value)', 'The logarithm to the base of ten.'),
  {
    names: ['PI'],
    kind: 'scalar',
    safe: 'never fails',
    usage: 'PI()',
    summary: 'The number 3.14159..., as a FLOAT64.',
    resolve: (call, ctx) => {
      checkCount(call, ctx, 'PI()', 0);
      return valueOf(call, { kind: 'literal', type: FLOAT64, value: Math.PI });
    },
  },
  testing('IS_NAN', 'is_nan', 'Whether a value is NaN.'),
  testing('IS_INF', 'is_inf', 'Whether a value is infinite.'),
  {
    names: ['LOG'],
    kind: 'scalar',
    safe: true,
    usage: 'LOG(value[, base])',
    summary: 'The logarithm; natural when no base is given.',
    resolve: (call, ctx) => {
      checkCount(call, ctx, 'LOG(value[, base])', 1, 2);
      const args = call.args.map((_, index) =>
        ctx.coerce(argument(call, ctx, index), FLOAT64, argumentName(call, index))
      );
      return callValue(call, args.length === 1 ? 'ln' : 'log', args, FLOAT64);
    },
  },
];

function testing(name: string, fn: PlainOp, summary: string): FunctionSpec {
  return fixedFunction({
    names: [name],
    fn,
    takes: [FLOAT64],
    returns: BOOL,
    safe: 'never fails',
    usage: `${name}(value)`,
    summary,
  });
}

function keepingType(name: string, fn: 'abs' | 'sign', summary: string): FunctionSpec {
  const usage = `${name}(value)`;
  return {
    names: [name],
    kind: 'scalar',
    safe: true,
    usage,
    summary,
    resolve: (call, ctx) => {
      checkCount(call, ctx, usage, 1);
      const value = numericValue(argument(call, ctx, 0), ctx, argumentName(call, 0));
      return callValue(call, fn, [value], value.type);
    },
  };
}

function toFloat(names: readonly string[], fn: PlainOp, arity: number, usage: string, summary: string): FunctionSpec {
  const takes: readonly Type[] = Array.from({ length: arity }, () => FLOAT64);
  const safeFn = SAFE_FORMS[fn];
  const safe = safeFn === undefined ? ({ safe: 'never fails' } as const) : { safeFn };
  return fixedFunction({ names, fn, takes, returns: FLOAT64, usage, summary, ...safe });
}

function rounding(names: readonly string[], fn: PlainOp, summary: string): FunctionSpec {
  const usage = `${names[0]}(value[, digits])`;
  const spec = fixedFunction({ names, fn, takes: [FLOAT64, INT64], required: 1, returns: FLOAT64, usage, summary });
  return {
    ...spec,
    resolve: (call, ctx) => {
      const value = call.args.length > 0 ? argument(call, ctx, 0) : undefined;
      if (value !== undefined && isTime(value.type)) {
        const message = `${argumentName(call, 0)} expects FLOAT64, found ${value.type.kind}`;
        ctx.fail(
          'type_mismatch',
          message,
          value.position,
          `write ${value.type.kind}_TRUNC(value, HOUR), or another unit`
        );
      }
      return spec.resolve(call, ctx);
    },
  };
}
