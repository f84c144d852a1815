/** Time zones as arguments: constants, checked against the IANA list. */
import type { Expression } from '../../ast';
import { STRING } from '../../ir/types';
import { parseTimeZone, type TimeZone, UTC } from '../../time/time-zone';
import { constantOf } from '../arguments';
import type { CallContext } from '../function';

/**
 * The zone, UTC when none is written, or null when it is NULL.
 * @param safe whether a text that is no zone is like NULL
 * @throws not_constant, bad_time_zone
 */
export function zoneArgument(
  expression: Expression | null | undefined,
  ctx: CallContext,
  safe = false
): TimeZone | null {
  if (expression === null || expression === undefined) return UTC;
  const value = ctx.coerce(ctx.resolve(expression), STRING, 'a time zone');
  const constant = constantOf(value, ctx, 'a time zone');
  if (constant === null) return null;
  const zone = parseTimeZone(String(constant));
  if (zone !== undefined) return zone;
  if (safe) return null;
  const shown = String(constant).slice(0, 60);
  return ctx.fail(
    'bad_time_zone',
    `"${shown}" is not a time zone`,
    value.position,
    'write UTC, an offset such as +02:00, or a name such as Europe/Berlin'
  );
}
