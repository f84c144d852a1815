/** Characters and bytes as numbers. */
import { MAX_ROW_LIST_LENGTH } from '../../../../functions/limits';
import type { CodePointOps } from '../../../../ir/operations/ops';
import { named } from '../../../base/functions';
import { isCharacter } from '../../../base/text/code-points';
import type { CallPrinters } from '../../../dialect/dialect';
import { bindOnce } from '../../values/bind-once';
import { raise } from '../../values/literals';
import { joined, pairs, sizeOf } from './bytes';
import { forLambda } from '../../values/for-lambda';

export const codePoints: CallPrinters<CodePointOps> = {
  text_code_points: (operands) =>
    bindOnce(
      operands,
      (x) =>
        `(CASE WHEN length(${x}) > ${MAX_ROW_LIST_LENGTH} THEN ${raise('list_too_long')} WHEN ${x} = '' THEN CAST([] AS BIGINT[]) ` +
        `WHEN ${x} IS NOT NULL THEN list_transform(${forLambda(`string_split(${x}, '')`)}, lambda p: CAST(unicode(p) AS BIGINT)) END)`
    ),
  bytes_code_points: (operands) =>
    bindOnce(
      operands,
      (x) =>
        `(CASE WHEN ${sizeOf(x)} > ${MAX_ROW_LIST_LENGTH} THEN ${raise('list_too_long')} ` +
        `WHEN ${x} IS NOT NULL THEN list_transform(${forLambda(pairs(x))}, lambda p: CAST(CAST('0x' || p AS UTINYINT) AS BIGINT)) END)`
    ),
  code_points_to_text: (operands, { options }) =>
    bindOnce(operands, (list) => {
      const text = `coalesce(array_to_string(list_transform(${forLambda(list)}, lambda p: chr(CAST(p AS INTEGER))), ''), '')`;
      return ofList(list, isCharacter, text, options.safe);
    }),
  code_points_to_bytes: (operands, { options }) =>
    bindOnce(operands, (list) => {
      const value = `coalesce(${joined(`list_transform(${forLambda(list)}, lambda p: printf('%02x', p))`)}, CAST('' AS BLOB))`;
      return ofList(list, (p) => `${p} BETWEEN 0 AND 255`, value, options.safe);
    }),
  first_code_point: (operands) =>
    bindOnce(operands, (x) => `(CASE WHEN ${x} = '' THEN CAST(0 AS BIGINT) ELSE CAST(unicode(${x}) AS BIGINT) END)`),
  first_ascii: (operands, { options }) =>
    bindOnce(
      operands,
      (x) =>
        `(CASE WHEN ${x} = '' THEN CAST(0 AS BIGINT) WHEN unicode(${x}) < 128 THEN CAST(unicode(${x}) AS BIGINT) WHEN ${x} IS NOT NULL THEN ${failing(options.safe)} END)`
    ),
  chr: (operands, { options }) =>
    bindOnce(
      operands,
      (n) =>
        `(CASE WHEN ${isCharacter(n)} THEN chr(CAST(${n} AS INTEGER)) WHEN ${n} IS NOT NULL THEN ${failing(options.safe)} END)`
    ),
  normalize_nfc: named('nfc_normalize'),
};

function ofList(list: string, isValid: (p: string) => string, value: string, safe: boolean): string {
  return (
    `(CASE WHEN len(${list}) > ${MAX_ROW_LIST_LENGTH} THEN ${raise('text_too_long')} ` +
    `WHEN ${list} IS NULL OR len(list_filter(${forLambda(list)}, lambda p: p IS NULL)) > 0 THEN NULL ` +
    `WHEN len(list_filter(${forLambda(list)}, lambda p: NOT ${isValid('p')})) > 0 THEN ${failing(safe)} ELSE ${value} END)`
  );
}

function failing(safe: boolean): string {
  return safe ? 'NULL' : raise('out_of_range');
}
