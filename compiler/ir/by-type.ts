/**
 * Groups values of a struct by type: one lambda converts all of a type to text, since each conversion in a statement
 * costs a store a millisecond and more.
 */
import { type NonEmpty, valueAt } from '../items';
import { type Type, typeKey } from './types';

/** Values in another order: the groups', then the others. */
export interface ByType<T> {
  /** Values of one type each. */
  readonly groups: readonly NonEmpty<T>[];
  /** Values whose type few have. */
  readonly others: readonly T[];
  /** Where each is among all as they were, from 1. Null: the order is the same. */
  readonly places: readonly number[] | null;
}

/**
 * @param typeOf null: the value is not grouped
 * @param many values of one type that are a group
 * @returns null if there is no group
 */
export function byType<T>(values: readonly T[], typeOf: (value: T) => Type | null, many: number): ByType<T> | null {
  const ofType = new Map<string, [T, ...T[]]>();
  for (const value of values) {
    const type = typeOf(value);
    if (type === null) continue;
    const same = ofType.get(typeKey(type));
    if (same === undefined) ofType.set(typeKey(type), [value]);
    else same.push(value);
  }
  const groups = [...ofType.values()].filter((same) => same.length >= many);
  if (groups.length === 0) return null;
  const grouped = new Set(groups.flat());
  const others = values.filter((value) => !grouped.has(value));
  const placeOf = new Map(values.map((value, index) => [value, index + 1]));
  const places = [...groups.flat(), ...others].map((value) => valueAt(placeOf, value));
  return { groups, others, places: places.every((place, index) => place === index + 1) ? null : places };
}

/** The index of the value of each place. @param places those of `byType` */
export function orderOf(places: readonly number[]): readonly number[] {
  const order: number[] = [];
  for (const [index, place] of places.entries()) order[place - 1] = index;
  return order;
}
