/** Fields as the stores keep them between starts. */
import { SCALAR_TYPES, type ScalarType } from '#contract/events/source';
import { FIELD_KINDS, type FieldKind } from './field-tree';

export interface FieldFact {
  /** Keys from metadata down. */
  readonly path: readonly string[];
  readonly kind: FieldKind;
  /** Null: the field has no type of its own. */
  readonly type: ScalarType | null;
  /** Null: the field has no column. */
  readonly column: string | null;
  /** Tenant of the sender that added the field; null: it counts for no tenant. */
  readonly tenant: string | null;
}

/** @param stored values of a row; the path is JSON. @throws for values that no version has written */
export function readFieldFact(stored: {
  readonly path: unknown;
  readonly kind: unknown;
  readonly type: unknown;
  readonly column: unknown;
  readonly tenant: unknown;
}): FieldFact {
  return {
    path: readPath(String(stored.path)),
    kind: oneOf(FIELD_KINDS, stored.kind),
    type: stored.type === null ? null : oneOf(SCALAR_TYPES, stored.type),
    column: typeof stored.column === 'string' ? stored.column : null,
    tenant: typeof stored.tenant === 'string' ? stored.tenant : null,
  };
}

function readPath(json: string): readonly string[] {
  const path: unknown = JSON.parse(json);
  if (Array.isArray(path)) return path.map(String);
  throw new TypeError('The path of a stored field is not a list.');
}

function oneOf<T extends string>(known: readonly T[], stored: unknown): T {
  const found = known.find((each) => each === stored);
  if (found !== undefined) return found;
  throw new TypeError(`A stored field has "${String(stored)}", which is not one of ${known.join(', ')}.`);
}
