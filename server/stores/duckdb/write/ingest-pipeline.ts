/**
 * Path of a batch: read, compared with known events, written to the journal, acknowledged; then, after the
 * acknowledgment, inserted into the tables. A failure of the second half is recovered from the journal.
 */
import type { DuckDBConnection } from '@duckdb/node-api';
import { ServiceError } from '#contract/errors';
import type { IngestResult } from '#contract/queries/result';
import type { EventRow } from '../../ingest/event/event-row';
import { dropRepeated } from '../../ingest/event/known-events';
import { refusedFields } from '../../ingest/fields/describe-fields';
import { type ReadBatch, readBatch, readBatchInTurns } from '../../ingest/read/read-batch';
import { Journal } from '../../journal/journal';
import type { JournalRecord } from '../../journal/journal-record';
import type { IngestBatch, IngestFault, RefusedFields } from '../../store';
import { BatchInserter } from './batch-inserter';
import { BatchWriter, type FreshBatch, type WriterOptions } from './batch-writer';
import { dropStored } from './duplicates';
import { noLongerTaken, toBatch, toEntry, withAccepted } from './journal-entry';
import { loadParts } from '../sources/load-parts';
import { SerialQueue } from '../../../common/scheduling/serial-queue';
import type { SourceState } from '../sources/source-state';
import { StatementCache } from '../statements/statement-cache';
import { ingestFaultOf, isFaultOfValues, isInvalidated, isOutOfMemory } from '../statements/store-errors';
import { loadStoredPosition } from '../sources/stored-position';
import { NO_PARTS } from '../tables/stored-parts';
import type { CheckpointKind } from '../file/database';
import type { WriteActivity } from '../file/write-activity';

export interface PipelineEvents {
  /** Called when parts or fields of these sources have changed. */
  onGrown(states: Iterable<SourceState>): void;
  onCommitted(): void;
  onRefusedFields(refused: RefusedFields): void;
  /** Reports a problem to the operator. */
  onProblem(message: string, cause: unknown): void;
  /** Every statement fails until a new process opens the database. */
  onBroken(): void;
}

interface PipelineParts extends WriterOptions {
  /** Connection of the writer alone. */
  readonly connection: DuckDBConnection;
  /** Connection for look-ups of stored events, in parallel to the writer. */
  readonly lookups: DuckDBConnection;
  readonly states: ReadonlyMap<string, SourceState>;
  readonly journalDir: string;
  readonly writes: WriteActivity;
  /** @throws ServiceError `backend_unavailable` when the data folder is not the one that was opened */
  readonly ensurePresent?: () => Promise<void>;
  readonly events: PipelineEvents;
}

const SEND_AGAIN = { hint: 'send the batch again later; events that arrive twice are stored once' };

/** Pauses between recovery attempts after a failure. */
const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 30_000;
/** Maximum recovery attempts for a batch that does not fit into memory. */
const MEMORY_ATTEMPTS = 5;

export class IngestPipeline {
  private readonly parts: PipelineParts;
  private journal: Journal;
  private readonly writer: BatchWriter;
  private readonly lookups: StatementCache;
  private readonly inserter: BatchInserter;
  /** Serializes reading, comparing and journaling of batches; recovery runs in the same queue. */
  private readonly intake = new SerialQueue();
  /** Settles when the newest record of the journal was passed to the inserter, or could not be synced. */
  private newestAdded: Promise<void> = Promise.resolve();
  /** Batches are refused while it is set, until everything is reloaded. */
  private fault: IngestFault | null = null;
  /** True until the records that a former process left in the journal are in the tables. */
  private isStarting = true;
  /** Settles with the first recovery attempt after a failure. */
  private firstAttempt: Promise<void> = Promise.resolve();
  private isClosed = false;
  private retryMs = FIRST_RETRY_MS;
  private failedAttempts = 0;
  private retryTimer: NodeJS.Timeout | null = null;
  private endPause: () => void = () => undefined;

  private constructor(parts: PipelineParts, journal: Journal, position: number) {
    this.parts = parts;
    this.journal = journal;
    this.writer = new BatchWriter(parts.connection, parts);
    this.lookups = new StatementCache(parts.lookups);
    this.inserter = new BatchInserter(
      this.writer,
      position,
      {
        onCommitted: (changed, stored) => this.committed(changed, stored),
        onFailed: (error) => this.failed(error),
      },
      parts.writes
    );
  }

