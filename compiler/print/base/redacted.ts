/**
 * Redaction inside the store: which texts of a value it hides, in lists and structs too. A store applies the RE2 rules
 * one after the other.
 */
import type { SourceRedaction } from '../../catalog/source-redaction';
import type { RedactedExpr } from '../../ir/expression';
import type { Type } from '../../ir/types';

type ListType = Extract<Type, { kind: 'ARRAY' }>;
type StructType = Extract<Type, { kind: 'STRUCT' }>;

/** A store's SQL. Values are short texts, which are repeated. */
export interface RedactionForm {
  nameOnce(sql: string, body: (name: string) => string): string;
  text(x: string, by: SourceRedaction): string;
  /** Bytes are redacted as the text that they hold; without a find they stay as they are. */
  bytes(x: string, by: SourceRedaction): string;
  /** A JSON text, whose escapes are normalized first. */
  record(x: string, by: SourceRedaction): string;
  /** A JSON text with normalized escapes; other functions would change the digits of its numbers. */
  json(x: string, by: SourceRedaction): string;
  list(x: string, type: ListType, element: (v: string, type: Type) => string): string;
  struct(x: string, type: StructType, field: (v: string, type: Type) => string): string;
}

export function redactionPrinter(form: RedactionForm): (operand: string, expr: RedactedExpr) => string {
  const value = (x: string, type: Type, by: SourceRedaction): string => {
    const inner = (v: string, part: Type): string => value(v, part, by);
    switch (type.kind) {
      case 'STRING':
        return form.text(x, by);
      case 'BYTES':
        return form.bytes(x, by);
      case 'RECORD':
      case 'SINGLE':
        return form.record(x, by);
      case 'JSON':
        return form.json(x, by);
      case 'ARRAY':
        return form.list(x, type, inner);
      case 'STRUCT':
        return form.struct(x, type, inner);
      default:
        return x;
    }
  };
  return (operand, { operand: { kind }, by, type }) =>
    kind === 'column' ? value(operand, type, by) : form.nameOnce(operand, (x) => value(x, type, by));
}
