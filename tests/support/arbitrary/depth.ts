/** One depth limit for a whole arbitrary tree, to keep it small. */
import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';

export const depth = { depthIdentifier: fc.createDepthIdentifier(), maxDepth: 4 };

/** Null more often the deeper the tree is. */
export function optional<Value>(value: Arbitrary<Value>): Arbitrary<Value | null> {
  return fc.option(value, { ...depth, nil: null, freq: 3 });
}

/** None, one or two. */
export function few<Value>(value: Arbitrary<Value>): Arbitrary<readonly Value[]> {
  return optional(fc.array(value, { minLength: 1, maxLength: 2 })).map((values) => values ?? []);
}
