export interface LastMade<K extends object, V> {
  get(of: K, detail: string): V | undefined;
  /** @returns the value */
  set(of: K, detail: string, value: V): V;
}

/**
 * Remembers what was last made of an object, for as long as the object lives. What is made must depend on the object
 * and the detail alone, and must not be changed. A property instead of a WeakMap, whose entries would keep each
 * object alive until the next full garbage collection.
 */
export function rememberLast<K extends object, V>(): LastMade<K, V> {
  const MADE = Symbol('made');
  type WithMade = K & { [MADE]?: { readonly detail: string; readonly value: V } };
  return {
    get: (of, detail) => {
      const made = (of as WithMade)[MADE];
      return made?.detail === detail ? made.value : undefined;
    },
    set: (of, detail, value) => {
      Object.defineProperty(of, MADE, { value: { detail, value }, writable: true, configurable: true });
      return value;
    },
  };
}
