/**
 * Where redaction stands in a statement: what crosses from the saved query's named tables into the statement of a caller. Everything behind the
 * border sees events, nothing before it does, so no expression of a caller can take apart or compare what is hidden.
 */
import { parseJsonPath } from '../functions/json/json-path';
import { some } from '../ir/children';
import type { Expr } from '../ir/expression';
import { BOOL, STRING, type Type } from '../ir/types';
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

/** The value at a path of names, hidden when the last name is that of a credential. Whether it is there, and what type it has, stays. */
export function secretField(expr: Expr, path: readonly string[], by: SourceRedaction | null): Expr {
  const name = path.at(-1);
  return by !== null && name !== undefined && by.isSecretName(name) ? hidden(expr, by) : expr;
}

/** A reading of JSON inside a text, hidden when its path ends at the name of a credential. */
export function secretReading(expr: Expr, by: SourceRedaction): Expr {
  if (expr.kind !== 'call' || !JSON_READERS.has(expr.fn)) return expr;
  const names = parseJsonPath(String(expr.options?.['path'] ?? '$')).filter((step) => typeof step === 'string');
  return secretField(expr, names, by);
}

/** Texts become one constant, numbers NULL. A record is left to the names of its own fields, a boolean tells no more than that there is a value. */
function hidden(expr: Expr, by: SourceRedaction): Expr {
  const { type } = expr;
  const text: Expr = { kind: 'literal', type: STRING, value: by.hiddenText };
  switch (type.kind) {
    case 'STRING':
      return whereThere(expr, text);
    case 'ARRAY':
      if (type.element.kind === 'STRING') return whereThere(expr, { kind: 'array', items: [text], type });
      return isNumber(type.element) ? { kind: 'literal', type, value: null } : expr;
    default:
      return isNumber(type) ? { kind: 'literal', type, value: null } : expr;
  }
}

function isNumber({ kind }: Type): boolean {
  return kind === 'INT64' || kind === 'FLOAT64';
}

function whereThere(expr: Expr, then: Expr): Expr {
  const when: Expr = { kind: 'call', fn: 'is_not_null', args: [expr], type: BOOL };
  return { kind: 'case', branches: [{ when, then }], otherwise: null, type: expr.type };
}
