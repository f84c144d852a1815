/** Time zones as arguments: constants, checked against the IANA list. */
import type { Expression } from '../../../ast';
import { STRING } from '../../../ir/types';
import { parseTimeZone, type TimeZone, UTC } from '../../../time/time-zone';
import { requiredConstant } from '../../arguments';
import type { CallContext } from '../../function';

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
  const given = ctx.resolve(expression);
  if (given.type.kind === 'INT64') {
    const hint = 'for several of a unit use TIMESTAMP_BUCKET(x, INTERVAL 5 MINUTE)';
    ctx.fail('type_mismatch', 'a time zone expects STRING, found INT64', given.position, hint);
  }
  const value = ctx.coerce(given, STRING, 'a time zone');
  const constant = requiredConstant(value, ctx, 'a time zone');
  if (constant === null) return null;
  const zone = parseTimeZone(String(constant));
  if (zone !== undefined) return zone;
  if (safe) return null;
  const shown = String(constant).slice(0, 60);
  const meant = ABBREVIATIONS[shown.toUpperCase()];
  return ctx.fail(
    'bad_time_zone',
    `"${shown}" is not a time zone`,
    value.position,
    meant === undefined
      ? 'write UTC, an offset such as +02:00, or a name such as Europe/Berlin'
      : `an abbreviation has several meanings; write ${meant}, or another name of the IANA database`
  );
}

/** Abbreviations that are no names of the IANA database, with a zone that uses them. */
const ABBREVIATIONS: Readonly<Partial<Record<string, string>>> = {
  AEDT: 'Australia/Sydney',
  AEST: 'Australia/Sydney',
  BST: 'Europe/London',
  CDT: 'America/Chicago',
  CEST: 'Europe/Berlin',
  CST: 'America/Chicago',
  EDT: 'America/New_York',
  EEST: 'Europe/Athens',
  IST: 'Asia/Kolkata',
  JST: 'Asia/Tokyo',
  MDT: 'America/Denver',
  MSK: 'Europe/Moscow',
  PDT: 'America/Los_Angeles',
  PST: 'America/Los_Angeles',
  WEST: 'Europe/Lisbon',
};
