/** Redaction inside the store: RE2 replaces, one rule after the other, in texts, in JSON text, and in every text of lists and structs. */
import type { RedactedExpr } from '../../ir/expression';
import type { Type } from '../../ir/types';
import type { RedactionRules, SourceRedaction } from '../../source-redaction';
import { nameOnce } from './bind-once';
import { quoteText, structNames } from './literals';

export function redacted(operand: string, { operand: { kind }, by, type }: RedactedExpr): string {
  if (kind === 'column') return redactedValue(operand, type, by);
  return nameOnce(operand, (x) => redactedValue(x, type, by));
}

/** @param x a short text, which is repeated */
function redactedValue(x: string, type: Type, by: SourceRedaction): string {
  switch (type.kind) {
    case 'STRING':
      return replaced(x, by.text);
    case 'RECORD':
    case 'SINGLE':
      return redactedJson(x, by);
    case 'ARRAY':
      return `list_transform(${x}, lambda v: ${redactedValue('v', type.element, by)})`;
    case 'STRUCT': {
      const names = structNames(type.fields.map(({ name }) => name));
      const fields = type.fields.map((field, index) => {
        const value = nameOnce(`struct_extract_at(${x}, ${index + 1})`, (v) => redactedValue(v, field.type, by));
        return `${names[index]} := ${value}`;
      });
      return `(CASE WHEN ${x} IS NOT NULL THEN struct_pack(${fields.join(', ')}) END)`;
    }
    default:
      return x;
  }
}

/**
 * Read and written anew, JSON has one way to write each character. When replacing has broken it, a find was in a number; when it still is no
 * JSON, nothing of it is told.
 */
function redactedJson(x: string, by: SourceRedaction): string {
  return nameOnce(`CAST(json(${x}) AS VARCHAR)`, (json) => {
    const inStrings = nameOnce(replaced(json, by.jsonText), (v) => `(CASE WHEN json_valid(${v}) THEN ${v} END)`);
    const inNumbers = nameOnce(
      replaced(json, by.jsonNumbers),
      (v) => `(CASE WHEN json_valid(${v}) THEN ${v} ELSE '{}' END)`
    );
    return `(CASE WHEN ${json} IS NOT NULL THEN coalesce(${inStrings}, ${inNumbers}) END)`;
  });
}

function replaced(x: string, { hint, rules }: RedactionRules): string {
  const all = rules.reduce(
    (text, { pattern, replacement }) =>
      `regexp_replace(${text}, ${quoteText(pattern)}, ${quoteText(replacement)}, 'g')`,
    x
  );
  return `(CASE WHEN regexp_matches(${x}, ${quoteText(hint)}) THEN ${all} ELSE ${x} END)`;
}
