/** Counts, resolves and converts the arguments of calls. */
import type { CallExpression } from '../ast';
import type { Expr, LiteralExpr } from '../ir/expression';
import type { OperandsOf, OpName, OptionsArgument, PlainOp } from '../ir/operations/ops';
import { BYTES, FLOAT64, INT64, isNumeric, isOrdered, STRING, type Type } from '../ir/types';
import type { CallContext, FunctionSpec, Value } from './function';
import { callOf } from '../ir/operations/call';
import { itemAt } from '../items';

/** Checks the number of arguments. @throws wrong_arguments */
export function checkCount(call: CallExpression, ctx: CallContext, usage: string, least: number, most = least): void {
  const found = call.args.length;
  if (!call.star && found >= least && found <= most) return;
  const wanted =
    most === Infinity ? `${least} or more arguments` : least === most ? count(least) : `${least} to ${count(most)}`;
  ctx.fail(
    'wrong_arguments',
    `${call.name} expects ${wanted}, found ${call.star ? '*' : found}`,
    call.namePosition,
    `write ${usage}`
  );
}

/** Name of an argument in errors: `argument 2 of SUBSTR`. */
export function argumentName(call: CallExpression, index: number): string {
  return `argument ${index + 1} of ${call.name}`;
}

export function argument(call: CallExpression, ctx: CallContext, index: number): Value {
  const expression = call.args[index];
  if (expression === undefined) throw new Error(`${call.name} has no argument ${index + 1}`);
  return ctx.resolve(expression);
}

/** An argument converted to a type. */
export function typedArgument(call: CallExpression, ctx: CallContext, index: number, type: Type): Value {
  return ctx.coerce(argument(call, ctx, index), type, argumentName(call, index));
}

/** Keeps INT64 and FLOAT64; a text parameter becomes INT64 if it looks like an integer, else FLOAT64. */
export function numericValue(value: Value, ctx: CallContext, what: string): Value {
  if (isNumeric(value.type)) return value;
  if (value.type.kind === 'NULL') return ctx.coerce(value, INT64, what);
  const text = value.text === 'parameter' ? ctx.constant(value)?.value : undefined;
  const whole = typeof text === 'string' && /^\s*[+-]?\d+\s*$/.test(text);
  return ctx.coerce(value, whole ? INT64 : FLOAT64, what);
}

const CONSTANT_HINT = 'write a literal or a parameter, or a CASE of them';

export interface ConstantArgument {
  readonly value: Value;
  readonly constant: string | bigint | number | boolean | null;
}

/** A constant of the type, which may be NULL. @throws not_constant */
export function constantArgument(call: CallExpression, ctx: CallContext, index: number, type: Type): ConstantArgument {
  const value = typedArgument(call, ctx, index, type);
  return { value, constant: requiredConstant(value, ctx, argumentName(call, index)) };
}

/**
 * @param what name of the value in the error
 * @throws not_constant; the conversion error of a parameter
 */
export function requiredConstant(value: Value, ctx: CallContext, what: string): ConstantArgument['constant'] {
  const constant = ctx.constant(value);
  if (constant !== undefined) return constant.value;
  if (value.expr.kind === 'bound' && value.expr.failure !== null) throw value.expr.failure;
  return ctx.fail('not_constant', `${what} must be a constant`, value.position, CONSTANT_HINT);
}

/** For `constants` of a function: the arguments at some places. */
export function argumentsAt(...places: readonly number[]): NonNullable<FunctionSpec['constants']> {
  return ({ args }) => args.filter((_, index) => places.includes(index));
}

/** For `constants` of a function that takes a time zone after one value, and other arguments in other forms. */
export const ZONE_AFTER_VALUE: NonNullable<FunctionSpec['constants']> = ({ args }) =>
  args.length === 2 ? args.slice(1) : [];

export function valueOf(call: CallExpression, expr: Expr, type: Type = expr.type): Value {
  return { expr, type, text: null, position: call.position };
}

export function nullValue(call: CallExpression, type: Type): Value {
  return valueOf(call, { kind: 'literal', type, value: null });
}

export function wholeNumber(value: bigint): LiteralExpr {
  return { kind: 'literal', type: INT64, value };
}

