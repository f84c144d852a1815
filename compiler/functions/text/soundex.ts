/** SOUNDEX, as GoogleSQL computes it: vowels do not separate letters of one code. */
import type { Expr } from '../../ir/expression';
import { callOf } from '../../ir/operations/call';
import { overElements, firstItem } from '../../ir/operations/lambda';
import { arrayOf, STRING } from '../../ir/types';
import { checkCount, typedArgument, valueOf, wholeNumber } from '../arguments';
import type { FunctionSpec } from '../function';

/** The letters of each code, from 1. */
const LETTERS = ['bfpv', 'cgjkqsxz', 'dt', 'l', 'mn', 'r'];
const BOTH_CASES = LETTERS.map((letters) => letters + letters.toUpperCase());
const CODED = `[${BOTH_CASES.join('')}]`;
/** Code letters behind the first letter. */
const DIGITS = 3;

export const soundex: FunctionSpec = {
  names: ['SOUNDEX'],
  kind: 'scalar',
  safe: 'never fails',
  usage: 'SOUNDEX(text)',
  summary:
    'How a word sounds in English: its first letter and three digits; empty for a text without a letter of a to z.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, soundex.usage, 1);
    const { expr } = typedArgument(call, ctx, 0, STRING);
    // A list of one text, so that the text is computed once.
    const code = overElements('s1', STRING, codeOf);
    const texts: Expr = { kind: 'array', items: [expr], type: arrayOf(STRING) };
    return valueOf(call, firstItem(callOf('list_map', [texts, code], arrayOf(STRING)), STRING), STRING);
  },
};

function codeOf(word: Expr): Expr {
  const first = callOf('regexp_extract', [word, text('[A-Za-z]')], STRING, { group: 0, emptyIsNull: false });
  const onlyCoded = replaced(word, CODED.replace('[', '[^'), '');
  const codes = BOTH_CASES.reduce((code, letters, index) => replaced(code, `[${letters}]+`, `${index + 1}`), onlyCoded);
  // The first letter takes one place, also where it has no code.
  const isCoded = callOf('regexp_contains', [word, text(`^[^A-Za-z]*${CODED}`)], { kind: 'BOOL' });
  const place: Expr = {
    kind: 'case',
    branches: [{ when: isCoded, then: text('') }],
    otherwise: text('0'),
    type: STRING,
  };
  const filled = callOf('concat', [place, codes, text('0'.repeat(DIGITS))], STRING);
  const digits = callOf('substr', [filled, wholeNumber(2n), wholeNumber(BigInt(DIGITS))], STRING, { safe: false });
  const empty = callOf('left', [word, wholeNumber(0n)], STRING, { safe: false });
  return callOf('coalesce', [callOf('concat', [first, digits], STRING), empty], STRING);
}

function replaced(value: Expr, pattern: string, by: string): Expr {
  return callOf('regexp_replace', [value, text(pattern), text(by)], STRING, { empty: false });
}

function text(value: string): Expr {
  return { kind: 'literal', type: STRING, value };
}
