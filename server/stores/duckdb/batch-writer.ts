/**
 * The only writer of events: one connection, one batch at a time, one transaction per batch. DuckDB's commit returns after its log is
 * synced to disk (seen with strace: one fsync per commit), so a batch that was answered survives a kill.
 */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { IngestResult } from '#contract/result';
import type { PhysicalType } from '../../compiler/catalog';
import type { EventRow } from '../ingest/event-row';
import type { FieldNode } from '../ingest/field-tree';
import { type ReadBatch, readBatch } from '../ingest/read-batch';
import { dayOf } from '../ingest/timestamp';
import type { IngestBatch } from '../store';
import { columnDefinition } from './column-definition';
import { columnTypeOf, duckDbType } from './column-types';
import { dropRepeated, dropStored } from './duplicates';
import { saveFields } from './field-registry';
import { hasColumnFor, METADATA_COLUMN, printInsert } from './insert-statement';
import { type Part, partTable } from './part';
import { quoteName } from './quoting';
import { rowTexts } from './row-text';
import type { SourceState } from './source-state';
import { StatementCache } from './statement-cache';

/** Rows of one insert: bounds the memory of a statement, not of the transaction. */
const ROWS_PER_INSERT = 4_096;

export class BatchWriter {
  private readonly connection: DuckDBConnection;
  private readonly statements: StatementCache;

  constructor(connection: DuckDBConnection) {
    this.connection = connection;
    this.statements = new StatementCache(connection);
  }

  /**
   * @returns the outcome; `hasNewSchema` when parts or fields of the source changed.
   * @throws ServiceError `body_invalid`; any other failure is the store's own. Nothing is stored then.
   */
  async write(state: SourceState, batch: IngestBatch): Promise<{ result: IngestResult; hasNewSchema: boolean }> {
    let read: ReadBatch;
    try {
      read = readBatch(state.reader, batch.body, batch.nowMicros);
    } catch (error) {
      // Entries before the broken place have grown the tree already.
      if (state.tree.changed.size > 0) await state.reload(this.connection);
      throw error;
    }
    const rows = dropRepeated(read.rows);
    const { stored, hasNewSchema } =
      rows.length > 0 ? await this.store(state, rows) : { stored: 0, hasNewSchema: false };
    return {
      result: {
        accepted: read.rows.length,
        duplicates: read.rows.length - stored,
        rejected: read.rejected,
        errors: read.errors,
      },
      hasNewSchema,
    };
  }

  close(): void {
    this.statements.clear();
    this.connection.closeSync();
  }

  private async store(state: SourceState, rows: EventRow[]): Promise<{ stored: number; hasNewSchema: boolean }> {
    await this.connection.run('BEGIN TRANSACTION');
    try {
      const fresh = await dropStored(this.statements, state.parts, rows);
      const drafts = await this.insertRows(state, fresh);
      const changed = [...state.tree.changed];
      if (changed.length > 0) {
        await saveFields(this.connection, state.source.name, changed);
      }
      await this.connection.run('COMMIT');
      state.tree.changed.clear();
      state.parts = new Map([...state.parts, ...drafts.map((part) => [part.day, part] as const)]);
      return { stored: fresh.length, hasNewSchema: changed.length > 0 || drafts.some((part) => part.hasNewColumns) };
    } catch (error) {
      await this.rollBack(state);
      throw error;
    }
  }

  private async rollBack(state: SourceState): Promise<void> {
    // A failed COMMIT has ended the transaction already, and then there is nothing to roll back.
    await this.connection.run('ROLLBACK').catch(() => undefined);
    this.statements.clear();
    await state.reload(this.connection);
  }

  private async insertRows(state: SourceState, rows: readonly EventRow[]): Promise<PartDraft[]> {
    const touched = state.tree.touched.filter((node) => node.column !== null);
    state.activate(touched);
    const drafts: PartDraft[] = [];
    for (const [day, rowsOfDay] of groupByDay(rows)) {
      const draft = await this.preparePart(state, day, touched);
      for (let start = 0; start < rowsOfDay.length; start += ROWS_PER_INSERT) {
        await this.insert(state, draft, rowsOfDay.slice(start, start + ROWS_PER_INSERT));
      }
      const newestMicros = rowsOfDay.reduce((latest, row) => Math.max(latest, row.micros), draft.newestMicros);
      drafts.push({ ...draft, newestMicros });
    }
    return drafts;
  }

