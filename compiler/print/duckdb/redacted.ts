/** Redaction inside the store: applies the RE2 rules one after the other. */
import type { RedactionRules, RedactionStep, SourceRedaction } from '../../catalog/source-redaction';
import { redactionPrinter } from '../base/redacted';
import { nameOnce } from './values/bind-once';
import { lossyText } from './calls/text/bytes';
import { quoteText, structNames } from './values/literals';
import { structPack } from './values/struct-pack';
import { forLambda } from './values/for-lambda';

export const redacted = redactionPrinter({
  nameOnce,
  text: (x, by) => replaced(x, by.text, 'outside'),
  bytes: redactedBytes,
  record: redactedJson,
  json: redactedNormal,
  list: (x, { element }, redact) => `list_transform(${forLambda(x)}, lambda v: ${redact('v', element)})`,
  struct: (x, type, redact) => {
    const names = structNames(type.fields.map(({ name }) => name));
    const fields = type.fields.map((field, index) => {
      const value = nameOnce(`struct_extract_at(${x}, ${index + 1})`, (v) => redact(v, field.type));
      return [names[index] ?? '', value] as const;
    });
    return `(CASE WHEN ${x} IS NOT NULL THEN ${structPack(fields)} END)`;
  },
});

function redactedBytes(x: string, by: SourceRedaction): string {
  const [own, text] = ["struct_extract(w, 'b')", "struct_extract(w, 't')"];
  const value = `(CASE WHEN r = ${text} THEN ${own} ELSE encode(r) END)`;
  const replacement = replaced(text, by.text, 'in lambda');
  const packed = structPack([
    ['b', x],
    ['t', lossyText(x)],
  ]);
  const found = `list_extract(list_transform(${forLambda(`[${replacement}]`)}, lambda r: ${value}), 1)`;
  return `list_extract(list_transform(${forLambda(`[${packed}]`)}, lambda w: ${found}), 1)`;
}

/**
 * Parsing and writing JSON normalizes its escapes. If replacing broke the JSON, a find was in a number; if it still is
 * invalid after that, it becomes `{}`.
 */
function redactedJson(x: string, by: SourceRedaction): string {
  return nameOnce(`CAST(json(${x}) AS VARCHAR)`, (json) => redactedNormal(json, by));
}

/** @param json JSON with normalized escapes, as a short text */
function redactedNormal(json: string, by: SourceRedaction): string {
  const inStrings = nameOnce(
    replaced(json, by.jsonText, 'in lambda'),
    (v) => `(CASE WHEN json_valid(${v}) THEN ${v} END)`
  );
  // A lambda of its own: the rules are compiled only if a text needs them.
  const inNumbers = nameOnce(json, (v) =>
    nameOnce(replaced(v, by.jsonNumbers, 'in lambda'), (w) => `(CASE WHEN json_valid(${w}) THEN ${w} ELSE '{}' END)`)
  );
  return `(CASE WHEN ${json} IS NOT NULL THEN coalesce(${inStrings}, ${inNumbers}) END)`;
}

/**
 * DuckDB compiles each constant pattern of an expression once for a statement, and that of a lambda once for each 2,048
 * rows that reach it. Large patterns for texts are outside of lambdas: with one secret in each 2,048 rows a lambda
 * takes seven times as long. Those for JSON are in lambdas: they take longer to compile, and each row takes longer to
 * parse. `regexp_matches` would compile its pattern three times, `regexp_extract` does it once.
 */
function replaced(x: string, { hint, steps }: RedactionRules, large: 'outside' | 'in lambda'): string {
  const all = steps.reduce((text, step) => {
    if (step.hint === null) return applied(text, step);
    const rules = large === 'outside' ? applied(text, step) : nameOnce(text, (v) => applied(v, step));
    return `(CASE WHEN ${found(x, step.hint)} THEN ${rules} ELSE ${text} END)`;
  }, x);
  return `(CASE WHEN ${found(x, hint)} THEN ${all} ELSE ${x} END)`;
}

function found(x: string, pattern: string): string {
  return `regexp_extract(${x}, ${quoteText(pattern)}) <> ''`;
}

function applied(x: string, { rules }: RedactionStep): string {
  return rules.reduce(
    (text, { pattern, replacement }) =>
      `regexp_replace(${text}, ${quoteText(pattern)}, ${quoteText(replacement)}, 'g')`,
    x
  );
}
