/**
 * State of one source while the store is open: its fields, the columns of its table, and the reader and writer of its
 * events.
 */
import { ServiceError } from '#contract/errors';
import type { Source } from '#contract/events/source';
import { declareFields, ensureDeclaredTypes } from '../../ingest/fields/declared-fields';
import { EventReader } from '../../ingest/read/event-reader';
import type { FieldFact } from '../../ingest/fields/field-fact';
import { type FieldNode, FieldTree } from '../../ingest/fields/field-tree';
import { SerialQueue } from '../../../common/scheduling/serial-queue';
import { SPELLED_NAMES } from '../schema/field-name';
import { noteType, restoreFields, type StoredTypes } from '../schema/field-registry';
import { BinaryRowWriter } from '../rows/binary-row';
import { FlatRowWriter } from '../rows/flat-row';
import type { StoredTable } from './stored-events';
import { storedTenant } from '../schema/stored-tenant';
import {
  clickHouseType,
  columnsOf,
  columnType,
  commonColumns,
  declaredTypeOf,
  hasColumn,
  INSERT_COLUMN,
  withoutBlanks,
} from '../schema/layout';

export class SourceState {
  readonly source: Source;
  /** Serializes the reading of batches. */
  readonly intake = new SerialQueue();
  /** Whether the table has the index on messages. */
  readonly isSearched: boolean;
  /** Column types of the table, by name. */
  private readonly tableColumns: ReadonlyMap<string, string>;
  tree!: FieldTree;
  reader!: EventReader;
  /** Writes the rows of inserts; null: the table's own columns are not those of this version. */
  binary!: BinaryRowWriter | null;
  /** Writes rows as JSON. */
  writer!: FlatRowWriter;
  stored!: StoredTypes;
  /** Number of facts that the field tree was built from. */
  factCount = 0;
  /** Time of the last check for other servers' fields, by the clock of `performance`. */
  checkedAt = performance.now();
  /**
   * True when the tree has to be built from the saved fields again: others are in it, or new ones are not published.
   */
  isStale = false;
  /** The last batch that ClickHouse did not answer. */
  private outage: { readonly failure: ServiceError; readonly at: number } | null = null;

  constructor(
    source: Source,
    tableColumns: ReadonlyMap<string, string>,
    facts: readonly FieldFact[],
    isSearched = false
  ) {
    this.source = source;
    this.isSearched = isSearched;
    this.tableColumns = tableColumns;
    this.reload(facts);
    ensureDeclaredTypes(this.tree, source);
    this.ensureOwnColumns();
  }

  /** Rebuilds the tree from saved facts. Must not run while a batch is being read. */
  reload(facts: readonly FieldFact[]): void {
    const { source } = this;
    const former: FieldTree | undefined = this.tree;
    this.tree = new FieldTree(commonColumns(source), SPELLED_NAMES);
    this.stored = restoreFields(this.tree, facts);
    this.factCount = facts.length;
    this.isStale = false;
    declareFields(this.tree, source.fields);
    this.tree.changed.clear();
    if (former !== undefined) this.tree.carryMisfits(former);
    this.reader = new EventReader(source, this.tree);
    const isReal = (node: FieldNode): boolean => this.isReal(node);
    this.writer = new FlatRowWriter(this.tree, source, isReal);
    this.binary = this.isAsLaidOut ? new BinaryRowWriter(this.tree, source, this.hasMarks, isReal) : null;
  }

  /**
   * Of batches that waited for one that ClickHouse did not answer, none tries again: each would take as long, one after
   * another.
   * @param arrivedAt by the clock of `performance`
   * @throws ServiceError the failure of that batch
   */
  ensureAnswers(arrivedAt: number): void {
    if (this.outage !== null && this.outage.at > arrivedAt) throw this.outage.failure;
  }

  noteFailure(failure: Error): void {
    if (failure instanceof ServiceError && failure.code === 'backend_unavailable')
      this.outage = { failure, at: performance.now() };
  }

  /** Records fields that were just saved. */
  noteSaved(nodes: readonly FieldNode[]): void {
    this.factCount += nodes.length;
    for (const { column, type } of nodes) if (column !== null && type !== null) noteType(this.stored, column, type);
  }

  /** False when an earlier version created the table, and it was not migrated. */
  get hasMarks(): boolean {
    return this.tableColumns.has(INSERT_COLUMN);
  }

  /** False when a column that is no field is of another type than this version gives it. */
  private get isAsLaidOut(): boolean {
    const common = new Set(commonColumns(this.source));
    return columnsOf(this.source).every(({ name, type }) => {
      if (!common.has(name) || (name === INSERT_COLUMN && !this.hasMarks)) return true;
      return withoutBlanks(this.tableColumns.get(name) ?? '') === withoutBlanks(type);
    });
  }

  /** @throws ServiceError `definition_invalid`: ClickHouse would refuse events with other values */
  private ensureOwnColumns(): void {
    const { name: source, columns } = this.source;
    for (const [name, declared] of Object.entries(columns)) {
      const stored = declaredTypeOf(this.tableColumns.get(name) ?? '');
      if (stored === null || stored === declared) continue;
      throw new ServiceError(
        'definition_invalid',
        `The column "${name}" of the source "${source}" is declared as ${declared}, but the table has it as ${stored}.`,
        { hint: 'declare that type, or give the column another name' }
      );
    }
  }

  get table(): StoredTable {
    const { source, hasMarks } = this;
    return { table: source.name, tenant: storedTenant(source, new Set(this.tableColumns.keys())), hasMarks };
  }

  /** True when the table has a column for a field, of its type. */
  isReal(node: FieldNode): boolean {
    const type = node.column === null ? undefined : this.tableColumns.get(node.column);
    return hasColumn(node) && type === `Nullable(${clickHouseType(columnType(node))})`;
  }
}