  private async insert(state: SourceState, part: PartDraft, rows: readonly EventRow[]): Promise<void> {
    const ownColumns = Object.entries(state.source.columns).map(([name, type]) => ({ name, type }));
    const { hasAbsent, hasColumnsText, parameters } = rowTexts(rows, ownColumns.length);
    const variant = `${hasAbsent.map(Number).join('')} ${Number(hasColumnsText)}`;
    const name = `insert ${part.table} ${state.activeVersion} ${variant}`;
    const statement = await this.statements.prepare(name, () => {
      const fields = [...state.activeFields].filter((node) => hasColumnFor(part.columns, node));
      return printInsert({ table: part.table, ownColumns, fields, hasAbsent, hasColumnsText });
    });
    parameters.forEach((text, i) => statement.bindVarchar(i + 1, text));
    await statement.run();
  }

  /** Makes the part of a day, or gives it the columns that the batch needs. */
  private async preparePart(state: SourceState, day: number, touched: readonly FieldNode[]): Promise<PartDraft> {
    const part = state.parts.get(day);
    if (part === undefined) return this.createPart(state, day);
    const newestMicros = part.newestMicros ?? (await this.newestEvent(part.table));
    const columns = new Map(part.columns);
    let hasNewColumns = false;
    for (const [name, type] of Object.entries(state.source.columns)) {
      if (columns.has(name)) continue;
      await this.addColumn(part.table, name, type);
      columns.set(name, type);
      hasNewColumns = true;
    }
    for (const node of touched) {
      if (hasColumnFor(columns, node)) continue;
      const type = columnTypeOf(node);
      if (columns.has(node.column!)) await this.widenColumn(part.table, node.column!, type);
      else await this.addColumn(part.table, node.column!, type);
      columns.set(node.column!, type);
      hasNewColumns = true;
    }
    // Prepared statements write to the columns that there were.
    if (hasNewColumns) this.statements.clear();
    return { ...part, columns, newestMicros, hasNewColumns };
  }

  private async createPart(state: SourceState, day: number): Promise<PartDraft> {
    const columns = new Map<string, PhysicalType>([
      ['id', 'STRING'],
      ['timestamp', 'TIMESTAMP'],
      ['event_message', 'STRING'],
      ...Object.entries(state.source.columns),
    ]);
    for (const node of storedFields(state.tree.root)) columns.set(node.column!, columnTypeOf(node));
    columns.set(METADATA_COLUMN, 'STRING');
    const table = partTable(state.source.name, day);
    const definitions = [...columns].map(([name, type]) => columnDefinition(name, type));
    await this.connection.run(`CREATE TABLE ${quoteName(table)} (${definitions.join(', ')})`);
    return { table, day, columns, newestMicros: -Infinity, hasNewColumns: true };
  }

  private async newestEvent(table: string): Promise<number> {
    const reader = await this.connection.runAndReadAll(`SELECT max(epoch_us("timestamp")) FROM ${quoteName(table)}`);
    const [[micros = null] = []] = reader.getRows();
    return micros === null ? -Infinity : Number(micros);
  }

  private async addColumn(table: string, name: string, type: PhysicalType): Promise<void> {
    await this.connection.run(`ALTER TABLE ${quoteName(table)} ADD COLUMN ${columnDefinition(name, type)}`);
  }

  private async widenColumn(table: string, name: string, type: PhysicalType): Promise<void> {
    await this.connection.run(
      `ALTER TABLE ${quoteName(table)} ALTER COLUMN ${quoteName(name)} TYPE ${duckDbType(type)}`
    );
  }
}

/** A part as it will be when the transaction is committed. */
interface PartDraft extends Part {
  readonly newestMicros: number;
  readonly hasNewColumns: boolean;
}

function groupByDay(rows: readonly EventRow[]): Map<number, EventRow[]> {
  const byDay = new Map<number, EventRow[]>();
  for (const row of rows) {
    const day = dayOf(row.micros);
    const list = byDay.get(day);
    if (list === undefined) byDay.set(day, [row]);
    else list.push(row);
  }
  return byDay;
}

/** Every field of a source that has a column and was seen in an event. */
function* storedFields(record: FieldNode): Generator<FieldNode> {
  for (const child of record.byKey.values()) {
    if (child.column !== null && child.isStored) yield child;
    yield* storedFields(child);
  }
}
