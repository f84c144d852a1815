/** The time of day in nanoseconds, as shippers read it. */
const START = { wall: BigInt(Date.now()) * 1_000_000n, monotonic: process.hrtime.bigint() };

function nowNanos(): bigint {
  return START.wall + process.hrtime.bigint() - START.monotonic;
}

/** @param digits of the fraction; `auto`: 0, 3, 6 or 9, as few as keep the value */
export function formatTime(nanos: bigint, digits: 6 | 'auto'): string {
  const seconds = new Date(Number(nanos / 1_000_000_000n) * 1_000).toISOString().slice(0, 19);
  const fraction = String(nanos % 1_000_000_000n).padStart(9, '0');
  if (digits === 6) return `${seconds}.${fraction.slice(0, 6)}Z`;
  const kept = fraction.replace(/(000)+$/, '');
  return kept === '' ? `${seconds}Z` : `${seconds}.${kept}Z`;
}

/** A line in the time that a shipper written in C or Rust needs for it: two lines share a microsecond. */
const LINE_NANOS = 400n;

/** Lines with the times at which they are read. */
export function stamp(lines: readonly string[]): { readonly line: string; readonly nanos: bigint }[] {
  const start = nowNanos();
  return lines.map((line, index) => ({ line, nanos: start + BigInt(index) * LINE_NANOS }));
}
