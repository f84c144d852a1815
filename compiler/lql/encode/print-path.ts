/** Prints paths in their shortest form. */
import type { LqlPath } from '../rules';
import { quote } from './print-text';

const PLAIN_SEGMENT = /^[\p{L}_][\p{L}\p{M}\p{N}_]*$/u;

/** `m.request.path`, `m."user-agent"`. */
export function printPath({ parts }: LqlPath): string {
  const names = parts.map(({ name }) => name);
  const short = names.length > 1 && names[0] === 'metadata' ? ['m', ...names.slice(1)] : names;
  // A quoted column named `m` is not the shorthand.
  const isShorthandName = names.length > 1 && names[0] === 'm';
  return short.map((name, index) => (isShorthandName && index === 0 ? quote(name) : printSegment(name))).join('.');
}

/** One name of a path. */
export function printSegment(name: string): string {
  return PLAIN_SEGMENT.test(name) ? name : quote(name);
}
