/** Keys of a JSON object. */
import { arrayOf, STRING } from '../../../../ir/types';
import { ESCAPES, QUOTED_KEY } from '../../../base/json-keys';
import { castTo, quoteText } from '../../literals';

/** @param x a short text, which is repeated */
export function jsonKeys(x: string): string {
  const keys = `arrayMap(k -> ${written('k')}, arrayDistinct(JSONExtractKeys(ifNull(${x}, ''))))`;
  return `if(${x} IS NULL, NULL, ${castTo(`tuple(arraySort(${keys}))`, arrayOf(STRING))})`;
}

/** @param k a short text, which is repeated */
function written(k: string): string {
  const lower = `if(startsWith(t, '\\\\u'), lower(t), t)`;
  const json = `arrayStringConcat(arrayMap(t -> ${lower}, extractAll(toJSONString(${k}), ${quoteText(ESCAPES)})))`;
  return `if(match(${k}, ${quoteText(QUOTED_KEY)}), ${json}, ${k})`;
}
