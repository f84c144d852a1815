/** Estimates how much a call lengthens a text. Guards in the printed SQL evaluate this before the call. */
import { MAX_TEXT_BYTES, MAX_TEXT_GROWTH_BYTES } from '../../../functions/limits';
import type { Expr } from '../../../ir/expression';
import type { Type } from '../../../ir/types';
import { constantText } from '../constants';

/**
 * SQL condition that is true if a result would be too long.
 * @param longest bytes of the longest argument
 * @param grown bytes by which the result is longer
 */
export function tooLong(longest: string, grown: string): string {
  return `${grown} > ${MAX_TEXT_GROWTH_BYTES} AND ${longest} + ${grown} > ${MAX_TEXT_BYTES}`;
}

const SHORT_KINDS: ReadonlySet<Type['kind']> = new Set<Type['kind']>([
  'INT64',
  'FLOAT64',
  'BOOL',
  'TIMESTAMP',
  'DATETIME',
  'DATE',
  'TIME',
  'INTERVAL',
]);
/** Maximum length of a number or time as text. */
const SHORT_BYTES = 64;

/** Whether the concatenation is never much longer than the longest text. */
export function isConcatBounded(args: readonly Expr[]): boolean {
  const bytes = args.map((arg) => {
    const text = constantText(arg);
    if (text !== undefined) return Buffer.byteLength(text ?? '');
    return arg.kind === 'cast' && SHORT_KINDS.has(arg.operand.type.kind) ? SHORT_BYTES : null;
  });
  const known = bytes.reduce<number>((sum, count) => sum + (count ?? 0), 0);
  return bytes.filter((count) => count === null).length <= 1 && known <= MAX_TEXT_GROWTH_BYTES;
}

/** Maximum bytes of a constant that may be repeated for each element of a list. */
const BRIEF_BYTES = 32;

/** Whether a separator, or a text in place of NULL, is a short constant. */
export function isBrief(expr: Expr | undefined): boolean {
  const text = constantText(expr);
  return expr === undefined || (text !== undefined && Buffer.byteLength(text ?? '') <= BRIEF_BYTES);
}

/** Whether replacing one text by another may make a text longer. */
export function grows(from: Expr, to: Expr): boolean {
  const [old, replacement] = [constantText(from), constantText(to)];
  if (typeof old !== 'string' || typeof replacement !== 'string') return true;
  return Buffer.byteLength(replacement) > old.length;
}

export interface Rewrite {
  /** Bytes that replace each match, without the groups. */
  readonly plainBytes: number;
  /** Number of references to the match or its groups. */
  readonly references: number;
}

/** Analyzes the replacement of REGEXP_REPLACE; null if it is NULL. */
export function rewriteOf(replacement: Expr | undefined): Rewrite | null {
  const text = constantText(replacement);
  if (typeof text !== 'string') return null;
  const escapes = [...text.matchAll(/\\(\d|\\)/g)].map(([, escaped]) => escaped !== '\\');
  const references = escapes.filter((isReference) => isReference).length;
  return { plainBytes: Buffer.byteLength(text) - escapes.length - references, references };
}
