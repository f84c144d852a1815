/** One depth limit for a whole arbitrary tree, to keep it small. */
import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import type { NonEmpty } from '#compiler/items';

export const depth = { depthIdentifier: fc.createDepthIdentifier(), maxDepth: 4 };

/** Null more often the deeper the tree is. */
export function optional<Value>(value: Arbitrary<Value>): Arbitrary<Value | null> {
  return fc.option(value, { ...depth, nil: null, freq: 3 });
}

/** None, one or two. */
export function few<Value>(value: Arbitrary<Value>): Arbitrary<readonly Value[]> {
  return optional(fc.array(value, { minLength: 1, maxLength: 2 })).map((values) => values ?? []);
}

export function several<Value>(
  value: Arbitrary<Value>,
  { min, max }: { min: number; max: number }
): Arbitrary<NonEmpty<Value>> {
  const others = fc.array(value, { minLength: min - 1, maxLength: max - 1 });
  return fc.tuple(value, others).map(([first, rest]) => [first, ...rest]);
}
