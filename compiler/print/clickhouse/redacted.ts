/**
 * Redaction inside the store: applies the RE2 rules one after the other to texts, JSON texts, and texts in lists and
 * structs.
 */
import type { RedactedExpr } from '../../ir/expression';
import type { Type } from '../../ir/types';
import type { RedactionRules, SourceRedaction } from '../../catalog/source-redaction';
import { nameOnce } from './bind-once';
import { mapped } from './arrays/values';
import { castTo, quoteText } from './literals';

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
      return mapped(x, (v) => redactedValue(v, type.element, by));
    case 'STRUCT': {
      const fields = type.fields.map((field, index) =>
        nameOnce(`tupleElement(${x}, ${index + 1})`, (v) => redactedValue(v, field.type, by))
      );
      return `if(${x} IS NULL, NULL, ${castTo(`tuple(${fields.join(', ')})`, type)})`;
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
  return nameOnce(`JSONExtractRaw(${x})`, (json) => {
    const inStrings = nameOnce(replaced(json, by.jsonText), (v) => `if(isValidJSON(${v}), ${v}, NULL)`);
    const inNumbers = nameOnce(replaced(json, by.jsonNumbers), (v) => `if(isValidJSON(${v}), ${v}, '{}')`);
    return `if(${json} IS NULL, NULL, coalesce(${inStrings}, ${inNumbers}))`;
  });
}

function replaced(x: string, { hint, rules }: RedactionRules): string {
  const pattern = (text: string): string => quoteText(`(?-s)${text}`);
  const all = rules.reduce(
    (text, rule) => `replaceRegexpAll(${text}, ${pattern(rule.pattern)}, ${quoteText(rule.replacement)})`,
    x
  );
  return `if(match(${x}, ${pattern(hint)}), ${all}, ${x})`;
}
