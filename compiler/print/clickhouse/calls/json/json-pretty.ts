/** Writes JSON text on several lines. */
import { MAX_LINES } from '../../../../functions/limits';
import { INDENT, ONE_LINE, PIECES } from '../../../base/json/pretty-json';
import { tooLong } from '../../../base/text/text-growth';
import { nameOnce } from '../../values/bind-once';
import { failsWhen, quoteText } from '../../values/literals';

/** @param x a short text, which is repeated */
export function prettyJson(x: string): string {
  const text = `ifNull(${x}, '')`;
  const lines = nameOnce(`replaceRegexpAll(${text}, ${quoteText(ONE_LINE)}, '')`, (v) => {
    const count = (characters: string): string =>
      `(length(${v}) - length(replaceRegexpAll(${v}, '[${characters}]', '')))`;
    return `(1 + ${count(',')} + 2 * ${count('[{')})`;
  });
  const step = `multiIf(${opens('e')}, toInt32(1), ${closes('e')}, toInt32(-1), toInt32(0))`;
  const known = nameOnce(`extractAll(${text}, ${quoteText(PIECES)})`, (p) =>
    nameOnce(`tuple(${p}, arrayCumSum(arrayMap(e -> ${step}, ${p})))`, (v) => written(`${v}.1`, `${v}.2`))
  );
  const fails = failsWhen(`${lines} > ${MAX_LINES}`, 'too_many_lines');
  return `(CASE WHEN ${x} IS NULL OR ${fails} THEN NULL ELSE ${known} END)`;
}

const opens = (piece: string): string => `(endsWith(${piece}, '[') OR endsWith(${piece}, '{'))`;
const closes = (piece: string): string => `${piece} IN (']', '}')`;

/** @param pieces @param levels behind each piece; short texts */
function written(pieces: string, levels: string): string {
  const isOpen = `toInt64(${opens('e')})`;
  const line = (level: string): string => `(1 + ${INDENT.length} * ${level})`;
  const grown =
    `arraySum(arrayMap((e, l) -> if(startsWith(e, ','), ${line(`(l - ${isOpen})`)}, 0) + ` +
    `multiIf(${opens('e')} OR ${closes('e')}, ${line('l')}, endsWith(e, ':'), 1, 0), ${pieces}, ${levels}))`;
  const newLine = (level: string): string => `${quoteText('\n')}, repeat(${quoteText(INDENT)}, ${level})`;
  const before =
    `multiIf(${closes('e')}, concat(${newLine('l')}, e), NOT startsWith(e, ','), e, ` +
    `concat(',', ${newLine(`(l - ${isOpen})`)}, substring(e, 2)))`;
  const behind = `multiIf(${opens('e')}, concat(${newLine('l')}), endsWith(e, ':'), ' ', '')`;
  const text = `arrayStringConcat(arrayMap((e, l) -> concat(${before}, ${behind}), ${pieces}, ${levels}))`;
  const size = `arraySum(arrayMap(e -> length(e), ${pieces}))`;
  return `(CASE WHEN ${failsWhen(tooLong(size, grown), 'text_too_long')} THEN NULL ELSE ${text} END)`;
}