/** A call of an operation. The caller has checked the number of arguments. */
export function callValue<O extends OpName>(
  call: CallExpression,
  fn: O,
  args: readonly Value[],
  type: Type,
  ...options: OptionsArgument<O>
): Value {
  return valueOf(call, callOf(fn, args.map((arg) => arg.expr) as unknown as OperandsOf<O, Expr>, type, ...options));
}

/** Whether the result of CASE, COALESCE or IF still converts like a text constant: true if all values do. */
export function sharedText(values: readonly Value[]): Value['text'] {
  const texts = values.filter((value) => value.type.kind !== 'NULL');
  if (texts.length === 0 || texts.some((value) => value.type.kind !== 'STRING' || value.text === null)) return null;
  return texts.some((value) => value.text === 'parameter') ? 'parameter' : 'literal';
}

/** Texts and bytes that are joined: bytes if any are bytes. @throws type_mismatch */
export function joined(
  values: readonly Value[],
  ctx: Pick<CallContext, 'coerce'>,
  what: (index: number) => string
): { readonly fn: 'concat' | 'bytes_concat'; readonly type: Type; readonly values: readonly Value[] } {
  if (values.some(({ type }) => type.kind === 'BYTES')) {
    return {
      fn: 'bytes_concat',
      type: BYTES,
      values: values.map((value, index) => ctx.coerce(value, BYTES, what(index))),
    };
  }
  return { fn: 'concat', type: STRING, values: values.map((value, index) => joinedText(value, ctx, what(index))) };
}

/** The text of a number, time or truth value where texts are joined; a text stays as it is. @throws type_mismatch */
function joinedText(value: Value, ctx: Pick<CallContext, 'coerce'>, what: string): Value {
  if (!isOrdered(value.type) || value.type.kind === 'NULL' || value.type.kind === 'STRING') {
    return ctx.coerce(value, STRING, what);
  }
  return { ...value, expr: { kind: 'cast', operand: value.expr, type: STRING, safe: false }, type: STRING, text: null };
}

/** Arguments with BYTES in place of STRING if one of them is BYTES. */
export function textOrBytes(
  call: CallExpression,
  ctx: CallContext,
  types: readonly Type[]
): { readonly isBytes: boolean; readonly args: readonly Value[] } {
  const values = call.args.map((_, index) => argument(call, ctx, index));
  const isBytes = values.some((value, index) => value.type.kind === 'BYTES' && types[index]?.kind === 'STRING');
  const wanted = (type: Type): Type => (isBytes && type.kind === 'STRING' ? BYTES : type);
  const args = values.map((value, index) => ctx.coerce(value, wanted(itemAt(types, index)), argumentName(call, index)));
  return { isBytes, args };
}

/** Defines a function whose arguments have fixed types; those after `required` are optional. */
export function fixedFunction(spec: {
  readonly names: readonly string[];
  readonly fn: PlainOp;
  readonly takes: readonly Type[];
  readonly required?: number;
  readonly returns: Type;
  /** Operation for BYTES in place of STRING, with all arguments. */
  readonly bytesFn?: PlainOp;
  readonly safe?: FunctionSpec['safe'];
  /** Operation for the call with SAFE. */
  readonly safeFn?: PlainOp;
  readonly usage: string;
  readonly summary: string;
}): FunctionSpec {
  const { names, usage, summary, fn, takes, returns } = spec;
  return {
    names,
    usage,
    summary,
    kind: 'scalar',
    safe: spec.safeFn === undefined ? (spec.safe ?? true) : true,
    resolve: (call, ctx) => {
      checkCount(call, ctx, usage, spec.required ?? takes.length, takes.length);
      if (spec.bytesFn !== undefined) {
        const { isBytes, args } = textOrBytes(call, ctx, takes);
        if (!isBytes) return callValue(call, fn, args, returns);
        checkCount(call, ctx, `${usage}, with all arguments for BYTES`, takes.length);
        return callValue(call, spec.bytesFn, args, returns.kind === 'STRING' ? BYTES : returns);
      }
      const args = call.args.map((_, index) => typedArgument(call, ctx, index, itemAt(takes, index)));
      return callValue(call, call.safe ? (spec.safeFn ?? fn) : fn, args, returns);
    },
  };
}

function count(n: number): string {
  return n === 0 ? 'no arguments' : n === 1 ? '1 argument' : `${n} arguments`;
}
