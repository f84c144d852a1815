/**
 * Relations: FROM items as expressions see them. A relation knows its logical columns and returns store expressions for
 * them, or for nested fields, on demand. Columns that are never requested are not read.
 */
import type { CatalogField, CatalogFields, CatalogRecord, CatalogSource } from '../../catalog/catalog';
import type { ColumnExpr, Expr } from '../../ir/expression';
import type { LogicalColumn } from '../../ir/plan';
import { arrayOf, BOOL, NULL_TYPE, STRING, type RecordShape, type Type } from '../../ir/types';
import type { SourcePosition } from '../../ast';
import type { SourceRedaction } from '../../catalog/source-redaction';
import { redactedExpr, secretField } from './redact-border';
import type { CommonTable } from '../resolution';
import type { ResolvedQuery } from '../query/resolved-query';
import { tenantFilter } from './tenant-filter';
import { callOf } from '../../ir/call';
import type { RelationDraft, ScanDraft } from '../drafts';

/** The caller's name for a requested value, with its position. */
export interface Mention {
  readonly display: string;
  readonly position: SourcePosition;
}

/** `value`: the field's value, whole records as JSON text. `presence`: whether the record exists. */
export type Want = 'value' | 'presence';

export interface Relation {
  readonly id: number;
  readonly plan: RelationDraft;
  readonly columns: readonly LogicalColumn[];
  demand(column: number, path: readonly string[], want: Want, mention: Mention): Expr;
  /** Whether the record at this path exists in every row. */
  alwaysPresent(column: number, path: readonly string[]): boolean;
  /** Restricts the scan to rows with the physical time column in the bounds, if that allows the store to skip parts. */
  narrow(name: string, fromMicros: number, toMicros: number): void;
}

/** Type at the end of a path, or undefined. Only records have fields here. */
export function typeAt(type: Type, path: readonly string[]): Type | undefined {
  let current: Type | undefined = type;
  for (const part of path) {
    if (current?.kind !== 'RECORD' && current?.kind !== 'SINGLE') return undefined;
    current = current.shape.fields.get(part);
  }
  return current;
}

const shapes = new WeakMap<ReadonlyMap<string, CatalogField>, RecordShape>();

/** Logical shape of a record of the catalog. */
export function shapeOf({ fields, hidden }: CatalogFields): RecordShape {
  let shape = shapes.get(fields);
  if (shape === undefined) {
    const types = new Map([...fields].map(([name, field]) => [name, fieldType(field)]));
    shape = { fields: types, ...(hidden === undefined ? {} : { hidden }) };
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
      if (field?.kind === 'record' && field.presence !== null) return this.physical(field.presence, BOOL, mention);
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

/** A WITH query read in FROM, or a derived table. */
export class QueryRelation implements Relation {
  readonly columns: readonly LogicalColumn[];
  readonly plan: RelationDraft;

  constructor(
    readonly id: number,
    readonly query: ResolvedQuery,
    private readonly commonTable: CommonTable | null
  ) {
    this.columns = query.columns;
    this.plan = {
      kind: 'relation',
      id,
      input: commonTable ? { kind: 'common-table', table: commonTable.plan } : { kind: 'derived', plan: query.plan },
      unnests: [],
    };
  }

  demand(column: number, path: readonly string[], want: Want, mention: Mention): Expr {
    const { name, type, size } = this.query.output(column, path, want);
    const value: ColumnExpr = { kind: 'column', relation: this.id, name, type, size, ...mention };
    return want === 'value' && path.length === 0 ? this.named(column, this.atBorder(value)) : this.atBorder(value);
  }

  /**
   * Hides a text whose name is that of a credential, as in the final redaction of rows. Numbers such as counts may have
   * such names.
   */
  private named(column: number, expr: Expr): Expr {
    const isText = expr.type.kind === 'STRING' || expr.type.kind === 'BYTES' || expr.type.kind === 'ARRAY';
    const name = this.columns[column]?.name ?? '';
    return this.isBorder && isText ? secretField(expr, [name], this.commonTable?.redaction ?? null) : expr;
  }

  /** Redacts values that pass from events to a caller's expression; every value of the relation passes here. */
  atBorder(expr: Expr): Expr {
    const redaction = this.commonTable?.redaction ?? null;
    return redaction === null ? expr : redactedExpr(expr, redaction);
  }

  get isBorder(): boolean {
    return (this.commonTable?.redaction ?? null) !== null;
  }

  alwaysPresent(column: number, path: readonly string[]): boolean {
    return this.query.alwaysPresent(column, path);
  }

  narrow(name: string, fromMicros: number, toMicros: number): void {
    if (this.commonTable !== null && this.commonTable.plan.readers > 1) return;
    this.query.narrow(name, fromMicros, toMicros);
  }
}

/** `UNNEST(list)` as a separate FROM item. */
export class ListRelation implements Relation {
  readonly columns: readonly LogicalColumn[];
  readonly plan: RelationDraft;

  constructor(
    readonly id: number,
    name: string,
    list: Expr,
    element: Type,
    withOffset: string | null,
    lateral: boolean,
    private readonly redaction: SourceRedaction | null
  ) {
    this.columns = [
      { name, type: element },
      ...(withOffset === null ? [] : [{ name: withOffset, type: { kind: 'INT64' } as const }]),
    ];
    this.plan = {
      kind: 'relation',
      id,
      input: { kind: 'list', list, element: 'x', offset: withOffset === null ? null : 'o', lateral },
      unnests: [],
    };
  }

  demand(column: number, path: readonly string[], want: Want, mention: Mention): Expr {
    const type = this.columns[column]?.type ?? STRING;
    const base: ColumnExpr = { kind: 'column', relation: this.id, name: column === 0 ? 'x' : 'o', type, ...mention };
    const value: Expr =
      path.length === 0 ? base : { kind: 'json-field', base, path, type: typeAt(type, path) ?? STRING };
    return want === 'value' ? secretField(value, path, this.redaction) : callOf('is_not_null', [value], BOOL);
  }

  alwaysPresent(): boolean {
    return false;
  }

  narrow(): void {
    // A list has no parts to skip.
  }
}
