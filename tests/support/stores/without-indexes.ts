/** The catalog of a store as if its tables had no index on texts. */
import type { Catalog } from '#compiler/catalog/catalog';

export function withoutIndexes(catalog: Catalog): Catalog {
  const sources = catalog.sources.map((source) => ({
    ...source,
    parts: source.parts.map(({ indexed: _, ...part }) => part),
  }));
  return { ...catalog, sources };
}
