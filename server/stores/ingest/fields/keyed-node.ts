import type { JsonLexer } from '../../../common/json/json-lexer';

/** A node that is found by the bytes of its key while a buffer is read, without creating a string. */
export interface KeyedNode<T> {
  /** The key in quotes, as events have it; compared only after they had it so, without escapes. */
  readonly keyText: Uint8Array;
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

export function keyTextOf(key: string): Uint8Array {
  return Buffer.from(`"${key}"`, 'utf8');
}

/**
 * Skips the key that came at this place last time. Compares bytes once, without looking for the end of the key first.
 * @param previous the previous child of the same object, or null at its start
 * @returns null when another key is next; the lexer has not moved then
 */
export function skipExpectedKey<T extends KeyedNode<T>>(
  children: KeyedChildren<T>,
  previous: T | null,
  lexer: JsonLexer
): T | null {
  const expected = previous === null ? children.first : previous.next;
  return expected !== null && lexer.skipText(expected.keyText) ? expected : null;
}

/**
 * Finds a child by a key without escapes, and expects it at this place next time.
 * @param previous the previous child of the same object, or null at its start
 */
export function findByKey<T extends KeyedNode<T>>(
  children: KeyedChildren<T>,
  previous: T | null,
  buffer: Buffer,
  start: number,
  end: number
): T | null {
  const found = children.byKey.get(buffer.toString('latin1', start, end));
  if (found === undefined) return null;
  if (previous === null) children.first = found;
  else previous.next = found;
  return found;
}
