/** Builds the catalog of the store for the compiler. */
import { type ScalarType, tenantPlaceOf } from '#contract/events/source';
import type { Catalog, CatalogPart, CatalogSource, PhysicalType } from '#compiler/store';
import { describeMetadata } from '../ingest/fields/describe-fields';
import { columnFields, columnType, FIELDS_COLUMN, hasColumn, METADATA_COLUMN, SEARCHED_COLUMN } from './schema/layout';
import type { SourceState } from './write/source-state';

const NARROWEST_FIRST: readonly ScalarType[] = ['BOOL', 'INT64', 'FLOAT64', 'STRING'];

export function buildCatalog(sources: readonly CatalogSource[]): Catalog {
  return Object.freeze({ dialect: 'clickhouse', sources: Object.freeze([...sources]) });
}

export function describeSource(state: SourceState): CatalogSource {
  const { source, tree } = state;
  const columns = [
    { name: 'id', type: 'STRING' },
    { name: 'timestamp', type: 'TIMESTAMP' },
    { name: 'event_message', type: 'STRING' },
    ...Object.entries(source.columns).map(([name, type]) => ({ name, type })),
  ] as const;
  return Object.freeze({
    name: source.name,
    aliases: source.aliases,
    columns,
    metadata: describeMetadata(tree, (node) => (hasColumn(node) ? node.column : null)),
    metadataText: METADATA_COLUMN,
    tenant: tenantPlaceOf(source),
    declaredFields: Object.keys(source.fields),
    parts: [describePart(state, columns)],
  } satisfies CatalogSource);
}

/**
 * The only table of a source, without time bounds: its sort key and partitions already skip rows outside a time range.
 */
function describePart(state: SourceState, own: readonly { name: string; type: PhysicalType }[]): CatalogPart {
  const columns = new Map<string, PhysicalType>(own.map(({ name, type }) => [name, type]));
  columns.set(METADATA_COLUMN, 'STRING');
  const storedAs = new Map<string, readonly ScalarType[]>();
  for (const node of columnFields(state.tree.root)) {
    const isReal = state.isReal(node);
    if (!isReal && !node.isStored) continue;
    const type = columnType(node);
    columns.set(node.column!, type);
    if (!isReal) storedAs.set(node.column!, typesOf(type, state.stored.get(node.column!)));
  }
  return {
    table: state.source.name,
    fromMicros: Number.NEGATIVE_INFINITY,
    toMicros: Number.POSITIVE_INFINITY,
    columns,
    json: { name: FIELDS_COLUMN, storedAs },
    ...(state.isSearched && { indexed: new Set([SEARCHED_COLUMN]) }),
  };
}

/** JSON types of a path, by column type. Whole numbers among fractions are stored as integers. */
function typesOf(type: ScalarType, stored: ReadonlySet<ScalarType> = new Set()): readonly ScalarType[] {
  return NARROWEST_FIRST.filter(
    (candidate) =>
      candidate === type ||
      stored.has(candidate) ||
      (candidate === 'INT64' && (type === 'FLOAT64' || stored.has('FLOAT64')))
  );
}
