/** Writes snappy's block format: copies of what was seen with the same four bytes before, at most 64 KiB back. */

const WINDOW = 65_535;
const MAX_COPY = 64;
const HASH_BITS = 14;

export function encodeSnappy(bytes: Uint8Array): Buffer {
  const input = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const output: Buffer[] = [varint(input.length)];
  const seen = new Int32Array(1 << HASH_BITS).fill(-1);
  let literalStart = 0;
  let at = 0;
  while (at + 4 <= input.length) {
    const slot = Math.imul(input.readUInt32LE(at), 0x1e35a7bd) >>> (32 - HASH_BITS);
    const before = seen[slot]!;
    seen[slot] = at;
    let size = 0;
    if (before >= 0 && at - before <= WINDOW)
      while (at + size < input.length && input[before + size] === input[at + size]) size++;
    if (size < 4) {
      at++;
      continue;
    }
    output.push(literal(input.subarray(literalStart, at)), copies(at - before, size));
    at += size;
    literalStart = at;
  }
  output.push(literal(input.subarray(literalStart)));
  return Buffer.concat(output);
}

export function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}

function literal(text: Buffer): Buffer {
  if (text.length === 0) return Buffer.alloc(0);
  const size = text.length - 1;
  if (size < 60) return Buffer.concat([Buffer.from([size << 2]), text]);
  const head = Buffer.alloc(5);
  head[0] = 63 << 2;
  head.writeUInt32LE(size, 1);
  return Buffer.concat([head, text]);
}

function copies(distance: number, size: number): Buffer {
  const count = Math.ceil(size / MAX_COPY);
  const head = Buffer.alloc(count * 3);
  for (let i = 0; i < count; i++) {
    const length = Math.min(MAX_COPY, size - i * MAX_COPY);
    head[i * 3] = ((length - 1) << 2) | 2;
    head.writeUInt16LE(distance, i * 3 + 1);
  }
  return head;
}
