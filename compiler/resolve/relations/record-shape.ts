/** Logical shapes of the records of the catalog. */
import type { CatalogField, CatalogFields } from '../../catalog/catalog';
import { arrayOf, type RecordShape, type Type } from '../../ir/types';

const shapes = new WeakMap<ReadonlyMap<string, CatalogField>, RecordShape>();

/** Logical shape of a record of the catalog. */
export function shapeOf({ fields, hidden, isFull }: CatalogFields): RecordShape {
  let shape = shapes.get(fields);
  if (shape === undefined) {
    const types = new Map([...fields].map(([name, field]) => [name, fieldType(field)]));
    shape = { fields: types, ...(hidden !== undefined && { hidden }), ...(isFull === true && { isFull }) };
    shapes.set(fields, shape);
  }
  return shape;
}

function fieldType(field: CatalogField): Type {
  switch (field.kind) {
    case 'leaf':
      return { kind: field.type };
    case 'list':
      return arrayOf({ kind: field.element });
    case 'record':
      return { kind: 'SINGLE', shape: shapeOf(field) };
    case 'records':
      return arrayOf({ kind: 'RECORD', shape: shapeOf(field) });
  }
}
