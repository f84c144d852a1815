/** Parses the format of `CAST(time AS STRING FORMAT 'YYYY-MM-DD HH24:MI:SS')`. */
import { itemAt } from '../items';

/** How letters are written: as they are for `Month`. */
export type Letters = 'upper' | 'lower' | 'capitalized';

export type CastFormatPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'element'; readonly name: string; readonly letters: Letters };

const OF_DATE = ['YYYY', 'YYY', 'YY', 'Y', 'RRRR', 'RR', 'MONTH', 'MON', 'MM', 'DAY', 'DY', 'DDD', 'DD', 'D'];
const OF_CLOCK = ['HH24', 'HH12', 'HH', 'MI', 'SSSSS', 'SS', 'A.M.', 'P.M.', 'AM', 'PM'];
const FRACTIONS = ['FF1', 'FF2', 'FF3', 'FF4', 'FF5', 'FF6', 'FF7', 'FF8', 'FF9'];
const OF_ZONE = ['TZH', 'TZM'];

/** Elements of each type. */
export const CAST_FORMAT_ELEMENTS: Readonly<Record<string, readonly string[]>> = {
  DATE: OF_DATE,
  TIME: [...OF_CLOCK, ...FRACTIONS],
  DATETIME: [...OF_DATE, ...OF_CLOCK, ...FRACTIONS],
  TIMESTAMP: [...OF_DATE, ...OF_CLOCK, ...FRACTIONS, ...OF_ZONE],
};

/** Longest first, so that `MONTH` is not `MON`. */
const NAMES = [...OF_DATE, ...OF_CLOCK, ...FRACTIONS, ...OF_ZONE].sort((a, b) => b.length - a.length);
const MARKS = "-./,';: ";

/** Parts of a format, or what follows the last part that is known. @param kind a type with elements */
export function parseCastFormat(
  format: string,
  kind: string
): { readonly parts: readonly CastFormatPart[] } | { readonly unknown: string } {
  const allowed = CAST_FORMAT_ELEMENTS[kind] ?? [];
  const parts: CastFormatPart[] = [];
  for (let at = 0; at < format.length;) {
    const rest = format.slice(at);
    // A year with a comma, which GoogleSQL refuses, too.
    if (/^y,y/i.test(rest)) return { unknown: rest.slice(0, 10) };
    const quoted = /^"([^"\\]*)"/.exec(rest);
    const upper = rest.slice(0, 5).toUpperCase();
    const name = NAMES.find((candidate) => upper.startsWith(candidate));
    if (quoted) parts.push({ kind: 'text', text: itemAt(quoted, 1) });
    else if (MARKS.includes(rest.charAt(0))) parts.push({ kind: 'text', text: rest.charAt(0) });
    else if (name !== undefined && allowed.includes(name)) {
      parts.push({ kind: 'element', name, letters: lettersOf(rest.slice(0, name.length)) });
    } else return { unknown: rest.slice(0, 10) };
    at += quoted?.[0].length ?? (MARKS.includes(rest.charAt(0)) ? 1 : (name as string).length);
  }
  return { parts };
}

function lettersOf(written: string): Letters {
  const [first, second] = written.replaceAll('.', '');
  if (first !== first?.toUpperCase()) return 'lower';
  return second !== second?.toUpperCase() ? 'capitalized' : 'upper';
}
