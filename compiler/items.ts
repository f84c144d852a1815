/** Items of lists and maps that are known to exist. */

export type NonEmpty<T> = readonly [T, ...T[]];

/** The item at an index that the caller knows to exist. @throws RangeError if there is no such item */
export function itemAt<T>(items: readonly T[], index: number): T {
  const item = items[index];
  if (item === undefined) throw new RangeError(`A list of ${items.length} items has no item ${index}.`);
  return item;
}

/** The value of a key that the caller knows to exist. @throws RangeError if there is no such key */
export function valueAt<K, V>(map: ReadonlyMap<K, V>, key: K): V {
  const value = map.get(key);
  if (value === undefined) throw new RangeError(`A map of ${map.size} keys lacks the key.`);
  return value;
}

/** Like `map`, for a list whose length is part of its type. */
export function mapItems<const T extends readonly unknown[], U>(
  items: T,
  map: (item: T[number], index: number) => U
): { readonly [K in keyof T]: U } {
  // The type of `map` does not say that it keeps the length.
  return items.map(map) as { readonly [K in keyof T]: U };
}
