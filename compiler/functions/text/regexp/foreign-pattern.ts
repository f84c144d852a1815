/**
 * Forms of regular expressions that other engines have and RE2 does not. The library (re2js) names few of them: it
 * calls a lookbehind a bad name of a group.
 */

export interface ForeignForm {
  /** Names the form, as in `(?! is a negative lookahead`. */
  readonly name: string;
  readonly hint: string;
}

const TWO_CONDITIONS = 'use two conditions: one for what must match, one negated for what must not';
const GROUP = 'match the text around it, too, and put a group round the part to extract';

/** Beginnings of what a pattern cannot be parsed from; the first that fits counts. */
const FORMS: readonly (readonly [RegExp, ForeignForm])[] = [
  [/^\(\?!/, { name: 'a negative lookahead', hint: TWO_CONDITIONS }],
  [/^\(\?=/, { name: 'a lookahead', hint: GROUP }],
  [/^\(\?<!/, { name: 'a negative lookbehind', hint: TWO_CONDITIONS }],
  [/^\(\?<=/, { name: 'a lookbehind', hint: GROUP }],
  [/^\(\?>/, { name: 'an atomic group', hint: 'write (?:...): matching never goes back' }],
  [/^\\[1-9k]/, { name: 'a reference to a group', hint: 'extract both parts and compare them' }],
  [/^[*+?]\+/, { name: 'a possessive quantifier', hint: 'leave out the second +: matching never goes back' }],
  [/^\\Z/, { name: 'an end of the text before a line break', hint: String.raw`write \n?\z` }],
  [/^\\h/, { name: 'a blank or tab', hint: String.raw`write [ \t]` }],
];

/** The form that `rest`, from which on a pattern cannot be parsed, begins with. */
export function foreignForm(rest: string): ForeignForm | undefined {
  return FORMS.find(([beginning]) => beginning.test(rest))?.[1];
}
