/**
 * ROUND and TRUNC to digits, on the exact binary value: 2.675 is a little less than that and rounds to 2.67.
 * Multiplying by a power of ten can hide the difference, so its rounding error decides where the product is a half or a
 * whole number.
 */

export interface RoundingForm {
  /** A constant FLOAT64, written as JavaScript writes it. */
  readonly number: (value: string) => string;
  /** Remainder of a division, with the sign of the dividend. */
  readonly remainder: (a: string, b: string) => string;
  /** Rounds halves away from zero. */
  readonly round: (x: string) => string;
}

/** Powers of ten to this exponent are exact. */
export const MAX_EXACT_DIGITS = 22n;
/** From here on numbers have no fraction. */
const WHOLE = '4503599627370496';
/** Splits a number into two halves whose products are exact (Veltkamp). */
const SPLITTER = '134217729';

/**
 * @param x a number, a short text that is repeated
 * @param power ten to the number of digits, a short text that is repeated
 */
export function roundedToFraction(x: string, power: string, mode: 'round' | 'trunc', form: RoundingForm): string {
  const scaled = `(${x} * ${power})`;
  const whole = `trunc(${scaled})`;
  const isTooLarge = `(${rest(x, power, form)} * ${scaled} < 0)`;
  const rounded =
    mode === 'trunc'
      ? `(CASE WHEN ${scaled} = ${whole} AND ${isTooLarge} THEN ${whole} - sign(${scaled}) ELSE ${whole} END)`
      : `(CASE WHEN abs(${scaled} - ${whole}) = ${form.number('0.5')} AND ${isTooLarge} THEN ${whole} ELSE ${form.round(scaled)} END)`;
  return `(CASE WHEN abs(${scaled}) < ${form.number(WHOLE)} THEN ${rounded} / ${power} ELSE ${x} END)`;
}

/** @param power ten to the number of digits before the point */
export function roundedToTens(x: string, power: string, mode: 'round' | 'trunc', form: RoundingForm): string {
  const left = form.remainder(x, power);
  const whole = form.round(`((${x} - ${left}) / ${power})`);
  if (mode === 'trunc') return `(${whole} * ${power})`;
  const carry = `(CASE WHEN abs(${left}) * 2 >= ${power} THEN sign(${x}) ELSE 0 END)`;
  return `((${whole} + ${carry}) * ${power})`;
}

/** Exact product minus the rounded product (Dekker). */
function rest(x: string, power: string, { number }: RoundingForm): string {
  const high = (y: string): string => `((${y} * ${number(SPLITTER)}) - ((${y} * ${number(SPLITTER)}) - ${y}))`;
  const low = (y: string): string => `(${y} - ${high(y)})`;
  const [a, b] = [high(x), high(power)];
  const [c, d] = [low(x), low(power)];
  return `(((${a} * ${b} - ${x} * ${power}) + ${a} * ${d} + ${c} * ${b}) + ${c} * ${d})`;
}
