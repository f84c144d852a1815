/** ARRAY values; see `typeName` for their representation. */
import type { Type } from '../../../ir/types';
import { castTo } from './literals';

/** Elements of an ARRAY; empty for NULL. */
export function elements(list: string): string {
  return `tupleElement(${list}, 1)`;
}

/** Non-null ARRAY from elements that already have the right type. */
export function listOf(array: string): string {
  return `tuple(${array})`;
}

/** Non-null ARRAY, converted to a type. */
export function typedList(array: string, type: Type): string {
  return castTo(`tuple(${array})`, type);
}

/** Whether two values belong to the same group; NULL equals NULL. */
export function isSame(a: string, b: string, mayBeNaN: boolean): string {
  return mayBeNaN ? `(${a} <=> ${b} OR ifNull(isNaN(${a}) AND isNaN(${b}), FALSE))` : `${a} <=> ${b}`;
}

/** Applies `body` to each element; NULL for a NULL list. @param list a short text, which is repeated */
export function mapped(list: string, body: (item: string) => string): string {
  return `if(${list} IS NULL, NULL, tuple(arrayMap(v -> ${body('v')}, ${elements(list)})))`;
}
