/**
 * Tenant of each event of a source: read from its column or field, checked against the batch's rule, and added where it
 * is absent.
 */
import type { TenantRule } from '#contract/events/ingest';
import { type Source, tenantPlaceOf } from '#contract/events/source';
import { Token } from '../../../common/json/json-token';
import { type JsonNode, type JsonObject, type JsonScalar, jsonString } from '../../../common/json/json-tree';
import { EntryRejection } from './event-row';
import type { FieldNode, FieldTree } from '../fields/field-tree';

type Members = Map<string, JsonNode>;

export class EventTenant {
  /** Index of the own column with the tenant; null: it is not in an own column. */
  readonly columnIndex: number | null;
  private readonly source: Source;
  private readonly tree: FieldTree;
  private readonly path: readonly string[] | null;
  private rule: TenantRule | null = null;
  private watched: FieldNode | null = null;

  constructor(source: Source, tree: FieldTree) {
    this.source = source;
    this.tree = tree;
    const place = tenantPlaceOf(source);
    this.columnIndex = place !== null && 'column' in place ? Object.keys(source.columns).indexOf(place.column) : null;
    this.path = place !== null && 'path' in place ? place.path : null;
  }

  beginBatch(rule: TenantRule | null): void {
    this.rule = rule;
    this.watched = this.findNode();
  }

  /** The field of metadata with the tenant; null: it is not in a field, or the field is not a leaf. */
  get node(): FieldNode | null {
    return this.watched;
  }

  /** False when the field is no leaf yet, so that the value can only be read from the tree of an entry. */
  get isScanned(): boolean {
    return this.path === null || this.watched !== null;
  }

  /**
   * Applies the rule of the batch.
   * @param named tenant in the event; null or empty: none @returns the tenant of the event; null: none
   * @throws EntryRejection `tenant_mismatch`, `tenant_missing`
   */
  resolve(named: string | null): string | null {
    const { rule, source } = this;
    const own = named === '' ? null : named;
    if (rule === null) return named;
    if (source.tenant === null) {
      if (rule.confinedTo === null) return null;
      throw new EntryRejection('tenant_mismatch', 'the source has no tenants, and the access token belongs to one');
    }
    if (rule.given !== null) return rule.given;
    if (rule.confinedTo !== null) {
      if (own === null || own === rule.confinedTo) return rule.confinedTo;
      throw new EntryRejection(
        'tenant_mismatch',
        `"${source.tenant}" names another tenant than the one of the access token`
      );
    }
    if (own === null && !source.tenant_optional) {
      throw new EntryRejection(
        'tenant_missing',
        `the event names no tenant; set "${source.tenant}", or add "project=<tenant>" to the URL`
      );
    }
    return named;
  }

  /**
   * Writes the tenant of an event to its column or field. A replaced value of the own column is kept in metadata.
   * @param own values of the own columns @returns the tenant @throws EntryRejection
   */
  place(own: (string | null)[], metadata: Members): string | null {
    const { columnIndex, path } = this;
    if (columnIndex !== null) {
      const named = own[columnIndex]!;
      const tenant = this.resolve(named);
      const { tenant: name } = this.source;
      if (named !== null && named !== '' && named !== tenant && !metadata.has(name!))
        metadata.set(name!, jsonString(named));
      own[columnIndex] = tenant;
      return tenant;
    }
    if (path === null) return this.resolve(null);
    const named = this.readPath(metadata, path);
    const tenant = this.resolve(named);
    if (tenant !== named && tenant !== null) this.writePath(metadata, path, tenant);
    return tenant;
  }

  private findNode(): FieldNode | null {
    if (this.path === null) return null;
    let node: FieldNode | null = this.tree.root;
    for (const key of this.path) {
      if (node === null || node.kind !== 'record') return null;
      node = this.tree.find(node, key);
    }
    return node?.kind === 'leaf' ? node : null;
  }

  private readPath(metadata: Members, path: readonly string[]): string | null {
    const value = valueAt({ token: Token.object, members: metadata }, path);
    if (value === null || isScalar(value)) return value?.text ?? null;
    if (this.rule === null) return null;
    throw this.noText();
  }

  private writePath(metadata: Members, path: readonly string[], tenant: string): void {
    let members = metadata;
    for (const key of path.slice(0, -1)) {
      const found = members.get(key);
      const record = singleRecord(found);
      if (record === null && found !== undefined && found.token !== Token.null) throw this.noText();
      const below: Members = new Map(record?.members);
      members.set(key, { token: Token.object, members: below });
      members = below;
    }
    members.set(path[path.length - 1]!, jsonString(tenant));
  }

  private noText(): EntryRejection {
    return new EntryRejection('bad_value', `"${this.source.tenant}" must be a text`);
  }
}

/** Text of a value of metadata; null: it has no text there. */
export function textAt(metadata: JsonObject, path: readonly string[]): string | null {
  const value = valueAt(metadata, path);
  return value !== null && isScalar(value) ? value.text : null;
}

/** Null: no value, or `null`. */
function valueAt(metadata: JsonObject, path: readonly string[]): JsonNode | null {
  let value: JsonNode | undefined = metadata;
  for (const key of path) {
    const record = singleRecord(value);
    if (record === null) return null;
    value = record.members.get(key);
  }
  return value === undefined || value.token === Token.null ? null : value;
}

function isScalar(value: JsonNode): value is JsonScalar {
  return value.token !== Token.object && value.token !== Token.array;
}

/** The record itself, or the only one of an array; null: anything else. */
function singleRecord(value: JsonNode | undefined): JsonObject | null {
  if (value?.token === Token.object) return value;
  if (value?.token !== Token.array || value.items.length !== 1) return null;
  const [only] = value.items;
  return only?.token === Token.object ? only : null;
}
