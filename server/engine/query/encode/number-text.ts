/**
 * Encodes numbers as JSON. Integers beyond ±(2^53-1) are strings everywhere in the service, so that no reader rounds
 * them.
 */

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);
const MAX_SAFE_DIGITS = String(Number.MAX_SAFE_INTEGER);

export function isSafeInteger(value: bigint): boolean {
  return value <= MAX_SAFE && value >= -MAX_SAFE;
}

export function integerJson(value: bigint): string {
  return isSafeInteger(value) ? value.toString() : `"${value}"`;
}

/** NaN and the infinities have no JSON form and become null. */
export function floatJson(value: number): string {
  return Number.isFinite(value) ? String(value) : 'null';
}

/** Applies the rule of `integerJson` to digits without sign and leading zeros. */
export function isSafeDigits(digits: string): boolean {
  if (digits.length !== MAX_SAFE_DIGITS.length) return digits.length < MAX_SAFE_DIGITS.length;
  return digits <= MAX_SAFE_DIGITS;
}
