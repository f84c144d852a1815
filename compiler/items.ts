/** Lists whose items are known to exist. */

export type NonEmpty<T> = readonly [T, ...T[]];

/** The item at an index that the caller knows to exist. @throws RangeError if there is no such item */
export function itemAt<T>(items: readonly T[], index: number): T {
  const item = items[index];
  if (item === undefined) throw new RangeError(`A list of ${items.length} items has no item ${index}.`);
  return item;
}

/** Like `map`; the result is not empty either. */
export function mapItems<T, U>([first, ...others]: NonEmpty<T>, map: (item: T, index: number) => U): NonEmpty<U> {
  return [map(first, 0), ...others.map((item, index) => map(item, index + 1))];
}
