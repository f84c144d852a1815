/** Errors of LQL. Each has a position in the LQL text. */
import { ServiceError, type ErrorCode, type ErrorDetails } from '#contract/errors';
import { keysOf } from '#contract/records';
import type { SourcePosition } from '../ast';

/** Error code of each reason; `rule` names the violated sandbox rule. */
const REASONS = {
  syntax: { code: 'sql_syntax' },
  unclosed_quote: { code: 'sql_syntax' },
  unclosed_paren: { code: 'sql_syntax' },
  quote_in_word: { code: 'sql_syntax' },
  bad_field: { code: 'sql_syntax' },
  bad_path: { code: 'sql_syntax' },
  bad_alias: { code: 'sql_syntax' },
  bad_value: { code: 'sql_syntax' },
  bad_time: { code: 'sql_syntax' },
  bad_chart: { code: 'sql_syntax' },
  negated_clause: { code: 'sql_syntax' },
  duplicate_from: { code: 'query_invalid' },
  duplicate_alias: { code: 'query_invalid' },
  duplicate_bucket: { code: 'query_invalid' },
  no_timestamp: { code: 'query_invalid' },
  bad_regex: { code: 'query_invalid' },
  null_operator: { code: 'query_invalid' },
  range_operator: { code: 'query_invalid' },
  array_needs_includes: { code: 'query_invalid' },
  includes_needs_array: { code: 'query_invalid' },
  type_mismatch: { code: 'query_invalid' },
  not_queryable: { code: 'query_invalid' },
  unknown_column: { code: 'query_invalid' },
  table_required: { code: 'query_invalid' },
  unknown_table: { code: 'sandbox_violation', rule: 'table' },
  too_long: { code: 'query_too_complex' },
  too_many_clauses: { code: 'query_too_complex' },
} as const satisfies Readonly<Record<string, { readonly code: ErrorCode; readonly rule?: string }>>;

export type LqlReason = keyof typeof REASONS;

/** All reasons, in the order of the reference. */
export const LQL_REASONS = keysOf(REASONS);

/**
 * Creates an error at a position of the LQL text: `details.position`, and `details.offset` and `details.length` in
 * UTF-16 code units, so that editors can mark the range.
 */
export function lqlError(
  reason: LqlReason,
  message: string,
  position: SourcePosition,
  details: ErrorDetails = {}
): ServiceError {
  const outer: { readonly code: ErrorCode; readonly rule?: string } = REASONS[reason];
  return new ServiceError(outer.code, message, {
    reason,
    ...(outer.rule === undefined ? {} : { rule: outer.rule }),
    ...placeOf(position),
    ...details,
  });
}

export function placeOf({ line, column, offset, end }: SourcePosition) {
  return { position: { line, column }, offset, length: end - offset };
}
