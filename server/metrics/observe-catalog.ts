/** Metrics of the catalog, read at each scrape. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { CatalogWatch } from '../catalog-db/catalog-watch';

export function observeCatalog(registry: Registry, catalog: Pick<CatalogWatch, 'state'>): void {
  const registers = [registry];
  const gauge = (name: string, help: string, read: () => number): void =>
    void new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  gauge('logquery_catalog_up', '1 while the database of the catalog answers.', () =>
    catalog.state().check === 'ok' ? 1 : 0
  );
  gauge(
    'logquery_catalog_age_seconds',
    'Since the database of the catalog answered last.',
    () => catalog.state().ageMs / 1000
  );
  gauge('logquery_catalog_revision', 'Revision of the definitions that are served.', () => catalog.state().revision);
  gauge(
    'logquery_catalog_revision_in_force',
    'Revision of the definitions that the catalog has in force.',
    () => catalog.state().revisionInForce
  );
  new Counter({
    name: 'logquery_catalog_refused_total',
    help: 'Sets of definitions that could not be served; the former ones stayed.',
    registers,
    collect() {
      this.reset();
      this.inc(catalog.state().refused);
    },
  });
}
