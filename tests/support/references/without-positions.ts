/** A copy of a syntax tree without its positions, to compare trees that were read from different texts. */
export function withoutPositions(tree: unknown): unknown {
  return JSON.parse(
    JSON.stringify(tree, (key, value: unknown) => (key === 'position' || key === 'namePosition' ? undefined : value))
  );
}
