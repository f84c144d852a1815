/**
 * Redaction inside the store: applies the RE2 rules one after the other to texts, JSON texts, and texts in lists and
 * structs.
 */
import type { RedactedExpr } from '../../ir/expression';
import type { Type } from '../../ir/types';
import type { RedactionRules, SourceRedaction } from '../../catalog/source-redaction';
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
 * Parsing and writing JSON normalizes its escapes. If replacing broke the JSON, a find was in a number; if it still is
 * invalid after that, it becomes `{}`.
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
