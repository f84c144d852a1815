/** Errors of the resolver, with the dialect's reasons and their error codes. */
import { ServiceError, type ErrorCode, type ErrorDetails } from '#contract/errors';
import type { SourcePosition } from '../ast';

/** Reasons with a code other than `query_invalid`; `rule` names the violated sandbox rule. */
const OUTER: Readonly<Record<string, { readonly code: ErrorCode; readonly rule?: string }>> = {
  unknown_function: { code: 'sandbox_violation', rule: 'function' },
  table_not_available: { code: 'sandbox_violation', rule: 'table' },
  table_function: { code: 'sandbox_violation', rule: 'table' },
  not_supported: { code: 'sandbox_violation', rule: 'clause' },
  not_in_dialect: { code: 'sql_syntax' },
  too_complex: { code: 'query_too_complex' },
  bad_parameter: { code: 'parameter_invalid' },
  missing_parameter: { code: 'parameter_missing' },
};

/** Creates an error at a position of the caller's text. */
export function failure(
  reason: string,
  message: string,
  position: SourcePosition,
  details: ErrorDetails = {}
): ServiceError {
  const outer = OUTER[reason] ?? { code: 'query_invalid' as const };
  return new ServiceError(outer.code, message, {
    reason,
    ...(outer.rule === undefined ? {} : { rule: outer.rule }),
    position: { line: position.line, column: position.column },
    ...details,
  });
}
