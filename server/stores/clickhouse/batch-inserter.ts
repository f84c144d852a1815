/**
 * Stores groups of batches in the table of a source: finds stored events, inserts the others, and moves rows that
 * ClickHouse refuses to the dead letters.
 */
import { randomUUID } from 'node:crypto';
import { ServiceError } from '#contract/errors';
import { dropRepeated } from '../ingest/known-events';
import { dayOf } from '../ingest/timestamp';
import type { Connection } from './connection';
import { type DeadLetter, keepDeadLetters } from './dead-letters';
import { codeOf, isFaultOfRow, translateError } from './errors';
import { retried } from './retried';
import { type StoredCopy, surplusOf } from './insert-mark';
import type { Place } from './statements';
import { deleteStored, findStored, knownEvents, lastBlockOf, type StoredTable } from './stored-events';
import type { BatchOutcome, WaitingBatch, WaitingRow } from './waiting-batches';

/** Maximum refused rows: with more, the whole batch or the row writer is at fault, and not single events. */
const MAX_REFUSED_ROWS = 50;

export class BatchInserter {
  private readonly connection: Connection;
  private readonly table: StoredTable;
  private readonly place: Place;
  private readonly onProblem: (message: string, cause: unknown) => void;
  /** Block number after the last insert, read before any later look-up; null: unknown. */
  private lastBlock: number | null = null;
  /** Numbers of duplicate rows that this server found, and could or could not delete. */
  readonly copies = { withdrawn: 0, left: 0 };

  constructor(
    connection: Connection,
    table: StoredTable,
    place: Place,
    onProblem: (message: string, cause: unknown) => void
  ) {
    this.connection = connection;
    this.table = table;
    this.place = place;
    this.onProblem = onProblem;
  }

  /** @throws ServiceError; then only some events may be stored, and a retry of the batch finds those. */
  async store(batches: readonly WaitingBatch[]): Promise<readonly BatchOutcome[]> {
    try {
      const distinct = dropRepeated(batches.flatMap(({ rows }) => rows));
      const stored = await this.find(distinct);
      const known = knownEvents(stored);
      const fresh = known.size === 0 ? distinct : distinct.filter((row) => !known.has(row));
      const refused: WaitingRow[] = [];
      const reasons = new Map<WaitingRow, string>();
      for (const rows of alike(fresh)) await this.insertRows(rows, refused, reasons, randomUUID());
      if (refused.length > 0) await this.saveDeadLetters(refused, reasons, batches[0]!.nowMicros);
      if (this.table.hasMarks) await this.deleteSurplus(stored, fresh);
      const [isFresh, isRefused] = [new Set(fresh), new Set(refused)];
      return batches.map(({ rows }) => ({
        duplicates: rows.filter((row) => !isFresh.has(row)).length,
        refused: rows.filter((row) => isRefused.has(row)).map(({ index }) => index),
      }));
    } catch (error) {
      throw translateError(error);
    }
  }

  private find(rows: readonly WaitingRow[]): Promise<readonly StoredCopy[]> {
    return retried(() => findStored(this.connection, this.table, rows));
  }

  /**
   * Deletes surplus copies. Looks for copies again, since another server may have stored the same events at the same
   * time. Copies from before, of a server that died while it deleted them, are found when the event is sent again.
   */
  private async deleteSurplus(before: readonly StoredCopy[], fresh: readonly WaitingRow[]): Promise<void> {
    const isExclusive = fresh.length === 0 || (await this.wasOnlyInsert(fresh));
    const after = isExclusive ? [] : await this.find(fresh);
    const surplus = surplusOf([...before, ...after]);
    if (surplus.length === 0) return;
    try {
      await retried(() => deleteStored(this.connection, this.table, this.place, surplus));
      this.copies.withdrawn += surplus.length;
    } catch (error) {
      // The events are stored, although twice.
      this.copies.left += surplus.length;
      this.onProblem('events that were stored twice could not be taken away', translateError(error));
    }
  }

  /** True when no other insert was made since these rows were looked up. */
  private async wasOnlyInsert(fresh: readonly WaitingRow[]): Promise<boolean> {
    if (this.place.cluster !== null) return false;
    const before = this.lastBlock;
    // Without the right to read system.parts, every insert looks for copies again.
    this.lastBlock = await lastBlockOf(this.connection, this.table.table, this.place).catch(() => null);
    const days = new Set(fresh.map(({ micros }) => dayOf(micros))).size;
    return before !== null && this.lastBlock === before + days;
  }

  /** Bisects refused rows until only the rows remain that ClickHouse cannot store. */
  private async insertRows(
    rows: readonly WaitingRow[],
    refused: WaitingRow[],
    reasons: Map<WaitingRow, string>,
    token: string
  ): Promise<void> {
    try {
      const insert = {
        table: this.table.table,
        columns: rows[0]!.columns,
        rows: Buffer.concat(rows.map(({ line }) => line)),
        token,
        settings: this.settings(),
      };
      await retried(() => this.connection.insert(insert));
    } catch (error) {
      if (!isFaultOfRow(error)) throw error;
      if (rows.length > 1) {
        const middle = rows.length >> 1;
        await this.insertRows(rows.slice(0, middle), refused, reasons, `${token}0`);
        await this.insertRows(rows.slice(middle), refused, reasons, `${token}1`);
        return;
      }
      refused.push(rows[0]!);
      reasons.set(rows[0]!, codeOf(error) ?? '');
      if (refused.length > MAX_REFUSED_ROWS) {
        throw new ServiceError('backend_error', 'ClickHouse cannot store the events', {}, { cause: error });
      }
    }
  }

  /** On a cluster, a write is acknowledged when every shard has its part on most of its replicas. */
  private settings() {
    return this.place.cluster !== null ? { insert_quorum: 'auto', distributed_foreground_insert: 1 as const } : {};
  }

  private async saveDeadLetters(
    rows: readonly WaitingRow[],
    reasons: ReadonlyMap<WaitingRow, string>,
    receivedMicros: number
  ): Promise<void> {
    const letters = rows.map((row): DeadLetter => {
      const reason = reasons.get(row) ?? '';
      return { source: this.table.table, receivedMicros, reason, id: row.id, row: row.text() };
    });
    const token = randomUUID();
    await retried(() => keepDeadLetters(this.connection, letters, token));
  }
}

/** Rows in groups that list the same columns: all in one group, unless a field has just got known. */
function alike(rows: readonly WaitingRow[]): readonly (readonly WaitingRow[])[] {
  const groups: WaitingRow[][] = [];
  for (const row of rows) {
    const last = groups.at(-1);
    if (last !== undefined && last[0]!.columns === row.columns) last.push(row);
    else groups.push([row]);
  }
  return groups;
}
