/** The elements of a list in one text. */
import { joinPrinters } from '../../../base/text/joins';
import { tooLong } from '../../../base/text/text-growth';
import { elements } from '../../values/lists';
import { bindOnce, nameOnce } from '../../values/bind-once';
import { failsWhen, quoteText } from '../../values/literals';

export const joins = joinPrinters({
  bindOnce,
  quoteText,
  joined: (list, element, separator, missing) =>
    `arrayStringConcat(${texts(list, element, missing)}, ifNull(${separator}, ''))`,
  replaced: (joined, marks, separator, missing) =>
    nameOnce(`tuple(${joined}, ifNull(${separator}, ''), ifNull(${missing ?? "''"}, ''))`, (v) => {
      const count = (mark: string): string => `countSubstrings(${v}.1, ${quoteText(mark)})`;
      const added = `(${count(marks.separator)} * length(${v}.2) + ${count(marks.missing)} * length(${v}.3))`;
      const isLong = tooLong(`intDiv(length(${v}.1), ${marks.digits})`, `intDiv(${added}, ${marks.digits})`);
      const separated = `replaceAll(${v}.1, ${quoteText(marks.separator)}, ${v}.2)`;
      const whole = missing === undefined ? separated : `replaceAll(${separated}, ${quoteText(marks.missing)}, ${v}.3)`;
      return `(CASE WHEN ${failsWhen(isLong, 'text_too_long')} THEN NULL ELSE ${whole} END)`;
    }),
  unlessNull: (values, sql) => `if(${values.map((x) => `${x} IS NULL`).join(' OR ')}, NULL, ${sql})`,
});

function texts(list: string, element: string, missing: string | undefined): string {
  if (missing !== undefined) return `arrayMap(e -> ifNull(${element}, ${missing}), ${elements(list)})`;
  const present = `arrayFilter(e -> e IS NOT NULL, ${elements(list)})`;
  return element === 'e' ? present : `arrayMap(e -> ${element}, ${present})`;
}
