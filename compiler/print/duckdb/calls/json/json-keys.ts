/** Keys of a JSON object. */
import { STRING } from '../../../../ir/types';
import { ESCAPES, QUOTED_KEY } from '../../../base/json-keys';
import { quoteText } from '../../literals';
import { jsonText } from './json-write';

/** @param x a short text, which is repeated */
export function jsonKeys(x: string): string {
  const keys = `list_transform(list_distinct(json_keys(${x})), lambda z: ${written('z')})`;
  return `(CASE WHEN starts_with(${x}, '{') THEN list_sort(${keys}) WHEN ${x} IS NOT NULL THEN CAST([] AS VARCHAR[]) END)`;
}

/** @param k a short text, which is repeated */
function written(k: string): string {
  const escapes = `regexp_extract_all(${jsonText(k, STRING, 'value')}, ${quoteText(ESCAPES)})`;
  const lower = `(CASE WHEN starts_with(y, '\\u') THEN lower(y) ELSE y END)`;
  const marks = ['2028', '2029'].reduce(
    (json, code) => `replace(${json}, chr(${parseInt(code, 16)}), '\\u${code}')`,
    `array_to_string(list_transform(${escapes}, lambda y: ${lower}), '')`
  );
  return `(CASE WHEN regexp_matches(${k}, ${quoteText(QUOTED_KEY)}) THEN ${marks} ELSE ${k} END)`;
}
