/** Writes JSON text on several lines. */
import { MAX_LINES } from '../../../../functions/limits';
import { INDENT, ONE_LINE, PIECES } from '../../../base/json/pretty-json';
import { tooLong } from '../../../base/text/text-growth';
import { fieldOf, nameOnce } from '../../values/bind-once';
import { quoteText, raise } from '../../values/literals';
import { structPack } from '../../values/struct-pack';
import { mapItems } from '../../../../items';
import { forLambda } from '../../values/for-lambda';

/** @param x a short text, which is repeated */
export function prettyJson(x: string): string {
  const lines = nameOnce(`regexp_replace(${x}, ${quoteText(ONE_LINE)}, '', 'g')`, (v) => {
    const count = (characters: string): string =>
      `strlen(${v}) - strlen(regexp_replace(${v}, '[${characters}]', '', 'g'))`;
    return `(1 + ${count(',')} + 2 * (${count('[{')}))`;
  });
  const pieces = `regexp_extract_all(${x}, ${quoteText(PIECES)})`;
  const known = nameOnce(pieces, (v) => nameOnce(withPlaces(v), (w) => nameOnce(withLevels(w), written)));
  return `(CASE WHEN ${lines} > ${MAX_LINES} THEN ${raise('too_many_lines')} WHEN ${x} IS NOT NULL THEN ${known} END)`;
}

const opens = (piece: string): string => `(ends_with(${piece}, '[') OR ends_with(${piece}, '{'))`;
const closes = (piece: string): string => `${piece} IN (']', '}')`;

/** `p`: pieces, `o`: places of those that open an array or object, `c`: of those that close one. */
function withPlaces(v: string): string {
  const places = (test: string): string =>
    `list_where(range(1, len(${v}) + 1), list_transform(${forLambda(v)}, lambda e: ${test}))`;
  return structPack([
    ['p', v],
    ['o', places(opens('e'))],
    ['c', places(closes('e'))],
  ]);
}

/** Structs of each piece, and how many arrays and objects are opened, and closed, up to it. */
function withLevels(v: string): string {
  const pieces = fieldOf(v, 'p');
  return `list_zip(${pieces}, ${countUpTo(pieces, fieldOf(v, 'o'))}, ${countUpTo(pieces, fieldOf(v, 'c'))})`;
}

/**
 * For each piece its place plus the number of these places up to it: its rank among both. Lambdas that read a list of
 * another row would copy it for each element.
 */
function countUpTo(pieces: string, places: string): string {
  const all = `list_transform(${forLambda(`range(1, len(${pieces}) + 1)`)}, lambda i: 2 * i + 1)`;
  const both = `list_concat(${all}, list_transform(${forLambda(places)}, lambda i: 2 * i))`;
  return `list_slice(list_grade_up(list_grade_up(${both})), 1, len(${pieces}))`;
}

/** @param v a list of structs of `withLevels` */
function written(v: string): string {
  const [piece, opened, closed] = mapItems([1, 2, 3], (index) => `struct_extract_at(z, ${index})`);
  const level = `CAST(${opened} - ${closed} AS BIGINT)`;
  const before = `(${level} - (CASE WHEN ${opens(piece)} THEN 1 ELSE 0 END))`;
  const line = (levels: string): string => `(1 + ${INDENT.length} * ${levels})`;
  const grown =
    `(CASE WHEN starts_with(${piece}, ',') THEN ${line(before)} ELSE 0 END)` +
    ` + (CASE WHEN ${opens(piece)} OR ${closes(piece)} THEN ${line(level)} WHEN ends_with(${piece}, ':') THEN 1 ELSE 0 END)`;
  const sum = (list: string, size: string): string =>
    `coalesce(list_sum(list_transform(${forLambda(list)}, lambda z: ${size})), 0)`;
  const sized = structPack([
    ['p', v],
    ['s', sum(v, `strlen(${piece})`)],
    ['g', sum(v, grown)],
  ]);
  const newLine = (levels: string): string => `${quoteText('\n')} || repeat(${quoteText(INDENT)}, ${levels})`;
  const start =
    `(CASE WHEN ${closes(piece)} THEN ${newLine(level)} || ${piece} WHEN NOT starts_with(${piece}, ',') THEN ${piece} ` +
    `ELSE ',' || ${newLine(before)} || substr(${piece}, 2) END)`;
  const end = `(CASE WHEN ${opens(piece)} THEN ${newLine(level)} WHEN ends_with(${piece}, ':') THEN ' ' ELSE '' END)`;
  return nameOnce(sized, (w) => {
    const text = `array_to_string(list_transform(${forLambda(fieldOf(w, 'p'))}, lambda z: ${start} || ${end}), '')`;
    const isLong = tooLong(fieldOf(w, 's'), fieldOf(w, 'g'));
    return `(CASE WHEN ${isLong} THEN ${raise('text_too_long')} ELSE ${text} END)`;
  });
}
