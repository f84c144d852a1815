/**
 * Redacts JSON text: each string and key is redacted in its decoded form; numbers and all other bytes are unchanged.
 */
import { parseJsonString } from '#contract/json-string';
import type { Detector } from './detector';
import { hideSecretValues } from './redact-secret-keys';
import { findAll, replaceFinds, type Find, type ReplaceListener, type TextRedactor } from './redact-text';

/** A string with its quotes. The alternatives in the loop start with different characters, so matching is linear. */
const STRING = /"(?:[^"\\]|\\.)*"/gs;

/** @param redactText a redactor with the same detectors */
export function createJsonRedactor(
  detectors: readonly Detector[],
  redactText: TextRedactor,
  onReplaced?: ReplaceListener
): TextRedactor {
  const hidesTokens = detectors.some(({ kind }) => kind === 'token');
  return (given) => {
    const json = hidesTokens ? hideSecretValues(given, onReplaced) : given;
    // Without escapes the encoded text equals the decoded one, and no find crosses a quote, so one search covers all
    // strings.
    if (json.includes('\\')) return redactStrings(json, redactText);
    const finds = findAll(json, detectors);
    if (finds.length === 0) return json;
    const inStrings = insideStrings(json, finds);
    return inStrings === undefined ? redactStrings(json, redactText) : replaceFinds(json, inStrings, onReplaced);
  };
}

/** Finds that are inside a string; undefined if one is in a key, because keys must stay unique. */
function insideStrings(json: string, finds: readonly Find[]): readonly Find[] | undefined {
  const inside: Find[] = [];
  let isInString = false;
  let quote = json.indexOf('"');
  for (const find of finds) {
    while (quote !== -1 && quote < find.start) {
      isInString = !isInString;
      quote = json.indexOf('"', quote + 1);
    }
    if (!isInString) continue;
    if (/^"\s*:/.test(json.slice(quote, quote + 16)) || quote < find.end) return undefined;
    inside.push(find);
  }
  return inside;
}

function redactStrings(json: string, redactText: TextRedactor): string {
  const keys = new KeyNames();
  let out = '';
  let copied = 0;
  let scanned = 0;
  for (const match of json.matchAll(STRING)) {
    const written = match[0];
    const end = match.index + written.length;
    keys.pass(json, scanned, match.index);
    scanned = end;
    const text = written.includes('\\') ? parseJsonString(written) : written.slice(1, -1);
    let redacted = redactText(text);
    if (/^\s*:/.test(json.slice(end, end + 16))) redacted = keys.name(text, redacted);
    if (redacted === text) continue;
    out += json.slice(copied, match.index) + JSON.stringify(redacted);
    copied = end;
  }
  return copied === 0 ? json : out + json.slice(copied);
}

/** Numbers keys of one object that redaction makes equal, so that no member is lost. */
class KeyNames {
  private readonly open: (Map<string, number> | null)[] = [];

  /** Tracks the brackets between two strings. */
  pass(json: string, from: number, to: number): void {
    for (let at = from; at < to; at += 1) {
      const mark = json[at];
      if (mark === '{' || mark === '[') this.open.push(null);
      else if (mark === '}' || mark === ']') this.open.pop();
    }
  }

  name(key: string, redacted: string): string {
    if (key === redacted) return key;
    const names = (this.open[this.open.length - 1] ??= new Map<string, number>());
    const count = (names.get(redacted) ?? 0) + 1;
    names.set(redacted, count);
    return count === 1 ? redacted : `${redacted}_${count}`;
  }
}
