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

/** Like `map`; the result is not empty either. */
export function mapItems<T, U>([first, ...others]: NonEmpty<T>, map: (item: T, index: number) => U): NonEmpty<U> {
  return [map(first, 0), ...others.map((item, index) => map(item, index + 1))];
}
