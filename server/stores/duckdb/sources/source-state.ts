/** State of one source while the store is open: its fields, its parts and the reader of its events. */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Source } from '#contract/events/source';
import { EventReader } from '../../ingest/read/event-reader';
import type { FieldNode } from '../../ingest/fields/field-tree';
import { FieldTree } from '../../ingest/fields/field-tree';
import { declareFields, ensureDeclaredTypes } from '../../ingest/fields/declared-fields';
import { isFieldColumn, NUMBERED_NAMES } from '../tables/field-name';
import { countLostColumns, loadFields } from './field-registry';
import { METADATA_COLUMN } from '../tables/stored-columns';
import { PendingEvents } from './pending-events';
import { allOpenParts, allParts, NO_PARTS, type StoredParts } from '../tables/stored-parts';

/** Number of batches after which unused columns leave the insert statement. */
const FORGET_AFTER_BATCHES = 256;

export class SourceState implements StoredParts {
  readonly source: Source;
  parts: StoredParts['parts'] = NO_PARTS.parts;
  former: StoredParts['former'] = NO_PARTS.former;
  sealed: StoredParts['sealed'] = NO_PARTS.sealed;
  tree: FieldTree;
  reader: EventReader;
  /** Fields of recent batches, which insert statements write to. */
  activeFields: ReadonlySet<FieldNode> = new Set();
  /** Increases with each new set of active fields. */
  activeVersion = 0;
  readonly pending = new PendingEvents();
  private recentFields = new Set<FieldNode>();
  private batches = 0;

  private constructor(
    source: Source,
    tree: FieldTree,
    private readonly maxColumns?: number
  ) {
    this.source = source;
    this.tree = tree;
    this.reader = new EventReader(source, tree);
  }

  /** @param maxColumns of nested fields */
  static async load(
    connection: DuckDBConnection,
    source: Source,
    parts = NO_PARTS,
    maxColumns?: number
  ): Promise<SourceState> {
    const tree = await loadTree(connection, source, parts, maxColumns);
    ensureDeclaredTypes(tree, source);
    const state = new SourceState(source, tree, maxColumns);
    state.setParts(parts);
    return state;
  }

  setParts({ parts, former, sealed }: StoredParts): void {
    this.parts = parts;
    this.former = former;
    this.sealed = sealed;
  }

  /**
   * Restores the saved fields. Must not run while a batch is in flight, since batches refer to fields of the former
   * tree.
   */
  async reload(connection: DuckDBConnection): Promise<void> {
    const tree = await loadTree(connection, this.source, this, this.maxColumns);
    tree.carryMisfits(this.tree);
    this.tree = tree;
    this.reader = new EventReader(this.source, this.tree);
    this.activeFields = new Set();
    this.recentFields = new Set();
    this.activeVersion++;
  }

  /** Adds the fields of a batch, so that prepared statements of earlier batches are reused if possible. */
  activate(fields: readonly FieldNode[]): void {
    for (const field of fields) this.recentFields.add(field);
    if (++this.batches % FORGET_AFTER_BATCHES === 0) {
      if (this.recentFields.size < this.activeFields.size) this.setActive(this.recentFields);
      this.recentFields = new Set();
    }
    if (fields.every((field) => this.activeFields.has(field))) return;
    this.setActive(new Set([...this.activeFields, ...fields]));
  }

  private setActive(fields: ReadonlySet<FieldNode>): void {
    this.activeFields = fields;
    this.activeVersion++;
  }
}

/** Names of columns that every part has, in addition to those of nested fields. */
export function commonColumns(source: Source): string[] {
  return ['id', 'timestamp', 'event_message', ...Object.keys(source.columns), METADATA_COLUMN];
}

async function loadTree(
  connection: DuckDBConnection,
  source: Source,
  parts: StoredParts,
  maxColumns?: number
): Promise<FieldTree> {
  // Parts keep the columns of fields that have none any more. Another field would find their values there.
  const stored = allParts(parts).flatMap(({ columns }) => [...columns.keys()]);
  const tree = new FieldTree([...commonColumns(source), ...stored], NUMBERED_NAMES, maxColumns);
  await loadFields(connection, source.name, tree);
  const written = allOpenParts(parts).flatMap(({ columns }) => [...columns.keys()].filter(isFieldColumn));
  await countLostColumns(connection, source.name, tree, written);
  declareFields(tree, source.fields);
  tree.changed.clear();
  return tree;
}
