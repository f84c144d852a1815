/** Redaction inside the store: applies the RE2 rules one after the other. */
import type { RedactionRules, RedactionStep, SourceRedaction } from '../../catalog/source-redaction';
import { redactionPrinter } from '../base/redacted';
import { mapped } from './values/lists';
import { nameOnce } from './values/bind-once';
import { lossyText } from './calls/text/bytes';
import { castTo, quoteText } from './values/literals';

export const redacted = redactionPrinter({
  nameOnce,
  text: (x, by) => replaced(x, by.text),
  bytes: redactedBytes,
  record: redactedJson,
  json: redactedNormal,
  list: (x, { element }, redact) => mapped(x, (v) => redact(v, element)),
  struct: (x, type, redact) => {
    const fields = type.fields.map((field, index) =>
      nameOnce(`tupleElement(${x}, ${index + 1})`, (v) => redact(v, field.type))
    );
    return `if(${x} IS NULL, NULL, ${castTo(`tuple(${fields.join(', ')})`, type)})`;
  },
});

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
 * ClickHouse compiles the patterns of an expression several times before it reads a row, even where `if` skips them,
 * but those of a lambda when the lambda runs.
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
