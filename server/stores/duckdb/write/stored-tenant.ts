/** Tenant of a stored row, as the event named it. */
import { type Source, tenantPlaceOf } from '#contract/events/source';
import { readJsonObject } from '../../../common/json/json-tree';
import { jsonPointer } from '../../../common/json/json-pointer';
import { textAt } from '../../ingest/event/event-tenant';
import { METADATA_COLUMN } from '../tables/stored-columns';
import type { Part } from '../tables/part';
import { quoteName, quoteText } from '../tables/quoting';

/**
 * Two items of a select: the tenant, and the metadata of rows whose tenant has to be read from them. They are read from
 * the JSON text, only for the few rows found: an older part may lack the field's column.
 */
export function printTenant(source: Source, part: Part): string {
  const place = tenantPlaceOf(source);
  if (place === null) return 'NULL, NULL';
  if ('column' in place) return `${part.columns.has(place.column) ? quoteName(place.column) : 'NULL'}, NULL`;
  const [metadata, pointer] = [quoteName(METADATA_COLUMN), quoteText(jsonPointer(place.path))];
  const type = `json_type(${metadata}, ${pointer})`;
  const lists = place.path.slice(1).map((_, i) => quoteText(jsonPointer(place.path.slice(0, i + 1))));
  // DuckDB writes other numbers in its own way: 1e2 as 100.0. A single record may be in a list.
  const unclear = [
    `${type} IN ('BIGINT', 'DOUBLE')`,
    ...lists.map((list) => `json_type(${metadata}, ${list}) = 'ARRAY'`),
  ];
  return `CASE WHEN ${type} NOT IN ('OBJECT', 'ARRAY') THEN json_extract_string(${metadata}, ${pointer}) END,
    CASE WHEN ${unclear.join(' OR ')} THEN ${metadata} END`;
}

/** @param tenant the first item @param metadata the second one */
export function tenantOf(source: Source, tenant: unknown, metadata: unknown): string | null {
  const place = tenantPlaceOf(source);
  if (typeof metadata !== 'string' || place === null || 'column' in place)
    return typeof tenant === 'string' ? tenant : null;
  const bytes = Buffer.from(metadata);
  return textAt(readJsonObject(bytes, 0, bytes.length), place.path);
}
