/** The elements of a list in one text. */
import { joinPrinters } from '../../../base/text/joins';
import { tooLong } from '../../../base/text/text-growth';
import { bindOnce, fieldOf, nameOnce } from '../../values/bind-once';
import { quoteText, raise } from '../../values/literals';
import { structPack } from '../../values/struct-pack';
import { mapItems } from '../../../../items';
import { forLambda } from '../../values/for-lambda';

export const joins = joinPrinters({
  bindOnce,
  quoteText,
  // DuckDB returns NULL for a list of NULLs.
  joined: (list, element, separator, missing) =>
    `coalesce(array_to_string(${elements(list, element, missing)}, ${separator}), '')`,
  replaced: (joined, marks, separator, missing) => {
    const values = structPack([
      ['j', joined],
      ['s', separator],
      ...(missing === undefined ? [] : [['m', missing] as const]),
    ]);
    return nameOnce(values, (v) => {
      const [text, s, m] = mapItems(['j', 's', 'm'], (field) => fieldOf(v, field));
      const count = (mark: string): string =>
        `((strlen(${text}) - strlen(replace(${text}, ${quoteText(mark)}, ''))) // ${mark.length})`;
      const ofMissing = missing === undefined ? '' : ` + ${count(marks.missing)} * strlen(${m})`;
      const grown = `((${count(marks.separator)} * strlen(${s})${ofMissing}) // ${marks.digits})`;
      const separated = `replace(${text}, ${quoteText(marks.separator)}, ${s})`;
      const whole = missing === undefined ? separated : `replace(${separated}, ${quoteText(marks.missing)}, ${m})`;
      const isLong = tooLong(`(strlen(${text}) // ${marks.digits})`, grown);
      return `(CASE WHEN ${isLong} THEN ${raise('text_too_long')} ELSE ${whole} END)`;
    });
  },
  unlessNull: (values, sql) =>
    `(CASE WHEN ${values.map((x) => `${x} IS NULL`).join(' OR ')} THEN NULL ELSE ${sql} END)`,
});

function elements(list: string, element: string, missing: string | undefined): string {
  if (missing !== undefined) return `list_transform(${forLambda(list)}, lambda e: coalesce(${element}, ${missing}))`;
  return element === 'e' ? list : `list_transform(${forLambda(list)}, lambda e: ${element})`;
}
