/** The catalog that queries are planned with. It is replaced where the fields or parts of a source change. */
import type { Catalog, CatalogSource } from '#compiler/store';
import { buildCatalog, describeSource } from './build-catalog';
import type { SourceState } from './source-state';

export class PublishedCatalog {
  private readonly described = new Map<string, CatalogSource>();
  private catalog: Catalog = buildCatalog([]);

  constructor(states: Iterable<SourceState>) {
    this.publish(states);
  }

  get current(): Catalog {
    return this.catalog;
  }

  /** @param changed sources; those that are not named keep their description */
  publish(changed: Iterable<SourceState>): void {
    for (const state of changed) this.described.set(state.source.name, describeSource(state));
    this.catalog = buildCatalog([...this.described.values()]);
  }
}
