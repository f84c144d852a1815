/**
 * A layout (vtable): its own length, the length of its tables, then the position of each field in a table; 0: absent.
 */
export function layoutBytes(layout: readonly number[]): Buffer {
  const bytes = Buffer.alloc((layout.length * 2 + 3) & -4);
  layout.forEach((value, index) => bytes.writeUInt16LE(value, index * 2));
  return bytes;
}
