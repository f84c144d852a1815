/**
 * Remembers what was last made of an object, for as long as the object lives. What is made must depend on the object and
 * the detail alone, and must not be changed.
 */
export function rememberLast<K extends object, V>(): (of: K, detail: string, make: () => V) => V {
  const made = new WeakMap<K, { readonly detail: string; readonly value: V }>();
  return (of, detail, make) => {
    const last = made.get(of);
    if (last?.detail === detail) return last.value;
    const value = make();
    made.set(of, { detail, value });
    return value;
  };
}
