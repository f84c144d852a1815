/** A node that is found by the bytes of its key while a buffer is read, without creating a string. */
export interface KeyedNode<T> {
  /** The key in UTF-8. */
  readonly keyBytes: Uint8Array;
  /** The sibling whose key followed this one last time: log events repeat the order of their keys. */
  next: T | null;
}

/**
 * Children by key. `byKey` uses the key's UTF-8 bytes decoded as Latin-1, which works for any bytes and is unique per
 * key.
 */
export interface KeyedChildren<T extends KeyedNode<T>> {
  readonly byKey: ReadonlyMap<string, T>;
  /** The child whose key was the first one last time. */
  first: T | null;
}

export function byteKey(key: string): string {
  return Buffer.from(key, 'utf8').toString('latin1');
}

/** @param previous the previous child of the same object, or null at its start. */
export function findByKey<T extends KeyedNode<T>>(
  children: KeyedChildren<T>,
  previous: T | null,
  buffer: Buffer,
  start: number,
  end: number
): T | null {
  const expected = previous === null ? children.first : previous.next;
  if (expected !== null && hasBytes(expected.keyBytes, buffer, start, end)) return expected;
  const found = children.byKey.get(buffer.toString('latin1', start, end));
  if (found === undefined) return null;
  if (previous === null) children.first = found;
  else previous.next = found;
  return found;
}

function hasBytes(key: Uint8Array, buffer: Buffer, start: number, end: number): boolean {
  const length = end - start;
  if (key.length !== length) return false;
  for (let i = 0; i < length; i++) {
    if (key[i] !== buffer[start + i]) return false;
  }
  return true;
}
