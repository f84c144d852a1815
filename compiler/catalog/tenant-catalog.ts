/**
 * The catalog for tokens of a tenant. Fields of a source may come from events of any tenant, so only fields declared in
 * `sources.yaml` are listed: others can be read by name, but appear in no list, type name or hint.
 */
import type { Catalog, CatalogField, CatalogSource } from './catalog';

type Fields = ReadonlyMap<string, CatalogField>;

const made = new WeakMap<Catalog, Catalog>();

export function tenantCatalog(catalog: Catalog, tenant: string | null): Catalog {
  if (tenant === null) return catalog;
  let shown = made.get(catalog);
  if (shown === undefined) {
    shown = { ...catalog, sources: catalog.sources.map(declaredOnly) };
    made.set(catalog, shown);
  }
  return shown;
}

function declaredOnly(source: CatalogSource): CatalogSource {
  const declared = new Set<string>();
  for (const path of source.declaredFields) {
    const parts = path.split('.');
    parts.forEach((_, index) => declared.add(JSON.stringify(parts.slice(0, index + 1))));
  }
  return { ...source, metadata: { ...source.metadata, ...hiding(source.metadata.fields, [], declared) } };
}

function hiding(fields: Fields, path: readonly string[], declared: ReadonlySet<string>) {
  const hidden = new Set<string>();
  const copies = new Map<string, CatalogField>();
  for (const [name, field] of fields) {
    const below = [...path, name];
    if (!declared.has(JSON.stringify(below))) hidden.add(name);
    const isRecord = field.kind === 'record' || field.kind === 'records';
    copies.set(name, isRecord ? { ...field, ...hiding(field.fields, below, declared) } : field);
  }
  return { fields: copies, hidden };
}
