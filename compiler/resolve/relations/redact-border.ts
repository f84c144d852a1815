/**
 * The redaction border: values that pass from the saved query's named tables into a caller's statement are redacted.
 * The saved query reads events unredacted; no expression of a caller can split or compare hidden text.
 */
import { some, withChildren } from '../../ir/walk/children';
import type { ColumnExpr, Expr } from '../../ir/expression';
import type { OpName } from '../../ir/operations/ops';
import { BOOL, STRING, type Type } from '../../ir/types';
import type { SourceRedaction } from '../../catalog/source-redaction';
import { callOf, isCall } from '../../ir/operations/call';
import { hexOfText } from '../../sql/lexer/read-bytes';

/** A value in the form that a caller's expression may see. */
export function redactedExpr(expr: Expr, by: SourceRedaction): Expr {
  return holdsText(expr.type) ? { kind: 'redacted', operand: expr, by, type: expr.type } : expr;
}

function holdsText(type: Type): boolean {
  switch (type.kind) {
    case 'STRING':
    case 'BYTES':
    case 'JSON':
    case 'RECORD':
    case 'SINGLE':
      return true;
    case 'ARRAY':
      return holdsText(type.element);
    case 'STRUCT':
      return type.fields.some((field) => holdsText(field.type));
    default:
      return false;
  }
}

/** Functions that search their first argument for their second. */
const SEARCHES: ReadonlySet<OpName> = new Set<OpName>([
  'bytes_ends_with',
  'bytes_replace',
  'bytes_split',
  'bytes_starts_with',
  'bytes_strpos',
  'bytes_trim',
  'bytes_trim_end',
  'bytes_trim_start',
  'contains',
  'contains_substr',
  'ends_with',
  'like',
  'regexp_contains',
  'regexp_extract',
  'regexp_extract_all',
  'regexp_replace',
  'replace',
  'split',
  'starts_with',
  'strpos',
  'strpos_from',
  'translate',
  'trim',
  'trim_end',
  'trim_start',
]);

/** Depth of the operations that one call becomes: a search may be a part of them. */
const OPERATIONS_OF_A_CALL = 6;

/**
 * Redacts a text of a saved query that is searched for a caller's value: the result must not reveal more than a
 * redacted row does.
 */
export function redactedSearch(
  expr: Expr,
  by: SourceRedaction,
  isOfEvent: (column: ColumnExpr) => boolean,
  levels = OPERATIONS_OF_A_CALL
): Expr {
  if (expr.kind !== 'call' || !SEARCHES.has(expr.fn)) {
    if (levels === 0 || (expr.kind !== 'call' && expr.kind !== 'case' && expr.kind !== 'struct')) return expr;
    return withChildren(expr, (part) => redactedSearch(part, by, isOfEvent, levels - 1));
  }
  const [text, ...rest] = expr.args;
  if (
    (text?.type.kind !== 'STRING' && text?.type.kind !== 'BYTES') ||
    text.kind === 'redacted' ||
    !rest.some((part) => some(part, (inner) => mayHoldParameter(inner, isOfEvent))) ||
    !some(text, readsRows)
  )
    return expr;
  return { ...expr, args: [redactedExpr(text, by), ...rest] };
}

/** A parameter or a text of the query; or a column, element or subquery, which may be made of one. */
function mayHoldParameter(expr: Expr, isOfEvent: (column: ColumnExpr) => boolean): boolean {
  if (expr.kind === 'column') return !isOfEvent(expr);
  return expr.kind === 'bound' || expr.kind === 'element' || expr.kind === 'subquery';
}

function readsRows({ kind }: Expr): boolean {
  return kind === 'column' || kind === 'subquery' || kind === 'element';
}

const JSON_READERS = ['json_value', 'json_query', 'json_value_array', 'json_query_array'] as const;

/** Functions whose results hold texts of JSON. */
const JSON_DECODERS = [...JSON_READERS, 'parse_json', 'json_keys', 'json_to'] as const;

/**
 * Redacts text read from JSON again: JSON escapes in the text are resolved only by reading it. Bytes and numbers may be
 * a text or an address that was not one before.
 */
export function redactedReading(expr: Expr, by: SourceRedaction): Expr {
  return isCall(expr, ...JSON_DECODERS) || isTextOfBytes(expr) ? redactedExpr(expr, by) : expr;
}

function isTextOfBytes(expr: Expr): boolean {
  if (isCall(expr, 'bytes_to_text', 'code_points_to_text', 'ip_to_text')) return true;
  return expr.kind === 'cast' && expr.type.kind === 'STRING' && expr.operand.type.kind === 'BYTES';
}

/** Hides the value at a path that ends with the name of a credential. Its presence and type remain. */
export function secretField(expr: Expr, path: readonly string[], by: SourceRedaction | null): Expr {
  const name = path.at(-1);
  return by !== null && name !== undefined && by.isSecretName(name) ? hidden(expr, by) : expr;
}

/** Hides text read from JSON if its path ends with the name of a credential. */
export function secretReading(expr: Expr, by: SourceRedaction): Expr {
  if (!isCall(expr, ...JSON_READERS)) return expr;
  return secretField(
    expr,
    expr.options.path.filter((step) => typeof step === 'string'),
    by
  );
}

/**
 * Texts become one constant, numbers NULL. Records are handled by the names of their fields; a boolean reveals only
 * that there is a value.
 */
function hidden(expr: Expr, by: SourceRedaction): Expr {
  const { type } = expr;
  const text: Expr = { kind: 'literal', type: STRING, value: by.hiddenText };
  switch (type.kind) {
    case 'STRING':
      return whereThere(expr, text);
    case 'BYTES':
      return whereThere(expr, { kind: 'literal', type, value: hexOfText(by.hiddenText) });
    case 'JSON':
      return whereThere(expr, { kind: 'literal', type, value: JSON.stringify(by.hiddenText) });
    case 'ARRAY':
      if (type.element.kind === 'STRING') return whereThere(expr, { kind: 'array', items: [text], type });
      if (type.element.kind === 'JSON' || type.element.kind === 'BYTES')
        return whereThere(expr, { kind: 'literal', type, value: null });
      return isNumber(type.element) ? { kind: 'literal', type, value: null } : expr;
    default:
      return isNumber(type) ? { kind: 'literal', type, value: null } : expr;
  }
}

function isNumber({ kind }: Type): boolean {
  return kind === 'INT64' || kind === 'FLOAT64';
}

function whereThere(expr: Expr, then: Expr): Expr {
  const when: Expr = callOf('is_not_null', [expr], BOOL);
  return { kind: 'case', branches: [{ when, then }], otherwise: null, type: expr.type };
}
