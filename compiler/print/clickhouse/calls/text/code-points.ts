/** Characters and bytes as numbers. */
import { MAX_ROW_LIST_LENGTH } from '../../../../functions/limits';
import type { CodePointOps } from '../../../../ir/operations/ops';
import type { Type } from '../../../../ir/types';
import { isCharacter } from '../../../base/text/code-points';
import type { CallPrinters } from '../../../dialect/dialect';
import { elements, typedList } from '../../values/lists';
import { bindOnce, nameOnce } from '../../values/bind-once';
import { failsWhen, int } from '../../values/literals';
import { orFail } from '../../values/or-fail';

export const codePoints: CallPrinters<CodePointOps> = {
  text_code_points: (operands, { type }) =>
    bindOnce(operands, (x) => {
      const numbers = `arrayMap(p -> ${numberOf('p')}, ngrams(ifNull(${x}, ''), 1))`;
      return listUnlessTooLong(x, `lengthUTF8(${x})`, numbers, type);
    }),
  bytes_code_points: (operands, { type }) =>
    bindOnce(operands, (x) => {
      const numbers = `arrayMap(p -> reinterpretAsUInt8(substring(ifNull(${x}, ''), p + 1, 1)), range(length(ifNull(${x}, ''))))`;
      return listUnlessTooLong(x, `length(${x})`, numbers, type);
    }),
  code_points_to_text: (operands, { options }) =>
    bindOnce(operands, (list) => {
      const text = `arrayStringConcat(arrayMap(p -> ${characterOf('assumeNotNull(p)')}, ${elements(list)}))`;
      return ofList(list, isCharacter, text, options.safe);
    }),
  code_points_to_bytes: (operands, { options }) =>
    bindOnce(operands, (list) => {
      const value = `arrayStringConcat(arrayMap(p -> char(assumeNotNull(p)), ${elements(list)}))`;
      return ofList(list, (p) => `${p} BETWEEN 0 AND 255`, value, options.safe);
    }),
  first_code_point: (operands) =>
    bindOnce(operands, (x) => `if(${x} = '', ${int(0)}, ${nameOnce(`substringUTF8(${x}, 1, 1)`, numberOf)})`),
  first_ascii: (operands, { options }) =>
    bindOnce(operands, (x) => {
      const first = `toInt64(reinterpretAsUInt8(substring(ifNull(${x}, ''), 1, 1)))`;
      const value = `if(${x} = '', ${int(0)}, if(${first} < 128 AND ${x} IS NOT NULL, ${first}, NULL))`;
      return orFail(x, value, options.safe, 'out_of_range');
    }),
  chr: (operands, { options }) =>
    bindOnce(operands, (n) => {
      const value = `if(${isCharacter(n)}, ${characterOf(`ifNull(${n}, 0)`)}, NULL)`;
      return orFail(n, value, options.safe, 'out_of_range');
    }),
  normalize_nfc: ([x]) => `normalizeUTF8NFC(${x.sql})`,
};

/** Number of a character of UTF-8. @param p a short text, which is repeated */
function numberOf(p: string): string {
  const at = (index: number): string => `toInt64(reinterpretAsUInt8(substring(ifNull(${p}, ''), ${index}, 1)))`;
  const rest = (index: number): string => `bitAnd(${at(index)}, 63)`;
  const two = `bitAnd(${at(1)}, 31) * 64 + ${rest(2)}`;
  const three = `bitAnd(${at(1)}, 15) * 4096 + ${rest(2)} * 64 + ${rest(3)}`;
  const four = `bitAnd(${at(1)}, 7) * 262144 + ${rest(2)} * 4096 + ${rest(3)} * 64 + ${rest(4)}`;
  const size = `length(${p})`;
  return `toInt64(multiIf(${p} IS NULL, NULL, ${size} = 1, ${at(1)}, ${size} = 2, ${two}, ${size} = 3, ${three}, ${four}))`;
}

/** The character of a number. @param n a short text, which is repeated */
function characterOf(n: string): string {
  const rest = (shift: number): string => `128 + bitAnd(bitShiftRight(${n}, ${shift}), 63)`;
  const first = (mark: number, shift: number): string => `${mark} + bitShiftRight(${n}, ${shift})`;
  return (
    `multiIf(${n} < 128, char(${n}), ${n} < 2048, char(${first(192, 6)}, ${rest(0)}), ` +
    `${n} < 65536, char(${first(224, 12)}, ${rest(6)}, ${rest(0)}), char(${first(240, 18)}, ${rest(12)}, ${rest(6)}, ${rest(0)}))`
  );
}

function listUnlessTooLong(x: string, length: string, numbers: string, type: Type): string {
  const fails = failsWhen(`${length} > ${MAX_ROW_LIST_LENGTH}`, 'list_too_long');
  return `if(${x} IS NULL OR ${fails}, NULL, ${typedList(numbers, type)})`;
}

function ofList(list: string, isValid: (p: string) => string, value: string, safe: boolean): string {
  const items = elements(list);
  const tooMany = failsWhen(`length(${items}) > ${MAX_ROW_LIST_LENGTH}`, 'text_too_long');
  const isBad = `arrayExists(p -> NOT ${isValid('ifNull(p, 1)')}, ${items})`;
  const bad = safe ? isBad : failsWhen(isBad, 'out_of_range');
  return `if(${list} IS NULL OR ${tooMany} OR arrayExists(p -> p IS NULL, ${items}) OR ${bad}, NULL, ${value})`;
}
