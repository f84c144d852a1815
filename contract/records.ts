/** Records whose names are known to the code, and values that may be records. */

/** Whether a parsed value is an object with names, not a list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Names of a table that is written out in the code, in its order. */
export function keysOf<K extends string>(table: Readonly<Record<K, unknown>>): readonly K[] {
  // The type of `Object.keys` allows for names that the table's type does not know; a written-out table has none.
  return Object.keys(table) as K[];
}

/** Whether a name is one of a table. */
export function isKeyOf<K extends string>(table: Readonly<Record<K, unknown>>, name: string): name is K {
  return Object.hasOwn(table, name);
}

/** The same value by each of these names. */
export function recordOf<const K extends string, V>(names: readonly K[], value: V): Record<K, V> {
  return Object.fromEntries(names.map((name) => [name, value])) as Record<K, V>;
}
