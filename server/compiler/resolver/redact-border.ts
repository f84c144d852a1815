/**
 * Where redaction stands in a statement: what crosses from the saved query's named tables into the statement of a caller. Everything behind the
 * border sees events, nothing before it does, so no expression of a caller can take apart or compare what is hidden.
 */
import { some } from '../ir/children';
import type { Expr } from '../ir/expression';
import type { Type } from '../ir/types';
import type { SourceRedaction } from '../source-redaction';

/** A value as a caller's expression may see it. */
export function redactedExpr(expr: Expr, by: SourceRedaction): Expr {
  return holdsText(expr.type) ? { kind: 'redacted', operand: expr, by, type: expr.type } : expr;
}

function holdsText(type: Type): boolean {
  switch (type.kind) {
    case 'STRING':
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
const SEARCHES: ReadonlySet<string> = new Set([
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
  'trim',
  'trim_end',
  'trim_start',
]);

/** In a saved query, text that is searched for what a caller sends: the answer must not tell more than a redacted row does. */
export function redactedSearch(expr: Expr, by: SourceRedaction): Expr {
  if (expr.kind !== 'call' || !SEARCHES.has(expr.fn)) return expr;
  const [text, ...rest] = expr.args;
  if (text?.type.kind !== 'STRING' || !rest.some(holdsParameter) || !some(text, readsRows)) return expr;
  return { ...expr, args: [redactedExpr(text, by), ...rest] };
}

function holdsParameter(expr: Expr): boolean {
  return some(expr, ({ kind }) => kind === 'bound');
}

function readsRows({ kind }: Expr): boolean {
  return kind === 'column' || kind === 'subquery';
}

const JSON_READERS: ReadonlySet<string> = new Set(['json_value', 'json_query', 'json_value_array', 'json_query_array']);

/** JSON inside a text can spell a character as an escape, which reading it resolves: what is read is redacted again. */
export function redactedReading(expr: Expr, by: SourceRedaction): Expr {
  return expr.kind === 'call' && JSON_READERS.has(expr.fn) ? redactedExpr(expr, by) : expr;
}
