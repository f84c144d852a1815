/** ARRAY values: see `typeName` for their form. */
import type { Type } from '../../ir/types';
import { castTo } from './literals';

/** The elements of an ARRAY; none for NULL. */
export function elements(list: string): string {
  return `tupleElement(${list}, 1)`;
}

/** An ARRAY that is not NULL, of elements that have the right type. */
export function listOf(array: string): string {
  return `tuple(${array})`;
}

/** An ARRAY of any elements. */
export function typedList(array: string, type: Type): string {
  return castTo(`tuple(${array})`, type);
}

/** Whether two values are one when rows are grouped, as NULL and NULL are. */
export function isSame(a: string, b: string, mayBeNaN: boolean): string {
  return mayBeNaN ? `(${a} <=> ${b} OR ifNull(isNaN(${a}) AND isNaN(${b}), FALSE))` : `${a} <=> ${b}`;
}

/** NULL for a NULL list, else the list of what `body` makes of an element. @param list a short text, which is repeated */
export function mapped(list: string, body: (item: string) => string): string {
  return `if(${list} IS NULL, NULL, tuple(arrayMap(v -> ${body('v')}, ${elements(list)})))`;
}
