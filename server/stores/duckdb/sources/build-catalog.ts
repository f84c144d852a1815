/** Builds the catalog of the store for the compiler. */
import { tenantPlaceOf } from '#contract/events/source';
import type { Catalog, CatalogColumn, CatalogPart, CatalogSource } from '#compiler/store';
import { describeMetadata } from '../../ingest/fields/describe-fields';
import { MICROS_PER_DAY } from '../../ingest/event/timestamp';
import { MESSAGE_COLUMN, METADATA_COLUMN } from '../tables/stored-columns';
import type { Part } from '../tables/part';
import { OTHER_MESSAGE_COLUMN, REST_COLUMN } from '../sealed-layout/sealed-layout';
import type { SourceState } from './source-state';
import { allParts } from '../tables/stored-parts';

export function buildCatalog(sources: readonly CatalogSource[]): Catalog {
  return Object.freeze({ dialect: 'duckdb', sources: Object.freeze([...sources]) });
}

export function describeSource(state: SourceState): CatalogSource {
  const { source, tree } = state;
  const own = Object.entries(source.columns).map(([name, type]): CatalogColumn => ({ name, type }));
  return Object.freeze({
    name: source.name,
    aliases: source.aliases,
    columns: [
      { name: 'id', type: 'STRING' },
      { name: 'timestamp', type: 'TIMESTAMP' },
      { name: 'event_message', type: 'STRING' },
      ...own,
    ],
    metadata: describeMetadata(tree, (node) => node.column),
    metadataText: METADATA_COLUMN,
    tenant: tenantPlaceOf(source),
    declaredFields: Object.keys(source.fields),
    parts: allParts(state).map(describePart),
  } satisfies CatalogSource);
}

function describePart({ table, database, day, columns, inColumns, message }: Part): CatalogPart {
  return {
    table,
    ...(database === null ? {} : { database }),
    fromMicros: day * MICROS_PER_DAY,
    toMicros: (day + 1) * MICROS_PER_DAY,
    columns,
    json: null,
    ...(inColumns === null ? {} : { rest: { column: REST_COLUMN, inColumns } }),
    ...(message !== null && { composed: { column: MESSAGE_COLUMN, of: message, others: OTHER_MESSAGE_COLUMN } }),
  };
}
