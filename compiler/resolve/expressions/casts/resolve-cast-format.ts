/** CAST with FORMAT: of times as text. */
import type { CastExpression } from '../../../ast';
import { requiredConstant } from '../../../functions/arguments';
import type { Value } from '../../../functions/function';
import { formattedTime } from '../../../functions/time/cast-format';
import { zoneArgument } from '../../../functions/time/arguments/zone-argument';
import { isTime, shortTypeName, STRING, type Type } from '../../../ir/types';
import { CAST_FORMAT_ELEMENTS, parseCastFormat } from '../../../time/cast-format';
import { failure } from '../../failure';
import { nullOf } from '../fold-conditions';
import type { ExpressionContext } from '../expression-context';
import { valueOf } from '../values/value-of';

const MAX_LENGTH = 500;

/** @throws not_supported for other casts than of times as text; bad_format, not_constant */
export function resolveCastFormat(
  r: ExpressionContext,
  { format, position }: CastExpression,
  value: Value,
  type: Type
): Value {
  if (format === null) throw new Error('A cast without FORMAT has no format.');
  const { kind } = value.type;
  if (type.kind !== 'STRING' || !(isTime(value.type) || kind === 'TIME')) {
    const cast = `a cast of ${shortTypeName(value.type)} to ${shortTypeName(type)}`;
    throw failure('not_supported', `FORMAT in ${cast} is not supported`, format.pattern.position, {
      hint: hintOf(value.type, type),
    });
  }
  if (format.timeZone !== null && kind !== 'TIMESTAMP') {
    r.fail('wrong_arguments', `FORMAT of a ${kind} takes no time zone`, format.timeZone.position);
  }
  const zone = zoneArgument(format.timeZone, r);
  const pattern = requiredConstant(r.coerce(r.resolve(format.pattern), STRING, 'a format'), r, 'a format');
  if (zone === null || pattern === null) return valueOf(nullOf(STRING), STRING, position);
  const written = String(pattern);
  if (written.length > MAX_LENGTH) {
    r.fail('too_complex', `a format is longer than ${MAX_LENGTH} characters`, format.pattern.position);
  }
  const parsed = parseCastFormat(written, kind);
  if ('unknown' in parsed) {
    const known = CAST_FORMAT_ELEMENTS[kind] ?? [];
    const hint = `elements are ${known.join(' ')} and "text"`;
    r.fail('bad_format', `the format of a ${kind} does not know "${parsed.unknown}"`, format.pattern.position, hint);
  }
  return valueOf(formattedTime(value.expr, parsed.parts, zone), STRING, position);
}

/** What to write instead of a cast that takes no FORMAT. */
function hintOf(from: Type, to: Type): string {
  if (from.kind === 'BYTES') return 'use TO_HEX(bytes) or TO_BASE64(bytes)';
  if (to.kind === 'BYTES') return 'use FROM_HEX(text) or FROM_BASE64(text)';
  if (from.kind === 'FLOAT64') return "use FORMAT('%.2f', value)";
  return isTime(to) || to.kind === 'TIME' ? `use PARSE_${to.kind}('%F', text)` : "use FORMAT('%d', value)";
}