  /**
   * Opens the journal. The pipeline takes batches after `start`.
   * @throws ServiceError `backend_unavailable` with `reason: journal_damaged`
   */
  static async open(parts: PipelineParts): Promise<IngestPipeline> {
    const position = await loadStoredPosition(parts.connection);
    const journal = await Journal.open(parts.journalDir, position, parts);
    if (journal.missing !== null) parts.events.onProblem(describeMissing(journal.missing), undefined);
    if (journal.cutOff !== null) parts.events.onProblem(describeCutOff(journal.cutOff), undefined);
    return new IngestPipeline(parts, journal, position);
  }

  /** Inserts the records that a former process left in the journal. */
  async start(): Promise<void> {
    // No other work runs yet: a record that does not fit into memory now never will.
    await this.replay(this.inserter.committedPosition, 'last');
    this.isStarting = false;
  }

  /** Resolves when the accepted entries are on disk. */
  async ingest(state: SourceState, batch: IngestBatch): Promise<IngestResult> {
    const { result, synced } = await this.intake.run(() => this.take(state, batch));
    await synced;
    return result;
  }

  /** Resolves when every batch acknowledged before is in the tables. Readers do not wait for a lasting failure. */
  async catchUp(): Promise<void> {
    await this.inserter.catchUp();
    if (this.isBroken) await this.firstAttempt;
  }

  /**
   * Resolves when every batch acknowledged before is in the tables.
   * @throws ServiceError `backend_unavailable` while a lasting failure keeps some in the journal
   */
  async catchUpCompletely(): Promise<void> {
    await this.catchUp();
    if (!this.isBroken) return;
    throw new ServiceError('backend_unavailable', 'Some acknowledged events are in the journal only; see the log.');
  }

  /** Why batches are refused; null: they are taken. */
  get ingestFault(): IngestFault | null {
    return this.fault;
  }

  private get isBroken(): boolean {
    return this.fault !== null;
  }

  /** True when `catchUp` has nothing to wait for. */
  get isCaughtUp(): boolean {
    return this.inserter.isCaughtUp && !this.isBroken && !this.isStarting;
  }

  /** True when readers in `catchUp` may have to wait for seconds. */
  get isFarBehind(): boolean {
    return this.inserter.isFarBehind;
  }

  /** Runs a task on the writer's connection between transactions. */
  exclusive<T>(task: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    return this.inserter.exclusive(() =>
      task(this.parts.connection).finally(() => {
        this.writer.expireStatements();
        this.lookups.expire();
      })
    );
  }

  /** Runs a short task like `exclusive`, while no batch is being compared with the stored events either. */
  alone<T>(task: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    return this.intake.run(() => this.exclusive(task));
  }

  /** Makes a checkpoint when all acknowledged batches are in the tables. */
  checkpoint(kind: CheckpointKind): Promise<void> {
    return this.inserter.whenDrained(() => (this.isClosed ? Promise.resolve() : this.writer.checkpoint(kind)));
  }

  /** Closes. Every acknowledged batch is then in the tables, or still in the journal. */
  async close(): Promise<void> {
    this.isClosed = true;
    if (this.retryTimer !== null) clearTimeout(this.retryTimer);
    this.endPause();
    await this.intake.run(() => this.drain());
    await this.inserter.exclusive(async () => {
      await this.writer.checkpoint('plain').catch(() => undefined);
      await this.journal.close(this.inserter.committedPosition).catch((error: unknown) => {
        this.parts.events.onProblem('a file of the journal cannot be removed', error);
      });
      this.lookups.clear();
      this.parts.lookups.closeSync();
      this.writer.close();
    });
  }

  private async take(state: SourceState, batch: IngestBatch): Promise<{ result: IngestResult; synced: Promise<void> }> {
    await this.parts.ensurePresent?.();
    this.ensureOpen();
    await this.inserter.room();
    this.ensureOpen();
    const { read, fresh } = await this.readFresh(state, batch);
    const result: IngestResult = {
      accepted: read.rows.length,
      duplicates: read.rows.length - fresh.rows.length,
      rejected: read.rejected,
      errors: read.errors,
    };
    if (fresh.rows.length === 0) return { result, synced: Promise.resolve() };
    const { synced } = await this.journalAndInsert(fresh, withAccepted(batch, read));
    return { result, synced };
  }

  private ensureOpen(): void {
    if (this.isClosed) throw new ServiceError('backend_unavailable', 'The store is closed.');
    if (this.isBroken || this.isStarting) {
      const reason = this.fault === null ? {} : { reason: this.fault };
      throw new ServiceError('backend_unavailable', 'The store cannot take events for the moment.', {
        ...reason,
        ...SEND_AGAIN,
      });
    }
  }

