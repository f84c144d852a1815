/** Units as keyword arguments: `HOUR`, `WEEK(MONDAY)`. A unit is never read as a column or a text. */
import type { CallExpression, Expression, SourcePosition } from '../../../ast';
import { TIME_UNITS, WEEKDAYS, type TimeUnit } from '../../../time/time-units';
import type { CallContext } from '../../function';

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
 * Refuses a unit as the first argument, as other dialects write it: in quotes, or as a name where no unit comes last.
 *
 * @param form the call in this dialect, with `UNIT` in the place of the unit
 * @throws bad_unit, with the call as it is to be written
 */
export function refuseLeadingUnit(call: CallExpression, ctx: CallContext, form: string): void {
  const [first, ...others] = call.args;
  if (first === undefined) return;
  // A column may have the name of a unit.
  const unit = quotedUnit(first) ?? (others.some((other) => bareUnit(other) !== null) ? null : bareUnit(first));
  if (unit === null) return;
  const message = `the unit of ${call.name} comes last, without quotes`;
  ctx.fail('bad_unit', message, first.position, `write ${form.replace('UNIT', unit)}`);
}

function quotedUnit(expression: Expression): TimeUnit | null {
  const isText = expression.kind === 'literal' && expression.literal.type === 'string';
  return isText ? timeUnit(expression.literal.value) : null;
}

function bareUnit(expression: Expression): TimeUnit | null {
  if (expression.kind === 'call') return timeUnit(expression.name);
  if (expression.kind !== 'path' || expression.parts.length > 1) return null;
  const [part] = expression.parts;
  return part === undefined || part.quoted ? null : timeUnit(part.name);
}

function timeUnit(name: string): TimeUnit | null {
  const upper = name.toUpperCase();
  return TIME_UNITS.find((unit) => unit === upper) ?? null;
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
  const known = timeUnit(name) !== null;
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
