/** Tenant of a stored row as a ClickHouse expression. */
import { type Source, tenantPlaceOf } from '#contract/events/source';
import { declaredTree, METADATA_COLUMN } from './layout';
import { quoteName, quoteText } from '../connection/quoting';

/**
 * @param columns of the table
 * @returns an expression whose value is a text or NULL
 */
export function storedTenant(source: Source, columns: ReadonlySet<string>): string {
  const place = tenantPlaceOf(source);
  if (place === null) return 'NULL';
  if ('column' in place) return columns.has(place.column) ? quoteName(place.column) : 'NULL';
  const column = fieldColumn(source, place.path);
  if (column !== null && columns.has(column)) return quoteName(column);
  // The field is not declared, or the table is older than its declaration.
  const value = [quoteName(METADATA_COLUMN), ...place.path.map(quoteText)].join(', ');
  return `if(toString(JSONType(${value})) IN ('Null', 'Array', 'Object'), NULL, JSONExtractString(${value}))`;
}

function fieldColumn(source: Source, path: readonly string[]): string | null {
  const tree = declaredTree(source);
  let node = tree.root;
  for (const key of path) {
    const child = tree.find(node, key);
    if (child === null) return null;
    node = child;
  }
  return node.column;
}