  /**
   * Reads a batch and drops known events. The tree of the source is restored when no new event remains, and after a
   * failure: entries have already extended it.
   */
  private async readFresh(state: SourceState, batch: IngestBatch): Promise<{ read: ReadBatch; fresh: FreshBatch }> {
    try {
      const read = await readBatchInTurns(state.reader, batch);
      const touched = [...state.tree.touched];
      const changed = [...state.tree.changed];
      const refused = refusedFields(state.source.name, state.tree);
      if (refused !== null) this.parts.events.onRefusedFields(refused);
      const rows = await this.dropKnown(state, dropRepeated(read.rows));
      if (rows.length === 0 && changed.length > 0) await this.resetFields(state);
      state.tree.changed.clear();
      return { read, fresh: { state, rows, touched, changed } };
    } catch (error) {
      // Fields that cannot be restored are saved with the next batch.
      if (state.tree.changed.size > 0) await this.resetFields(state).catch(() => undefined);
      throw error;
    }
  }

  private async dropKnown(state: SourceState, rows: readonly EventRow[]): Promise<EventRow[]> {
    // In this order: a batch that is committed in between is found by one of the two.
    const unknown = state.pending.without(rows);
    try {
      return await dropStored(this.lookups, state, unknown);
    } catch (error) {
      this.lookups.clear();
      if (isInvalidated(error)) throw this.failed(error);
      // Nothing is wrong with the batch: memory may be short for a moment.
      this.parts.events.onProblem('stored events cannot be looked up now; senders send their batches again', error);
      throw notKept(error);
    }
  }

  private async journalAndInsert(fresh: FreshBatch, batch: IngestBatch): Promise<{ readonly synced: Promise<void> }> {
    const events = fresh.state.pending.add(fresh.rows);
    try {
      const { position, synced } = await this.journal.append(toEntry(batch));
      const added = synced.then(
        () => this.inserter.add({ ...fresh, position, bytes: batch.body.byteLength, events }),
        (error: unknown) => {
          throw this.failed(error);
        }
      );
      this.newestAdded = added.catch(() => undefined);
      return { synced: added };
    } catch (error) {
      throw this.failed(error);
    }
  }

  private committed(changed: readonly SourceState[], stored: number): void {
    this.journal.release(stored).catch((error: unknown) => {
      this.parts.events.onProblem('a file of the journal cannot be removed', error);
    });
    if (changed.length > 0) {
      this.lookups.expire();
      this.parts.events.onGrown(changed);
    }
    this.parts.events.onCommitted();
  }

  /** Restores the saved fields. Batches in flight refer to fields of the present tree, so they are finished first. */
  private async resetFields(state: SourceState): Promise<void> {
    await this.drain();
    await this.exclusive((connection) => state.reload(connection));
    this.parts.events.onGrown([state]);
  }

  private async drain(): Promise<void> {
    await this.newestAdded;
    await this.inserter.catchUp();
  }

  /** Accepts no more batches until everything is reloaded. @returns the error for the caller of the failed batch. */
  private failed(error: unknown): ServiceError {
    if (!this.isBroken) {
      this.fault = ingestFaultOf(error);
      const cause = CAUSES[this.fault];
      this.parts.events.onProblem(
        `events cannot be stored for the moment${cause}; what was acknowledged is in the journal`,
        error
      );
      this.firstAttempt = this.retry();
    }
    if (error instanceof ServiceError) return error;
    return notKept(error);
  }

  private retry(): Promise<void> {
    if (this.isClosed) return Promise.resolve();
    const pauseMs = this.retryMs;
    this.retryMs = Math.min(this.retryMs * 2, LONGEST_RETRY_MS);
    return new Promise((resolve) => {
      this.endPause = () => resolve(this.intake.run(() => this.recover()));
      this.retryTimer = setTimeout(this.endPause, pauseMs);
    });
  }

