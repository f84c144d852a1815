/** Units as keyword arguments: `HOUR`, `WEEK(MONDAY)`. A unit is never read as a column or a text. */
import type { CallExpression, Expression, SourcePosition } from '../../ast';
import { TIME_UNITS, WEEKDAYS, type TimeUnit } from '../../time/time-units';
import type { CallContext } from '../function';

export interface UnitArgument {
  readonly unit: TimeUnit;
  /** First day of a WEEK; 0 is Sunday. */
  readonly weekday: number;
}

/** @throws bad_unit, which lists the allowed units */
export function unitArgument(
  expression: Expression | undefined,
  allowed: readonly TimeUnit[],
  what: string,
  ctx: CallContext,
  position: SourcePosition
): UnitArgument {
  if (expression?.kind === 'path' && expression.parts.length === 1) {
    const [part] = expression.parts;
    if (part !== undefined && !part.quoted) {
      return { unit: namedUnit(part.name, allowed, what, ctx, expression.position), weekday: 0 };
    }
  }
  if (expression?.kind === 'call' && expression.name === 'WEEK' && expression.args.length === 1) {
    const unit = namedUnit('WEEK', allowed, what, ctx, expression.position);
    return { unit, weekday: weekdayOf(expression.args[0], ctx, expression.position) };
  }
  const text = expression?.kind === 'literal' && expression.literal.type === 'string';
  return refuse(
    text ? 'a unit is written without quotes' : `${what} expects a unit`,
    allowed,
    ctx,
    expression?.position ?? position,
    expression?.kind === 'interval' ? '; for several of one use TIMESTAMP_BUCKET(x, INTERVAL 5 MINUTE)' : ''
  );
}

/**
 * Refuses a unit as the first argument, in quotes, as other dialects write it.
 *
 * @param form the call in this dialect, with `UNIT` in the place of the unit
 * @throws bad_unit, with the call as it is to be written
 */
export function refuseLeadingUnit(call: CallExpression, ctx: CallContext, form: string): void {
  const [first] = call.args;
  if (first?.kind !== 'literal' || first.literal.type !== 'string') return;
  const upper = first.literal.value.toUpperCase();
  if (!TIME_UNITS.some((unit) => unit === upper)) return;
  const message = `the unit of ${call.name} comes last, without quotes`;
  ctx.fail('bad_unit', message, first.position, `write ${form.replace('UNIT', upper)}`);
}

export function namedUnit(
  name: string,
  allowed: readonly TimeUnit[],
  what: string,
  ctx: CallContext,
  position: SourcePosition
): TimeUnit {
  const upper = name.toUpperCase();
  const unit = allowed.find((candidate) => candidate === upper);
  if (unit !== undefined) return unit;
  const units: readonly string[] = TIME_UNITS;
  const known = units.includes(upper);
  const message = known ? `${what} does not take ${upper}` : `"${name}" is not a unit of ${what}`;
  // A TIMESTAMP has no days of a month; those of its date are counted.
  const hint = known && what === 'TIMESTAMP_DIFF' ? `; use DATE_DIFF(DATE(x), DATE(y), ${upper})` : '';
  return refuse(message, allowed, ctx, position, hint);
}

function weekdayOf(expression: Expression | undefined, ctx: CallContext, position: SourcePosition): number {
  const part = expression?.kind === 'path' && expression.parts.length === 1 ? expression.parts[0] : undefined;
  return weekdayNamed(part?.name ?? '', expression?.position ?? position, ctx);
}

/** Number of a weekday, 0 for Sunday. @throws bad_unit */
export function weekdayNamed(name: string, position: SourcePosition, ctx: CallContext): number {
  const weekday = WEEKDAYS.findIndex((day) => day === name.toUpperCase());
  if (weekday !== -1) return weekday;
  return ctx.fail('bad_unit', 'WEEK expects a day of the week', position, `days are ${WEEKDAYS.join(', ')}`);
}

function refuse(
  message: string,
  allowed: readonly TimeUnit[],
  ctx: CallContext,
  position: SourcePosition,
  hint = ''
): never {
  return ctx.fail('bad_unit', message, position, `units are ${allowed.join(', ')}${hint}`);
}
