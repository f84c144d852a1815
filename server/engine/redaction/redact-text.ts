/** Redacts a text by replacing every find. */
import { REDACTION_KINDS, type RedactionKind } from '#contract/redaction';
import { type Detector, replacementOf } from './detector';
import { decodeEscapes } from './escapes';

export interface Find {
  readonly start: number;
  readonly end: number;
  readonly kind: RedactionKind;
}

export type TextRedactor = (text: string) => string;

/** Called for each replacement. */
export type ReplaceListener = (kind: RedactionKind) => void;

export function createTextRedactor(detectors: readonly Detector[], onReplaced?: ReplaceListener): TextRedactor {
  return (text) => replaceFinds(text, findAll(text, detectors), onReplaced);
}

/** @returns finds in text order without overlaps: overlapping finds are merged and take the first kind */
export function findAll(text: string, detectors: readonly Detector[]): readonly Find[] {
  const finds: Find[] = [];
  for (const { kind, find } of detectors) find(text, (start, end) => finds.push({ start, end, kind }));
  const decoded = decodeEscapes(text);
  if (decoded !== undefined) {
    const { originalOffset } = decoded;
    for (const { kind, find, seesThroughEscapes } of detectors) {
      if (!seesThroughEscapes) continue;
      find(decoded.text, (start, end) => finds.push({ start: originalOffset(start), end: originalOffset(end), kind }));
    }
  }
  return finds.length < 2 ? finds : merged(finds);
}

export function replaceFinds(text: string, finds: readonly Find[], onReplaced?: ReplaceListener): string {
  let out = '';
  let copied = 0;
  for (const { start, end, kind } of finds) {
    out += text.slice(copied, start) + replacementOf(kind);
    copied = end;
    onReplaced?.(kind);
  }
  return copied === 0 ? text : out + text.slice(copied);
}

function merged(finds: Find[]): readonly Find[] {
  const out: Find[] = [];
  for (const find of finds.sort((a, b) => a.start - b.start)) {
    const last = out.at(-1);
    if (last === undefined || find.start >= last.end) out.push(find);
    else
      out[out.length - 1] = { start: last.start, end: Math.max(last.end, find.end), kind: first(last.kind, find.kind) };
  }
  return out;
}

function first(a: RedactionKind, b: RedactionKind): RedactionKind {
  return REDACTION_KINDS.indexOf(a) <= REDACTION_KINDS.indexOf(b) ? a : b;
}
