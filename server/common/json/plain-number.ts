/** Writes a number without an exponent, which some encoders use for large ones, with six decimals. */
export function plainNumber(text: string): string {
  if (!/[eE]/.test(text)) return text;
  const value = Number(text);
  return Number.isFinite(value) && Math.abs(value) < 1e20 ? value.toFixed(6) : text;
}
