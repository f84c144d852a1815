/** How much longer a call makes a text. Guards in the printed SQL compute it before the call does its work. */
import { MAX_TEXT_BYTES, MAX_TEXT_GROWTH_BYTES } from '../functions/limits';
import type { Expr } from '../ir/expression';
import { constantText } from './bind-once';

/**
 * Condition in SQL that is true where a result would be too long.
 * @param longest bytes of the longest argument
 * @param grown by how many bytes the result is longer than that
 */
export function tooLong(longest: string, grown: string): string {
  return `${grown} > ${MAX_TEXT_GROWTH_BYTES} AND ${longest} + ${grown} > ${MAX_TEXT_BYTES}`;
}

const SHORT_KINDS: ReadonlySet<string> = new Set(['INT64', 'FLOAT64', 'BOOL', 'TIMESTAMP', 'DATETIME', 'DATE']);
/** No number or time is longer as a text. */
const SHORT_BYTES = 64;

/** True when texts one after the other are never much longer than the longest of them. */
export function isConcatBounded(args: readonly Expr[]): boolean {
  const bytes = args.map((arg) => {
    const text = constantText(arg);
    if (text !== undefined) return Buffer.byteLength(text ?? '');
    return arg.kind === 'cast' && SHORT_KINDS.has(arg.operand.type.kind) ? SHORT_BYTES : null;
  });
  const known = bytes.reduce<number>((sum, count) => sum + (count ?? 0), 0);
  return bytes.filter((count) => count === null).length <= 1 && known <= MAX_TEXT_GROWTH_BYTES;
}

export interface Rewrite {
  /** Bytes that each match is replaced by, besides its groups. */
  readonly plainBytes: number;
  /** How often the replacement repeats the match or a part of it. */
  readonly references: number;
}

/** The replacement of REGEXP_REPLACE; null when it is NULL. */
export function rewriteOf(replacement: Expr | undefined): Rewrite | null {
  const text = constantText(replacement);
  if (typeof text !== 'string') return null;
  const escapes = [...text.matchAll(/\\(\d|\\)/g)].map(([, escaped]) => escaped !== '\\');
  const references = escapes.filter((isReference) => isReference).length;
  return { plainBytes: Buffer.byteLength(text) - escapes.length - references, references };
}
