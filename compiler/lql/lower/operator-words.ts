/** Words of a message filter that are more than a word in other languages. */
import { isLevel } from '../parser/classify';
import { LEVELS, OPERATOR_WORD } from '../rules';

/** Names of metadata, and names in general, followed by an operator. A message may well hold `key=value`. */
const COMPARED_FIELD = /^(?:m|metadata)(?:\.[\p{L}_][\p{L}\p{N}_]*)+[=<>!]/u;
const ORDERED_NAME = /^[\p{L}_][\p{L}\p{N}_.]*(?:[<>]=?|!=)[^<>]+$/u;
const EITHER = /^[\p{L}\p{N}_.-]+(?:\|[\p{L}\p{N}_.-]+)+$/u;
const GROUP = /^\(.*\)$/u;
const NEGATED = /^![\p{L}\p{N}_]/u;
const NAMES_AS_RANGE = /^[\p{L}_-]+\.\.[\p{L}_-]+$/u;
/** The media type of any content is a value of headers. */
const WILDCARD = /^(?!\*\/\*$)(?:\*[^*]+\*?|[^*]+\*)$/u;

/** @returns what to write instead of a value such as `a*`, `a|b`, `null`, `'a`, `warn..error`; null: nothing */
export function valueAdvice(value: string): string | null {
  if (/^null$/i.test(value)) return 'for a missing value write path:NULL';
  if (EITHER.test(value)) return 'for either of two write path:in(a,b)';
  if (value.startsWith("'")) return 'put double quotes round a text with blanks';
  if (NAMES_AS_RANGE.test(value))
    return `a range is of numbers, of times, or of the levels ${LEVELS.join(', ')}; else write path:in(a,b)`;
  return WILDCARD.test(value) ? 'for a part of a text write path:~part, for its beginning path:~^part' : null;
}

/** @returns what to write instead of a comparison with a level, such as `m.level:>=error`; null: no level */
export function levelAdvice(value: string): string | null {
  return isLevel(value)
    ? 'texts are ordered by letters; for levels by severity write path.level:error..emergency'
    : null;
}

/** @returns what to write instead; null: the word is a word */
export function operatorAdvice(word: string): string | null {
  if (/^(?:OR|\|\|?)$/.test(word) || EITHER.test(word)) return 'for either of two use ~a|b or path:in(a,b)';
  if (OPERATOR_WORD.test(word)) return 'all filters must hold';
  if (COMPARED_FIELD.test(word) || ORDERED_NAME.test(word)) return 'a field is followed by ":"';
  if (GROUP.test(word)) return 'there are no groups of filters';
  if (WILDCARD.test(word)) return 'it is looked for anywhere in the message, and "*" is a letter';
  return NEGATED.test(word) ? 'a filter is negated by "-"' : null;
}