  private async recover(): Promise<void> {
    if (this.isClosed) return;
    try {
      await this.parts.ensurePresent?.();
      await this.drain();
      const position = await this.exclusive((connection) => this.reload(connection));
      await this.journal.close(0);
      this.journal = await Journal.open(this.parts.journalDir, position, this.parts);
      this.inserter.restart(position);
      await this.replay(position, this.failedAttempts < MEMORY_ATTEMPTS ? 'running' : 'last');
      // Records that were in the journal may all have found room: without this, the next batch would fail again.
      if (this.fault === 'disk_full') await this.journal.ensureRoom();
      this.fault = null;
      this.retryMs = FIRST_RETRY_MS;
      this.failedAttempts = 0;
    } catch (error) {
      this.failedAttempts++;
      this.fault = ingestFaultOf(error);
      this.parts.events.onProblem('events cannot be stored yet', error);
      if (isInvalidated(error)) this.parts.events.onBroken();
      void this.retry();
    }
  }

  /** @returns the position up to which the tables contain every record. */
  private async reload(connection: DuckDBConnection): Promise<number> {
    const { states, events } = this.parts;
    this.lookups.clear();
    // The checkpoint frees the memory of written columns. The disk may have no space for it; if it fails in the middle,
    // the next statements fail, too.
    await this.writer.checkpoint('plain').catch(() => undefined);
    const parts = await loadParts(
      connection,
      [...states.values()].map(({ source }) => source)
    );
    for (const state of states.values()) {
      state.pending.clear();
      state.setParts(parts.get(state.source.name) ?? NO_PARTS);
      await state.reload(connection);
    }
    events.onGrown(states.values());
    return loadStoredPosition(connection);
  }

  /** Replays records one by one, so that one that cannot be stored does not block the others. */
  private async replay(after: number, phase: ReplayPhase): Promise<void> {
    for await (const record of this.journal.read(after)) {
      const changed = await this.inserter.exclusive(() => this.replayRecord(record, phase));
      this.inserter.restart(record.position);
      this.committed(changed, record.position);
    }
  }

  private async replayRecord(record: JournalRecord, phase: ReplayPhase): Promise<SourceState[]> {
    const state = this.parts.states.get(record.source);
    if (state === undefined || (await this.journal.isSetAside(record))) {
      await this.setAside(record, new Error('The source is no longer declared.'));
      return this.writer.commit(record.position);
    }
    try {
      const read = readBatch(state.reader, toBatch(record));
      const [touched, changed] = [[...state.tree.touched], [...state.tree.changed]];
      state.tree.changed.clear();
      const rows = await dropStored(this.lookups, state, dropRepeated(read.rows));
      if (rows.length > 0) await this.writer.insert({ state, rows, touched, changed }, this.inserter.committedPosition);
      const refused = noLongerTaken(record, read);
      if (refused !== null) await this.setAside({ ...record, body: refused.body }, new Error(refused.reason));
      return await this.writer.commit(record.position);
    } catch (error) {
      await this.writer.rollBack();
      await state.reload(this.parts.connection);
      if (!isFaultOfBatch(error, phase)) throw error;
      await this.setAside(record, error);
      return this.writer.commit(record.position);
    }
  }

  private async setAside(record: JournalRecord, cause: unknown): Promise<void> {
    if (await this.journal.isSetAside(record)) return;
    const name = await this.journal.setAside(record);
    this.parts.events.onProblem(`a batch cannot be stored and is kept as ${name} in the journal folder`, cause);
  }
}

function describeMissing({ count, before }: NonNullable<Journal['missing']>): string {
  const batches = count === 1 ? '1 acknowledged batch' : `${count} acknowledged batches`;
  return `the journal lacks ${batches} before ${before}: files of it were moved away, or logs.duckdb is older than the journal`;
}

function describeCutOff(name: string): string {
  return `the journal ended in ${name} before what logs.duckdb has: the file was cut off, or is older than logs.duckdb; acknowledged batches behind its end may be missing`;
}

function notKept(cause: unknown): ServiceError {
  const details = { reason: ingestFaultOf(cause), ...SEND_AGAIN };
  return new ServiceError('backend_unavailable', 'The store could not keep the events.', details, { cause });
}

/** For the log, after "events cannot be stored for the moment". */
const CAUSES: Readonly<Record<IngestFault, string>> = {
  disk_full: ', because the disk is full',
  disk_failed: ', because the disk cannot be written',
  memory: ', which needs more memory (LQE_ENGINE_MEMORY_MB)',
  damaged: ', because a file of the store is damaged',
  other: '',
};

/** `last`: there is no further attempt. */
type ReplayPhase = 'running' | 'last';

function isFaultOfBatch(error: unknown, phase: ReplayPhase): boolean {
  if (error instanceof ServiceError) return error.code === 'body_invalid';
  return isFaultOfValues(error) || (phase === 'last' && isOutOfMemory(error));
}
