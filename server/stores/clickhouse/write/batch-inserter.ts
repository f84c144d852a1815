/**
 * Stores groups of batches in the table of a source: finds stored events, inserts the others, and moves rows that
 * ClickHouse refuses to the dead letters.
 */
import { randomUUID } from 'node:crypto';
import type { ClickHouseSettings } from '@clickhouse/client';
import { ServiceError } from '#contract/errors';
import { dropRepeated } from '../../ingest/event/known-events';
import { dayOf } from '../../ingest/event/timestamp';
import type { Connection } from '../connection/connection';
import { type DeadLetter, keepDeadLetters } from '../schema/dead-letters';
import { codeOf, isFaultOfRow, translateError, translateWriteError } from '../connection/errors';
import { ForeignBlocks, type ForeignCount } from './foreign-blocks';
import { insertGroups, MAX_DAYS } from './insert-groups';
import { retried } from '../connection/retried';
import { type StoredCopy, surplusOf } from '../schema/insert-mark';
import type { Place } from '../schema/statements';
import { deleteStored, findCopies, findStored, knownEvents, sampleBlocks, type StoredTable } from './stored-events';
import type { BatchOutcome, GroupStore, LookedUp, WaitingBatch, WaitingRow } from './waiting-batches';
import { bytesOf } from './write-rows';

/** Maximum refused rows: with more, the whole batch or the row writer is at fault, and not single events. */
const MAX_REFUSED_ROWS = 50;
/** Days of the far future have no partition of their own: partitions have dates of at most the year 2149. */
const MAX_DAYS_AHEAD = 3650;

export interface LookedUpBatches extends LookedUp {
  /** Before the look-up. */
  readonly before: ForeignCount;
  readonly stored: readonly StoredCopy[];
}

/** Rows of one insert that ClickHouse refused. */
interface Refused {
  /** ClickHouse's error codes. */
  readonly reasons: Map<WaitingRow, string>;
  /** When the first batch arrived. */
  readonly nowMicros: number;
}

export class BatchInserter implements GroupStore<LookedUpBatches> {
  private readonly connection: Connection;
  private readonly table: StoredTable;
  private readonly place: Place;
  private readonly retentionDays: number;
  private readonly onProblem: (message: string, cause: unknown) => void;
  private readonly foreignBlocks = new ForeignBlocks();
  /** Whether the last insert was certainly the only one. */
  private isAlone = false;
  /** Numbers of duplicate rows that this server found, and could or could not delete. */
  readonly copies = { withdrawn: 0, left: 0 };

  constructor(
    connection: Connection,
    table: StoredTable,
    place: Place,
    retentionDays: number,
    onProblem: (message: string, cause: unknown) => void
  ) {
    this.connection = connection;
    this.table = table;
    this.place = place;
    this.retentionDays = retentionDays;
    this.onProblem = onProblem;
  }

  /** @throws ServiceError */
  async lookUp(batches: readonly WaitingBatch[]): Promise<LookedUpBatches> {
    const before = this.foreignBlocks.count;
    try {
      const rows = batches.flatMap((batch) => batch.rows);
      const stored = await retried(() => findStored(this.connection, this.table, rows));
      return { batches, before, stored };
    } catch (error) {
      throw translateWriteError(error);
    }
  }

  /**
   * Several inserts may be under way at once, if they share no id.
   *
   * @throws ServiceError; then only some events may be stored, and a retry of the batch finds those.
   */
  async store(groups: readonly LookedUpBatches[], onInserted: () => void): Promise<readonly BatchOutcome[]> {
    try {
      const batches = groups.flatMap((group) => group.batches);
      const distinct = dropRepeated(batches.flatMap(({ rows }) => rows));
      const stored = groups.flatMap((group) => group.stored);
      const known = knownEvents(stored);
      const fresh = known.size === 0 ? distinct : distinct.filter((row) => !known.has(row));
      const refused: Refused = { reasons: new Map(), nowMicros: batches[0]!.nowMicros };
      for (const rows of insertGroups(fresh)) await this.insertRows(rows, refused, randomUUID());
      if (refused.reasons.size > 0) await this.saveDeadLetters(refused);
      // A count of blocks beside another insert of this server tells less.
      if (this.isAlone) onInserted();
      if (this.table.hasMarks) await this.deleteSurplus(stored, fresh, groups[0]!.before);
      return outcomesOf(batches, fresh, refused);
    } catch (error) {
      throw translateWriteError(error);
    }
  }

