/**
 * The nested fields of one source, as a tree that grows with its events. The scanner walks it in step with the bytes of
 * an event; the store saves its changes and describes it to the compiler.
 * The first value at a path decides its kind. Later values can only widen its type, or turn a single record into a list
 * of records. Declared fields never change: one odd event must not change the type of a field that queries rely on.
 */
import type { ScalarType } from '#contract/events/source';
import { byteKey, type KeyedChildren, type KeyedNode, keyTextOf } from './keyed-node';
import { MAX_COLUMNS, MAX_FIELDS, MAX_KEY_BYTES, MAX_NEW_COLUMNS_PER_BATCH } from '../limits';
import { TenantShares } from './tenant-shares';

/** `empty`: only null or `[]` was seen, so there is no field yet. `records`: a list of records. */
export const FIELD_KINDS = ['empty', 'leaf', 'list', 'record', 'records'] as const;

export type FieldKind = (typeof FIELD_KINDS)[number];

/** A field that will get a column. */
export interface NewColumn {
  /** Keys from metadata down. */
  readonly path: readonly string[];
  readonly kind: FieldKind;
  /** True for fields that were added before the first batch. */
  readonly isDeclared: boolean;
  readonly isTaken: (name: string) => boolean;
}

/** Column names of fields in a store. */
export interface ColumnNaming {
  /** Normalizes a name: names with the same result are the same to the store. */
  fold(name: string): string;
  nameOf(column: NewColumn): string;
}

export class FieldNode implements KeyedNode<FieldNode>, KeyedChildren<FieldNode> {
  readonly key: string;
  readonly keyText: Uint8Array;
  readonly parent: FieldNode | null;
  kind: FieldKind = 'empty';
  /** Type of a leaf, or of the elements of a list. */
  type: ScalarType | null = null;
  /** Name of the typed column, or of the presence column of a record; null: none. */
  column: string | null = null;
  /** Name of a column that the field had, which tables may still have; null: none. */
  lostColumn: string | null = null;
  isDeclared = false;
  /** Tenant of the sender that added the field; null: it had none, or the field counts for no tenant. */
  tenant: string | null = null;
  /** True once an event had a value, so that parts have a column for it. */
  isStored = false;
  /** Number of values that did not fit and are in the JSON text only. */
  misfits = 0;
  next: FieldNode | null = null;
  first: FieldNode | null = null;
  readonly byKey = new Map<string, FieldNode>();
  /** Serial number of the last object with this key: a second one in the same object is a duplicate. */
  objectMark = 0;
  /** Serial number of the last batch with a value of this field. */
  batchMark = 0;

  constructor(key: string, parent: FieldNode | null) {
    this.key = key;
    this.keyText = keyTextOf(key);
    this.parent = parent;
  }

  /** Keys from metadata down. */
  path(): string[] {
    return this.parent === null ? [] : [...this.parent.path(), this.key];
  }

  /** True below a list of records; such fields have no columns. */
  isBelowList(): boolean {
    for (let node = this.parent; node !== null; node = node.parent) {
      if (node.kind === 'records') return true;
    }
    return false;
  }
}

export class FieldTree {
  readonly root = new FieldNode('', null);
  /** Fields with changes that the store has not saved yet. */
  readonly changed = new Set<FieldNode>();
  /** Stored fields whose count of misfits is not saved. */
  private miscounted = new Set<FieldNode>();
  /** Fields with values that did not fit. */
  readonly misfitted = new Set<FieldNode>();
  /** Fields of the source, those without a value included, and how many of them have a column. */
  readonly fields = new TenantShares(MAX_FIELDS);
  readonly columns: TenantShares;
  /** Tenant of the sender of the current batch; null: none. */
  sender: string | null = null;
  /** Number of values in the current batch that got no name in queries, since there was no room for a field. */
  refused = 0;
  /** Fields with values in the current batch. */
  readonly touched: FieldNode[] = [];
  private readonly columnNames: Set<string>;
  private readonly naming: ColumnNaming;
  private batch = 0;
  /** Number of new columns in the current batch. */
  private newColumns = 0;
  /** False once the sender had no room for a field: a batch gives none back. */
  private hasFieldRoom = true;

  /** @param reserved names of columns that are no nested fields. @param maxColumns of nested fields in memory */
  constructor(reserved: Iterable<string>, naming: ColumnNaming, maxColumns = Infinity) {
    this.root.kind = 'record';
    this.root.isStored = true;
    this.naming = naming;
    this.columns = new TenantShares(Math.min(MAX_COLUMNS, maxColumns), maxColumns);
    this.columnNames = new Set([...reserved].map((name) => naming.fold(name)));
  }

  /** @param sender the tenant of its token; null: none */
  beginBatch(sender: string | null = null): void {
    this.batch++;
    this.sender = sender;
    this.newColumns = 0;
    this.refused = 0;
    this.hasFieldRoom = true;
    this.touched.length = 0;
  }

  /** Records that the current batch has a value of a field. */
  touch(node: FieldNode): void {
    if (node.batchMark === this.batch) return;
    node.batchMark = this.batch;
    this.touched.push(node);
    if (!node.isStored) {
      node.isStored = true;
      this.changed.add(node);
    }
  }

  find(parent: FieldNode, key: string): FieldNode | null {
    return parent.byKey.get(byteKey(key)) ?? null;
  }

  /** @returns the child, created when missing; null at the limit of fields, and for a key that is too long. */
  findOrAdd(parent: FieldNode, key: string): FieldNode | null {
    const found = this.find(parent, key);
    if (found !== null) return found;
    // Declared fields always have room: an operator must be able to declare one where events have used up all.
    if (!this.isDeclaring && !(this.hasFieldRoom &&= this.fields.hasRoomFor(this.sender))) {
      this.refused++;
      return null;
    }
    if (Buffer.byteLength(key) > MAX_KEY_BYTES) return null;
    const node = new FieldNode(key, parent);
    node.tenant = this.sender;
    parent.byKey.set(byteKey(key), node);
    this.fields.add(node.tenant);
    return node;
  }

