/** Operations that combine or reduce lists. */
import type { ListOps } from '../../../../ir/operations/ops';
import type { Type } from '../../../../ir/types';
import type { CallPrinters } from '../../../dialect/dialect';
import { bindOnce } from '../../values/bind-once';
import { raise, structNames, typeName } from '../../values/literals';
import { forLambda } from '../../values/for-lambda';

export const lists: CallPrinters<ListOps> = {
  list_zip: (operands, { type, options }) =>
    bindOnce(operands, (...all) => {
      const missing = all.map((list) => `${list} IS NULL`).join(' OR ');
      const lengths = all.slice(1).map((list) => `len(${list}) <> len(${all[0]})`);
      const strict =
        options.mode === 'STRICT' && lengths.length > 0
          ? `WHEN ${lengths.join(' OR ')} THEN ${raise('list_lengths')} `
          : '';
      const zipped = `list_zip(${all.join(', ')}${options.mode === 'TRUNCATE' ? ', TRUE' : ''})`;
      const fields = namesOf(type).map((name, index) => `${name} := struct_extract_at(z, ${index + 1})`);
      const structs = `list_transform(${forLambda(zipped)}, lambda z: struct_pack(${fields.join(', ')}))`;
      return `(CASE WHEN ${missing} THEN CAST(NULL AS ${typeName(type)}) ${strict}ELSE ${structs} END)`;
    }),
  list_flatten: ([list]) => `flatten(${list.sql})`,
  list_slice: (operands) =>
    bindOnce(operands, (list, first, last) => {
      const at = (offset: string): string => `(${offset} + CASE WHEN ${offset} < 0 THEN len(${list}) ELSE 0 END)`;
      const end = `least(${at(last)}, len(${list}))`;
      const part = `list_slice(${list}, greatest(${at(first)}, 0) + 1, ${end} + 1)`;
      return (
        `(CASE WHEN ${[list, first, last].map((x) => `${x} IS NULL`).join(' OR ')} THEN NULL ` +
        `WHEN ${end} < 0 OR ${at(first)} > ${end} THEN list_slice(${list}, 1, 0) ELSE ${part} END)`
      );
    }),
  list_sum: ([list], { type, safe }) =>
    type.kind === 'INT64'
      ? `${safe === true ? 'TRY_CAST' : 'CAST'}(list_sum(${list.sql}) AS BIGINT)`
      : `list_sum(${list.sql})`,
  list_avg: ([list]) => `list_avg(${list.sql})`,
  // DuckDB sorts NaN above all numbers.
  list_min: ([list], _, mayBeNaN) =>
    mayBeNaN(list.expr)
      ? bindOnce(
          [list] as const,
          (x) =>
            `(CASE WHEN list_contains(${x}, CAST('NaN' AS DOUBLE)) THEN CAST('NaN' AS DOUBLE) ELSE list_min(${x}) END)`
        )
      : `list_min(${list.sql})`,
  list_max: ([list]) => `list_max(${list.sql})`,
  // Inside of structs, NULL is a value of its own and NaN equals itself.
  list_is_distinct: (operands) =>
    bindOnce(
      operands,
      (x) => `(list_unique(list_transform(${forLambda(x)}, lambda q: struct_pack(q := q))) = len(${x}))`
    ),
  range_bucket: (operands, { safe }) =>
    bindOnce(operands, (point, list) => {
      const { type } = operands[1].expr;
      const isFloat = type.kind === 'ARRAY' && type.element.kind === 'FLOAT64';
      const isMissing = isFloat ? '(q IS NULL OR isnan(q))' : 'q IS NULL';
      const hasMissing = `len(list_filter(${forLambda(list)}, lambda q: ${isMissing})) > 0`;
      const isUnordered = `list_sort(${list}) IS DISTINCT FROM ${list}`;
      return (
        `(CASE WHEN ${point} IS NULL OR ${list} IS NULL THEN CAST(NULL AS BIGINT) ` +
        `WHEN ${hasMissing} OR ${isUnordered} THEN ${safe === true ? 'NULL' : raise('list_order')} ` +
        `ELSE len(list_filter(${forLambda(list)}, lambda q: q <= ${point})) END)`
      );
    }),
};

/** Names of the fields of a list's structs. */
function namesOf(type: Type): readonly string[] {
  if (type.kind !== 'ARRAY' || type.element.kind !== 'STRUCT') throw new Error('Zipped lists give a list of structs.');
  return structNames(type.element.fields.map(({ name }) => name));
}
