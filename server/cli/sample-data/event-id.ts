/**
 * Ids of sample events: UUIDs derived from seed, source and position, so that loading the same sample twice adds
 * nothing.
 */

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

export function eventId(seed: number, stream: number, position: number): string {
  const base = Math.imul(seed ^ 0x51ed270b, 0x85ebca6b) ^ Math.imul(stream + 1, 0x9e3779b1);
  const a = mix(base ^ mix(position));
  const b = mix(a + position + 0x6d2b79f5);
  const c = mix(b ^ Math.imul(position, 0x27d4eb2f));
  const d = mix(c + base);
  const version = (b & 0xffff0fff) | 0x4000;
  const variant = (c & 0x3fffffff) | 0x80000000;
  return `${hex32(a)}-${hex16(version >>> 16)}-${hex16(version)}-${hex16(variant >>> 16)}-${hex16(variant)}${hex32(d)}`;
}

/** Spreads 32 bits over 32 bits without collisions. */
function mix(value: number): number {
  let x = value | 0;
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return (x ^ (x >>> 16)) >>> 0;
}

export function hex32(value: number): string {
  return hex16(value >>> 16) + hex16(value);
}

function hex16(value: number): string {
  return (HEX[(value >>> 8) & 255] as string) + (HEX[value & 255] as string);
}
