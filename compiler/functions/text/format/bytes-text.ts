/** Texts of BYTES for FORMAT: `%t` escapes what does not print, `%T` is the literal. */
import type { Expr } from '../../../ir/expression';
import { callOf } from '../../../ir/operations/call';
import { overElements } from '../../../ir/operations/lambda';
import { arrayOf, BOOL, BYTES, INT64, STRING } from '../../../ir/types';
import { wholeNumber } from '../../arguments';

/** Printable characters of ASCII as they are, quotes and backslashes behind a backslash, other bytes as `\x00`. */
export function bytesText(value: Expr): Expr {
  return escapedBytes(value, `"'\`\\`);
}

/** `b"a"`; `b'a"'` where that needs no escape for a quote. */
export function bytesLiteral(value: Expr): Expr {
  const hasQuote = (quote: string) =>
    callOf('gt', [callOf('bytes_strpos', [value, bytes(quote)], INT64), number(0)], BOOL);
  const when = callOf('and', [hasQuote('"'), callOf('not', [hasQuote("'")], BOOL)], BOOL);
  const literal = (quote: string) => joinedTexts(text(`b${quote}`), escapedBytes(value, `${quote}\\`), text(quote));
  return { kind: 'case', branches: [{ when, then: literal("'") }], otherwise: literal('"'), type: STRING };
}

/** @param escaped characters behind a backslash */
function escapedBytes(value: Expr, escaped: string): Expr {
  const written = overElements('f2', INT64, (code) => {
    const character = callOf('code_points_to_text', [{ kind: 'array', items: [code], type: arrayOf(INT64) }], STRING, {
      safe: false,
    });
    const isIn = (codes: readonly number[]) => callOf('in_list', [code, ...codes.map(number)], BOOL);
    const isPlain = callOf('between', [code, number(0x20), number(0x7e)], BOOL);
    const hex = callOf('format_base', [callOf('add', [code, number(0x100)], INT64)], STRING, { code: 'x' });
    return {
      kind: 'case',
      branches: [
        { when: isIn([...escaped].map((each) => each.charCodeAt(0))), then: joinedTexts(text('\\'), character) },
        { when: isPlain, then: character },
      ],
      otherwise: joinedTexts(text('\\x'), callOf('substr', [hex, number(2)], STRING, { safe: false })),
      type: STRING,
    };
  });
  const codes = callOf('bytes_code_points', [value], arrayOf(INT64));
  return callOf('array_to_string', [callOf('list_map', [codes, written], arrayOf(STRING)), text('')], STRING);
}

function number(value: number): Expr {
  return wholeNumber(BigInt(value));
}

function text(value: string): Expr {
  return { kind: 'literal', type: STRING, value };
}

/** @param character of ASCII */
function bytes(character: string): Expr {
  return { kind: 'literal', type: BYTES, value: character.charCodeAt(0).toString(16) };
}

function joinedTexts(first: Expr, ...others: readonly Expr[]): Expr {
  return callOf('concat', [first, ...others], STRING);
}
