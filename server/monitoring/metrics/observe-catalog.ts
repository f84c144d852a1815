/** Metrics of the catalog, read at each scrape. */
import type { Registry } from 'prom-client';
import type { CatalogWatch } from '../../catalog/database/catalog-watch';
import { ScrapedMetrics } from './scraped-metrics';

export function observeCatalog(registry: Registry, catalog: Pick<CatalogWatch, 'state'>): void {
  const scraped = new ScrapedMetrics(registry);
  scraped.gauge('logquery_catalog_up', '1 while the database of the catalog answers.', () =>
    catalog.state().check === 'ok' ? 1 : 0
  );
  scraped.gauge(
    'logquery_catalog_age_seconds',
    'Since the database of the catalog answered last.',
    () => catalog.state().ageMs / 1000
  );
  scraped.gauge(
    'logquery_catalog_revision',
    'Revision of the definitions that are served.',
    () => catalog.state().revision
  );
  scraped.gauge(
    'logquery_catalog_revision_in_force',
    'Revision of the definitions that the catalog has in force.',
    () => catalog.state().revisionInForce
  );
  scraped.counter(
    'logquery_catalog_refused_total',
    'Sets of definitions that could not be served; the former ones stayed.',
    () => catalog.state().refused
  );
}
