/** Keys of a JSON object. */
import { arrayOf, STRING } from '../../../../ir/types';
import { ESCAPES, pathsTooLong, QUOTED_KEY } from '../../../base/json/json-keys';
import { castTo, failsWhen, quoteText } from '../../values/literals';

/** @param x a short text, which is repeated. @param levels from 1 */
export function jsonKeys(x: string, levels: number): string {
  const paths = pathsOf(`ifNull(${x}, '')`, '', levels);
  const keys = levels === 1 ? paths : `arrayDistinct(${paths})`;
  return `if(${x} IS NULL, NULL, ${castTo(`tuple(arraySort(${keys}))`, arrayOf(STRING))})`;
}

/**
 * Paths of the keys of an object and, below them, of its values.
 * @param before SQL of what stands before each key, or '' for nothing
 */
function pathsOf(x: string, before: string, levels: number): string {
  const path = (k: string): string => (before === '' ? written(k) : `concat(${before}, ${written(k)})`);
  if (levels === 1) return `arrayMap(k -> ${path('k')}, arrayDistinct(JSONExtractKeys(${x})))`;
  const [entry, value] = [`je${levels}`, `jv${levels}`];
  const pairs = `arrayMap(${entry} -> tuple(${path(`${entry}.1`)}, ${entry}.2), ${membersOf(x, `jm${levels}`)})`;
  const deeper = pathsOf(`${value}.2`, `if(${value}.1 = '', '', concat(${value}.1, '.'))`, levels - 1);
  const isLong = pathsTooLong(`length(${value}.1)`, `length(${value}.2)`, `length(JSONExtractKeys(${value}.2))`);
  const below = `if(${failsWhen(isLong, 'text_too_long')}, [], ${deeper})`;
  return `arrayFlatten(arrayMap(${value} -> arrayPushFront(${below}, ${value}.1), ${pairs}))`;
}

/** Keys with their values, read once for all keys; of equal keys the first. */
function membersOf(x: string, m: string): string {
  const chosen = `arrayFilter((z, u) -> u = 1, ${m}, arrayEnumerateUniq(tupleElement(${m}, 1)))`;
  return `arrayElement(arrayMap(${m} -> ${chosen}, [JSONExtractKeysAndValuesRaw(${x})]), 1)`;
}

/** @param k a short text, which is repeated */
function written(k: string): string {
  const lower = `if(startsWith(t, '\\\\u'), lower(t), t)`;
  const json = `arrayStringConcat(arrayMap(t -> ${lower}, extractAll(toJSONString(${k}), ${quoteText(ESCAPES)})))`;
  return `if(match(${k}, ${quoteText(QUOTED_KEY)}), ${json}, ${k})`;
}
