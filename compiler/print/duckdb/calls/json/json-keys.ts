/** Keys of a JSON object. */
import { STRING } from '../../../../ir/types';
import { ESCAPES, pathsTooLong, QUOTED_KEY } from '../../../base/json/json-keys';
import { quoteText, raise } from '../../values/literals';
import { jsonText } from './json-write';
import { forLambda } from '../../values/for-lambda';

/** @param x a short text, which is repeated. @param levels from 1 */
export function jsonKeys(x: string, levels: number): string {
  return `(CASE WHEN starts_with(${x}, '{') THEN list_sort(list_distinct(${pathsOf(x, '', levels)})) WHEN ${x} IS NOT NULL THEN ${NONE} END)`;
}

const NONE = 'CAST([] AS VARCHAR[])';

/**
 * Paths of the keys of an object and, below them, of its values.
 * @param before SQL of what stands before each key, or '' for nothing
 */
function pathsOf(x: string, before: string, levels: number): string {
  const path = (k: string): string => (before === '' ? written(k) : `${before} || ${written(k)}`);
  if (levels === 1) return `list_transform(${forLambda(`list_distinct(json_keys(${x}))`)}, lambda z: ${path('z')})`;
  const [entry, value] = [`je${levels}`, `jv${levels}`];
  const pair = `struct_pack(p := ${path(`${entry}.key`)}, v := ${entry}.value)`;
  const pairs = `list_transform(${forLambda(membersOf(x, `jm${levels}`))}, lambda ${entry}: ${pair})`;
  const deeper = pathsOf(`${value}.v`, `(CASE WHEN ${value}.p = '' THEN '' ELSE ${value}.p || '.' END)`, levels - 1);
  const isLong = pathsTooLong(`strlen(${value}.p)`, `strlen(${value}.v)`, `len(json_keys(${value}.v))`);
  const isObject = `starts_with(${value}.v, '{')`;
  const below = `(CASE WHEN ${isObject} AND ${isLong} THEN ${raise('text_too_long')} WHEN ${isObject} THEN ${deeper} ELSE ${NONE} END)`;
  return `flatten(list_transform(${forLambda(pairs)}, lambda ${value}: list_prepend(${value}.p, ${below})))`;
}

/** Keys with their values, read once for all keys; of equal keys the first. */
function membersOf(x: string, m: string): string {
  const members = `json_transform(${x}, '"MAP(VARCHAR, JSON)"')`;
  const packed = `struct_pack(k := map_keys(${m}), e := map_entries(${m}))`;
  const isFirst = `list_position(${m}.k, z.key) = i`;
  const chosen = `(CASE WHEN len(${m}.k) = len(list_distinct(${m}.k)) THEN ${m}.e ELSE list_filter(${forLambda(`${m}.e`)}, lambda z, i: ${isFirst}) END)`;
  return `list_transform(${forLambda(`list_transform(${forLambda(`[${members}]`)}, lambda ${m}: ${packed})`)}, lambda ${m}: ${chosen})[1]`;
}

/** @param k a short text, which is repeated */
function written(k: string): string {
  const escapes = `regexp_extract_all(${jsonText(k, STRING, 'value')}, ${quoteText(ESCAPES)})`;
  const lower = `(CASE WHEN starts_with(y, '\\u') THEN lower(y) ELSE y END)`;
  const marks = ['2028', '2029'].reduce(
    (json, code) => `replace(${json}, chr(${parseInt(code, 16)}), '\\u${code}')`,
    `array_to_string(list_transform(${forLambda(escapes)}, lambda y: ${lower}), '')`
  );
  return `(CASE WHEN regexp_matches(${k}, ${quoteText(QUOTED_KEY)}) THEN ${marks} ELSE ${k} END)`;
}
