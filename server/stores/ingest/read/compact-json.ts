/**
 * Copies valid JSON without the white space between its tokens, and without the given brackets.
 * @param brackets offsets in `buffer`, none inside a string, in any order.
 */
export function compactJson(buffer: Buffer, start: number, end: number, brackets: readonly number[]): Buffer {
  const out = Buffer.allocUnsafe(end - start);
  const skipped = [...brackets].sort((a, b) => a - b);
  let skip = 0;
  let length = 0;
  let isInString = false;
  for (let at = start; at < end; at++) {
    const byte = buffer[at]!;
    if (isInString) {
      out[length++] = byte;
      if (byte === 0x5c) out[length++] = buffer[++at]!;
      else if (byte === 0x22) isInString = false;
      continue;
    }
    if (byte <= 0x20) continue;
    if (at === skipped[skip]) {
      skip++;
      continue;
    }
    if (byte === 0x22) isInString = true;
    out[length++] = byte;
  }
  return out.subarray(0, length);
}