  /**
   * Gives an empty field its kind. @returns false when it must stay empty: without a presence column, a record could
   * not be tested for NULL.
   */
  settle(node: FieldNode, kind: Exclude<FieldKind, 'empty'>, type: ScalarType | null): boolean {
    this.adopt(node);
    const wantsColumn = kind !== 'records' && !node.isBelowList();
    if (wantsColumn && this.hasRoomForColumn(node, kind)) {
      node.column = this.newColumnName(node, kind);
    } else if (wantsColumn && kind === 'record') {
      this.refused++;
      return false;
    }
    node.kind = kind;
    node.type = type;
    this.changed.add(node);
    // Fields are listed in the order in which they got their kind, as they are saved.
    listLast(node);
    return true;
  }

  /** Lists these fields before all others of their records, in this order. */
  listFirst(nodes: ReadonlySet<FieldNode>): void {
    const others = [...new Set([...nodes].map(({ parent }) => parent!))].flatMap((parent) =>
      [...parent.byKey.values()].filter((node) => !nodes.has(node))
    );
    for (const node of [...nodes, ...others]) listLast(node);
  }

  /** Marks a declared field, which counts for no tenant. */
  declare(node: FieldNode): void {
    node.isDeclared = true;
    this.assign(node, null);
  }

  /** Counts a field, and its column, for a tenant. @param tenant null: for none */
  assign(node: FieldNode, tenant: string | null): void {
    const counts = node.column === null ? [this.fields] : [this.fields, this.columns];
    for (const count of counts) {
      count.remove(node.tenant);
      count.add(tenant);
    }
    node.tenant = tenant;
  }

  /** Restores a saved field. */
  restore(
    path: readonly string[],
    saved: Pick<FieldNode, 'kind' | 'type' | 'column' | 'misfits' | 'tenant'>
  ): FieldNode {
    const { kind, type, column, misfits, tenant } = saved;
    let node = this.root;
    for (const key of path) {
      let child = this.find(node, key);
      if (child === null) {
        child = new FieldNode(key, node);
        node.byKey.set(byteKey(key), child);
        this.fields.add(null);
      }
      node = child;
    }
    this.assign(node, tenant);
    if (node.column !== null) this.columns.remove(tenant);
    Object.assign(node, { kind, type, column, misfits });
    node.isStored = true;
    if (misfits > 0) this.misfitted.add(node);
    if (column !== null) {
      this.columnNames.add(this.naming.fold(column));
      this.columns.add(tenant);
    }
    return node;
  }

  countMisfit(node: FieldNode): void {
    node.misfits++;
    this.misfitted.add(node);
    if (node.isStored) this.miscounted.add(node);
  }

  /** Takes over the counts of a former tree of the same source, where they are higher. */
  carryMisfits(former: FieldTree): void {
    for (const other of former.misfitted) {
      const { misfits } = other;
      let found: FieldNode | null = this.root;
      for (const key of other.path()) found = found === null ? null : this.find(found, key);
      if (found === null || found.misfits >= misfits) continue;
      found.misfits = misfits;
      this.misfitted.add(found);
      if (found.isStored) this.miscounted.add(found);
    }
  }

  /** @returns the fields whose count has grown since the last call. */
  takeMiscounted(): ReadonlySet<FieldNode> {
    const taken = this.miscounted;
    this.miscounted = new Set();
    return taken;
  }

  widen(node: FieldNode, type: ScalarType): void {
    node.type = type;
    this.changed.add(node);
  }

  /** Converts a record to a list of records: it and all fields below lose their columns. */
  becomeRecords(node: FieldNode): void {
    node.kind = 'records';
    this.dropColumns(node);
  }

  /** Counts a column that no field has any more, and a table still has. @param tenant of the field that had it */
  countLostColumn(tenant: string | null): void {
    this.columns.add(tenant);
  }

  /** The columns still count: tables have them. */
  private dropColumns(node: FieldNode): void {
    node.lostColumn ??= node.column;
    node.column = null;
    this.changed.add(node);
    for (const child of node.byKey.values()) this.dropColumns(child);
  }

  /** True before the first batch: the fields that are added are declared ones. */
  private get isDeclaring(): boolean {
    return this.batch === 0;
  }

  /** An empty field is not saved: it belongs to the sender of its first value, if that has room for one more. */
  private adopt(node: FieldNode): void {
    if (node.tenant === this.sender) return;
    if (this.isDeclaring || this.fields.hasRoomFor(this.sender)) this.assign(node, this.sender);
  }

  private hasRoomForColumn(node: FieldNode, kind: FieldKind): boolean {
    // A declared record without its presence column could not be read.
    if (this.isDeclaring) return kind === 'record' || this.columns.hasRoomFor(null);
    if (this.newColumns >= MAX_NEW_COLUMNS_PER_BATCH || node.tenant !== this.sender) return false;
    return this.columns.hasRoomFor(this.sender);
  }

  private newColumnName(node: FieldNode, kind: FieldKind): string {
    const name = this.naming.nameOf({
      path: node.path(),
      kind,
      isDeclared: this.isDeclaring,
      isTaken: (other) => this.columnNames.has(this.naming.fold(other)),
    });
    this.columnNames.add(this.naming.fold(name));
    this.columns.add(node.tenant);
    this.newColumns++;
    return name;
  }
}

function listLast(node: FieldNode): void {
  const key = byteKey(node.key);
  node.parent!.byKey.delete(key);
  node.parent!.byKey.set(key, node);
}
