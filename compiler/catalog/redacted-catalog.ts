/** Removes nested fields whose names must be hidden: events choose the names of their fields. */
import type { Catalog, CatalogField } from './catalog';
import type { SourceRedaction } from './source-redaction';

type Fields = ReadonlyMap<string, CatalogField>;

const made = new WeakMap<Catalog, Map<SourceRedaction, Catalog>>();

export function redactedCatalog(catalog: Catalog, by: SourceRedaction | null): Catalog {
  if (by === null) return catalog;
  const known = made.get(catalog) ?? new Map<SourceRedaction, Catalog>();
  made.set(catalog, known);
  let redacted = known.get(by);
  if (redacted === undefined) {
    redacted = {
      ...catalog,
      sources: catalog.sources.map((source) => ({
        ...source,
        metadata: { ...source.metadata, fields: cleanFields(source.metadata.fields, by) },
      })),
    };
    known.set(by, redacted);
  }
  return redacted;
}

function cleanFields(fields: Fields, by: SourceRedaction): Fields {
  return new Map(
    [...fields].filter(([name]) => by.isClean(name)).map(([name, field]) => [name, cleanField(field, by)])
  );
}

function cleanField(field: CatalogField, by: SourceRedaction): CatalogField {
  return field.kind === 'record' || field.kind === 'records'
    ? { ...field, fields: cleanFields(field.fields, by) }
    : field;
}
