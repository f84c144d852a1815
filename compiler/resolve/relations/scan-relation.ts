/** A source in FROM. */
import type { CatalogField, CatalogRecord, CatalogSource } from '../../catalog/catalog';
import type { SourceRedaction } from '../../catalog/source-redaction';
import { callOf } from '../../ir/operations/call';
import type { ColumnExpr, Expr } from '../../ir/expression';
import type { LogicalColumn } from '../../ir/plan';
import { BOOL, NULL_TYPE, STRING, type Type } from '../../ir/types';
import type { RelationDraft, ScanDraft } from '../drafts';
import { shapeOf } from './record-shape';
import { secretField } from './redact-border';
import { type Mention, type Relation, typeAt, type Want } from './relation';
import { tenantFilter } from './tenant-filter';

/** A source: its own columns, then `metadata`. */
export class ScanRelation implements Relation {
  readonly columns: readonly LogicalColumn[];
  readonly plan: RelationDraft;
  private readonly scan: ScanDraft;

  constructor(
    readonly id: number,
    private readonly source: CatalogSource,
    private readonly redaction: SourceRedaction | null,
    tenant: string | null
  ) {
    this.columns = [
      ...source.columns.map((column) => ({ name: column.name, type: { kind: column.type } })),
      { name: 'metadata', type: { kind: 'SINGLE', shape: shapeOf(source.metadata) } as const },
    ];
    this.scan = {
      kind: 'scan',
      source: source.name,
      parts: source.parts,
      columns: new Map(),
      presences: new Map(),
      nested: null,
      bounds: { fromMicros: Number.NEGATIVE_INFINITY, toMicros: Number.POSITIVE_INFINITY },
      tenant: tenantFilter(source, tenant),
    };
    this.plan = { kind: 'relation', id, input: this.scan, unnests: [] };
  }

  demand(column: number, path: readonly string[], want: Want, mention: Mention): Expr {
    const own = this.source.columns[column];
    if (own !== undefined) return this.physical(own.name, { kind: own.type }, mention);
    if (want === 'presence' && path.length === 0) {
      return callOf('is_not_null', [this.physical('timestamp', { kind: 'TIMESTAMP' }, mention)], BOOL);
    }
    const expr = this.nested(path, want, mention);
    return want === 'value' ? secretField(expr, path, this.redaction) : expr;
  }

  alwaysPresent(column: number, path: readonly string[]): boolean {
    return column === this.source.columns.length && path.length === 0;
  }

  narrow(name: string, fromMicros: number, toMicros: number): void {
    if (name !== 'timestamp') return;
    const { bounds } = this.scan;
    this.scan.bounds = {
      fromMicros: Math.max(bounds.fromMicros, fromMicros),
      toMicros: Math.min(bounds.toMicros, toMicros),
    };
  }

  private nested(path: readonly string[], want: Want, mention: Mention): Expr {
    const type = typeAt(this.columns[this.columns.length - 1]?.type ?? STRING, path);
    // A branch of a set operation may be asked for a field that only another branch's source has.
    if (type === undefined) return { kind: 'literal', type: want === 'presence' ? BOOL : NULL_TYPE, value: null };
    const field = this.fieldAt(path);
    if (want === 'presence') {
      if (field?.kind === 'record' && field.presence !== null) {
        if (!this.scan.presences.has(field.presence)) this.scan.presences.set(field.presence, columnsIn(field));
        return this.physical(field.presence, BOOL, mention);
      }
      return callOf('is_not_null', [this.fromText(path, type, mention)], BOOL);
    }
    if (field !== undefined && (field.kind === 'leaf' || field.kind === 'list') && field.column !== null) {
      return this.physical(field.column, type, mention);
    }
    return this.fromText(path, type, mention);
  }

  private fromText(path: readonly string[], type: Type, mention: Mention): Expr {
    const text = this.source.metadataText;
    if (path.length === 0) return { ...this.physical(text, STRING, mention), type };
    const base = this.physical(this.nestedText(path) ?? text, STRING, mention);
    return { kind: 'json-field', base, path, type };
  }

  /** Column of the texts that a nested field is read from; null: every part has the whole text only. */
  private nestedText(path: readonly string[]): string | null {
    if (this.source.parts.every(({ rest }) => rest === undefined)) return null;
    const text = this.source.metadataText;
    this.scan.nested ??= { column: `${text} nested`, text, paths: [] };
    this.scan.nested = { ...this.scan.nested, paths: [...this.scan.nested.paths, path] };
    return this.scan.nested.column;
  }

  private fieldAt(path: readonly string[]): CatalogField | undefined {
    let current: CatalogField | CatalogRecord | undefined = this.source.metadata;
    for (const part of path) {
      if (current?.kind !== 'record') return undefined;
      current = current.fields.get(part);
    }
    return current;
  }

  private physical(name: string, type: Type, mention: Mention): ColumnExpr {
    if (!this.scan.columns.has(name)) this.scan.columns.set(name, type);
    return { kind: 'column', relation: this.id, name, type, ...mention };
  }
}

/**
 * Columns that are NULL or false in all rows without the record; a store may hold a list that is not there as empty.
 */
function columnsIn({ fields }: CatalogRecord): ReadonlySet<string> {
  const columns = [...fields.values()].flatMap((field) => {
    if (field.kind === 'record') return [...(field.presence === null ? [] : [field.presence]), ...columnsIn(field)];
    return field.kind !== 'leaf' || field.column === null ? [] : [field.column];
  });
  return new Set(columns);
}