  /**
   * Deletes surplus copies. Looks for copies again, since another server may have stored the same events at the same
   * time. Copies from before, of a server that died while it deleted them, are found when the event is sent again.
   */
  private async deleteSurplus(
    stored: readonly StoredCopy[],
    fresh: readonly WaitingRow[],
    before: ForeignCount
  ): Promise<void> {
    const isExclusive = fresh.length === 0 || (await this.wasOnlyInsertSince(before));
    const after = isExclusive ? [] : await retried(() => findCopies(this.connection, this.table, fresh));
    const surplus = surplusOf([...stored, ...after]);
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

  private async wasOnlyInsertSince(before: ForeignCount): Promise<boolean> {
    const { connection, table, place } = this;
    if (place.cluster !== null) return false;
    // Without the right to read system.parts, every insert looks for copies again.
    this.isAlone = await this.foreignBlocks.areUnchanged(before, () =>
      sampleBlocks(connection, table.table, place).catch(() => null)
    );
    return this.isAlone;
  }

  private async insert(rows: readonly WaitingRow[], token: string, nowMicros: number): Promise<void> {
    const { blocks, areCertain } = this.blocksOf(rows, nowMicros);
    const request = {
      table: this.table.table,
      columns: rows[0]!.columns,
      rows: bytesOf(rows),
      token,
      settings: this.settings(),
    };
    let attempts = 0;
    let isStored = false;
    this.foreignBlocks.begin(blocks);
    try {
      await retried(() => {
        attempts++;
        return this.connection.insert(request);
      });
      isStored = true;
    } finally {
      this.foreignBlocks.end(blocks, isStored && areCertain && attempts === 1);
    }
  }

  /** Blocks that an insert of these rows makes: one for each day. */
  private blocksOf(rows: readonly WaitingRow[], nowMicros: number) {
    const days = new Set<number>();
    for (const { micros } of rows) days.add(dayOf(micros));
    const today = dayOf(nowMicros);
    // A day at the end of its retention may be dropped at once.
    const isKept = (day: number): boolean => day > today - this.retentionDays && day < today + MAX_DAYS_AHEAD;
    return { blocks: days.size, areCertain: [...days].every(isKept) };
  }

  /** Bisects refused rows until only the rows remain that ClickHouse cannot store. */
  private async insertRows(rows: readonly WaitingRow[], refused: Refused, token: string): Promise<void> {
    try {
      await this.insert(rows, token, refused.nowMicros);
    } catch (error) {
      if (!isFaultOfRow(error)) throw error;
      if (rows.length > 1) {
        const middle = rows.length >> 1;
        await this.insertRows(rows.slice(0, middle), refused, `${token}0`);
        await this.insertRows(rows.slice(middle), refused, `${token}1`);
        return;
      }
      refused.reasons.set(rows[0]!, codeOf(error) ?? '');
      if (refused.reasons.size > MAX_REFUSED_ROWS) {
        throw new ServiceError('backend_error', 'ClickHouse cannot store the events', {}, { cause: error });
      }
    }
  }

  /** On a cluster, a write is acknowledged when every shard has its part on most of its replicas. */
  private settings(): ClickHouseSettings {
    return {
      max_partitions_per_insert_block: String(MAX_DAYS),
      ...(this.place.cluster !== null && { insert_quorum: 'auto', distributed_foreground_insert: 1 }),
    };
  }

  private async saveDeadLetters({ reasons, nowMicros }: Refused): Promise<void> {
    const letters = [...reasons].map(([row, reason]): DeadLetter => ({
      source: this.table.table,
      receivedMicros: nowMicros,
      reason,
      id: row.id,
      row: row.text(),
    }));
    const token = randomUUID();
    await retried(() => keepDeadLetters(this.connection, letters, token));
  }
}

function outcomesOf(
  batches: readonly WaitingBatch[],
  fresh: readonly WaitingRow[],
  { reasons }: Refused
): readonly BatchOutcome[] {
  const isAllFresh = fresh.length === batches.reduce((sum, { rows }) => sum + rows.length, 0);
  const isFresh = isAllFresh ? null : new Set(fresh);
  return batches.map(({ rows }) => ({
    duplicates: isFresh === null ? 0 : rows.filter((row) => !isFresh.has(row)).length,
    refused: reasons.size === 0 ? [] : rows.filter((row) => reasons.has(row)).map(({ index }) => index),
  }));
}
