/**
 * Redaction inside the store: applies the RE2 rules one after the other to texts, JSON texts, and texts in lists and
 * structs.
 */
import type { RedactedExpr } from '../../ir/expression';
import type { Type } from '../../ir/types';
import type { RedactionRules, RedactionStep, SourceRedaction } from '../../catalog/source-redaction';
import { nameOnce } from './bind-once';
import { lossyText } from './calls/text/bytes';
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
    case 'BYTES':
      return redactedBytes(x, by);
    case 'RECORD':
    case 'SINGLE':
      return redactedJson(x, by);
    case 'JSON':
      // Its escapes are normalized, and other functions would change the digits of its numbers.
      return redactedNormal(x, by);
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

/** Bytes are redacted as the text that they hold; without a find they stay as they are. */
function redactedBytes(x: string, by: SourceRedaction): string {
  const value = `if(r.1 = r.2, r.3, r.1)`;
  const found = `arrayElement(arrayMap(r -> ${value}, [tuple(${replaced('w.2', by.text)}, w.2, w.1)]), 1)`;
  return `arrayElement(arrayMap(w -> ${found}, [tuple(${x}, ${lossyText(x)})]), 1)`;
}

/**
 * Parsing and writing JSON normalizes its escapes. If replacing broke the JSON, a find was in a number; if it still is
 * invalid after that, it becomes `{}`.
 */
function redactedJson(x: string, by: SourceRedaction): string {
  return nameOnce(`JSONExtractRaw(${x})`, (json) => redactedNormal(json, by));
}

/** @param json JSON with normalized escapes, as a short text */
function redactedNormal(json: string, by: SourceRedaction): string {
  const inStrings = nameOnce(replaced(json, by.jsonText), (v) => `if(isValidJSON(${v}), ${v}, NULL)`);
  const inNumbers = nameOnce(replaced(json, by.jsonNumbers), (v) => `if(isValidJSON(${v}), ${v}, '{}')`);
  return `if(${json} IS NULL, NULL, coalesce(${inStrings}, ${inNumbers}))`;
}

/**
 * ClickHouse compiles the patterns of an expression several times before it reads a row, even where `if` skips them, but
 * those of a lambda when the lambda runs.
 */
function replaced(x: string, { hint, steps }: RedactionRules): string {
  const all = nameOnce(x, (v) =>
    steps.reduce((text, step) => {
      if (step.hint === null) return applied(text, step);
      const rules = nameOnce(text, (w) => applied(w, step));
      return `if(${found(v, step.hint)}, ${rules}, ${text})`;
    }, v)
  );
  return `if(${found(x, hint)}, ${all}, ${x})`;
}

function found(x: string, pattern: string): string {
  return `match(${x}, ${quotePattern(pattern)})`;
}

function applied(x: string, { rules }: RedactionStep): string {
  return rules.reduce(
    (text, { pattern, replacement }) =>
      `replaceRegexpAll(${text}, ${quotePattern(pattern)}, ${quoteText(replacement)})`,
    x
  );
}

function quotePattern(pattern: string): string {
  return quoteText(`(?-s)${pattern}`);
}
