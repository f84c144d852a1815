/** Log store in ClickHouse: the public entry of this folder. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '#contract/errors';
import type { FieldUse, SourceMisfits } from '#contract/queries/description';
import { type IngestError, type IngestResult, MAX_REPORTED_ERRORS } from '#contract/queries/result';
import type { Source } from '#contract/events/source';
import type { Catalog, CatalogSource, CompiledQuery } from '#compiler/store';
import { sourceNotFound } from '#contract/failures';
import { errorCode } from '../../common/caught-error';
import { describeMisfits, describeUse, refusedFields } from '../ingest/fields/describe-fields';
import { type ReadBatch, readBatchInTurns } from '../ingest/read/read-batch';
import type { IngestBatch, LogStore, RefusedFields, StoreStats, StoreHealth, StoreRows } from '../store';
import { BatchInserter, type LookedUpBatches } from './write/batch-inserter';
import { buildCatalog, describeSource } from './build-catalog';
import { Connection } from './connection/connection';
import { countDeadLetters } from './schema/dead-letters';
import { changeTables } from './schema/change-tables';
import { tableSizes } from './schema/table-sizes';
import { codeOf, translateError, translateWriteError, tooManyWaiting } from './connection/errors';
import { countFacts, factOf, type FieldFacts, loadFacts, saveFacts, tenantsOf } from './schema/field-registry';
import { insertMark } from './schema/insert-mark';
import type { ClickHouseOptions } from './connection/options';
import { type QueryLimits, runQuery } from './read/query-runner';
import { quoteName } from './connection/quoting';
import { retried } from './connection/retried';
import { dropOldPartitions } from './schema/retention';
import { inspectSchema, type SchemaReport } from './schema/schema';
import { deleteFacts } from './schema/statements';
import { IngestFaults } from './write/ingest-faults';
import { SourceState } from './write/source-state';
import { type BatchOutcome, WaitingBatches } from './write/waiting-batches';
import { writeRows } from './write/write-rows';

export interface ClickHouseStoreOptions extends ClickHouseOptions, QueryLimits {
  readonly sources: readonly Source[];
  /** Maximum bytes of batches that are not on disk; beyond it, batches are refused with a time to retry. */
  readonly maxWaitingBytes: number;
  /**
   * Longest wait for the answer to a check of the state: shorter than that of `store-check.ts`, which so gets the
   * reason, and does not take the engine process for stuck.
   * @default 8000
   */
  readonly probeMs?: number;
  /** Reports problems to the operator. */
  readonly onProblem?: (message: string, cause: unknown) => void;
  readonly onRefusedFields?: (refused: RefusedFields) => void;
}

const GRACE_MS = 10_000;
/** Interval after which fields from other servers are read. */
const REFRESH_MS = 5000;
/** Longest wait of queries for those fields, where ClickHouse does not answer. */
const REFRESH_WAIT_MS = 2000;
const PROBE_MS = 8000;

/**
 * @throws ServiceError `backend_unavailable` when ClickHouse cannot be reached, refuses the user, is too old, or lacks
 * the tables.
 */
export async function openClickHouseStore(options: ClickHouseStoreOptions): Promise<LogStore> {
  const onProblem = options.onProblem ?? (() => undefined);
  const writer = new Connection(options, options.writer);
  // ClickHouse itself ends a query at its time limit, with an error code that says so.
  const reader = new Connection(options, options.reader, options.maxSeconds * 1000 + GRACE_MS);
  try {
    await ensureDatabase(options);
    const report = await inspectSchema(writer, options, options.sources);
    ensureTables(report);
    const { problems, warnings } = report;
    for (const message of [...problems, ...warnings]) onProblem(message, undefined);
    const facts = await loadFacts(writer, null);
    const states = new Map<string, SourceState>();
    for (const source of options.sources) {
      states.set(source.name, openState(source, report, facts, onProblem));
    }
    await reader.rows({ sql: 'SELECT 1', settings: { readonly: '1' } });
    return new ClickHouseStore(options, writer, reader, states, onProblem);
  } catch (error) {
    await Promise.all([writer.close(), reader.close()]);
    throw openFailure(error);
  }
}

/** The operator of a server that does not start learns whether the address is wrong, or nothing listens there. */
function openFailure(cause: unknown): Error {
  const failure = translateError(cause);
  const code = errorCode(cause);
  if (code === undefined || !(failure instanceof ServiceError) || failure.details.reason !== 'unreachable')
    return failure;
  const hint = `the connection failed with ${code}: check LQE_CLICKHOUSE_URL`;
  return new ServiceError(failure.code, failure.message, { ...failure.details, hint }, { cause });
}

/** @throws ServiceError `backend_unavailable` with `reason: schema` */
function ensureTables({ missing }: Pick<SchemaReport, 'missing'>): void {
  if (missing.length === 0) return;
  throw new ServiceError('backend_unavailable', `ClickHouse has no table ${missing[0]} for the service`, {
    reason: 'schema',
    hint: 'run "lqe store init"',
  });
}

function openState(
  declared: Source,
  report: SchemaReport,
  facts: FieldFacts,
  onProblem: (message: string, cause: unknown) => void
): SourceState {
  const { columns, searched } = report;
  const source = keptSource(declared, report, onProblem);
  const { name } = source;
  return new SourceState(source, columns.get(name) ?? new Map(), facts.get(name) ?? [], searched.has(name));
}

/** The source with the days that its table keeps: ClickHouse would delete older events as soon as they are stored. */
function keptSource(
  source: Source,
  { daysKept }: Pick<SchemaReport, 'daysKept'>,
  onProblem: (message: string, cause: unknown) => void
): Source {
  const { name, retention_days } = source;
  const kept = daysKept.get(name) ?? Infinity;
  if (kept >= retention_days) return source;
  const events = `table ${name} keeps events for ${kept} days, not for ${retention_days}; older ones are refused`;
  onProblem(`${events} until "lqe store migrate --yes" was run and the server started again`, undefined);
  return { ...source, retention_days: kept };
}

/** Checks the database first: a connection to a missing database fails with every statement. */
async function ensureDatabase(options: ClickHouseOptions): Promise<void> {
  const { database } = options;
  const connection = new Connection({ ...options, database: 'default' }, options.writer);
  try {
    const sql = 'SELECT 1 FROM system.databases WHERE name = {database:String}';
    if ((await connection.rows({ sql, parameters: { database } })).length > 0) return;
  } finally {
    await connection.close();
  }
  throw new ServiceError('backend_unavailable', `ClickHouse has no database ${database}`, {
    reason: 'schema',
    hint: 'run "lqe store init"',
  });
}

class ClickHouseStore implements LogStore {
  readonly isRemote = true;
  readonly exports = null;
  readonly sealing = null;
  private readonly options: ClickHouseStoreOptions;
  private readonly writer: Connection;
  private readonly reader: Connection;
  private readonly states: Map<string, SourceState>;
  /** As declared, which their tables may not keep for so long. */
  private readonly sources: Source[];
  private readonly onProblem: (message: string, cause: unknown) => void;
  private readonly faults = new IngestFaults();
  private readonly waiting = new Map<string, WaitingBatches<LookedUpBatches>>();
  private readonly inserters = new Map<string, BatchInserter>();
  private readonly described = new Map<string, CatalogSource>();
  private current: Catalog;
  private refreshedAt = performance.now();
  /** The failure of the last refresh was reported; those that follow it are not. */
  private hasRefreshFailed = false;
  private refreshing: Promise<void> | null = null;
  private hasEvents = false;
  private waitingBytes = 0;
  private isClosing = false;

  constructor(
    options: ClickHouseStoreOptions,
    writer: Connection,
    reader: Connection,
    states: Map<string, SourceState>,
    onProblem: (message: string, cause: unknown) => void
  ) {
    this.options = options;
    this.writer = writer;
    this.reader = reader;
    this.states = states;
    this.onProblem = onProblem;
    this.sources = [...options.sources];
    for (const state of states.values()) {
      this.expectBatches(state);
      this.described.set(state.source.name, describeSource(state));
    }
    this.current = buildCatalog([...this.described.values()]);
  }

  private expectBatches({ source: { name, retention_days }, table }: SourceState): void {
    const inserter = new BatchInserter(this.writer, table, this.options, retention_days, this.onProblem);
    this.inserters.set(name, inserter);
    this.waiting.set(name, new WaitingBatches(inserter));
  }

  async addSource(source: Source): Promise<void> {
    const { writer, options, onProblem } = this;
    if (this.states.has(source.name)) return;
    try {
      const report = await inspectSchema(writer, options, [source]);
      ensureTables(report);
      const state = openState(source, report, await loadFacts(writer, source.name), onProblem);
      if (this.isClosing || this.states.has(source.name)) return;
      this.states.set(source.name, state);
      this.sources.push(source);
      this.expectBatches(state);
      this.publish(state);
    } catch (error) {
      throw translateError(error);
    }
  }

  async dropEvents(source: Source): Promise<number> {
    if (this.states.has(source.name)) throw new ServiceError('backend_error', 'The store has this source open.');
    try {
      const days = await dropOldPartitions(this.writer, this.options, [source], Infinity);
      for (const statement of deleteFacts(source.name, tenantsOf(source.name), this.options))
        await this.writer.command(statement);
      return days;
    } catch (error) {
      throw this.reported(translateError(error));
    }
  }

  prepareSource(source: Source, isStored: boolean): Promise<void> {
    return changeTables(this.options, source, isStored);
  }

  catalog(): Catalog {
    return this.current;
  }

  execute(query: CompiledQuery, signal: AbortSignal): Promise<StoreRows> {
    return this.watched(
      runQuery({ reader: this.reader, writer: this.writer, cluster: this.options.cluster }, this.options, query, signal)
    );
  }

  async ingest(batch: IngestBatch): Promise<IngestResult> {
    if (this.isClosing) throw new ServiceError('backend_unavailable', 'The store is closed.');
    const state = this.states.get(batch.source);
    if (state === undefined) throw sourceNotFound(batch.source, this.states.keys());
    const { byteLength } = batch.body;
    if (this.waitingBytes > 0 && this.waitingBytes + byteLength > this.options.maxWaitingBytes) throw tooManyWaiting();
    this.waitingBytes += byteLength;
    const arrivedAt = performance.now();
    try {
      const { read, stored } = await this.waiting.get(batch.source)!.expectDuring(() =>
        state.intake.run(async () => {
          state.ensureAnswers(arrivedAt);
          const taken = await this.take(state, batch);
          // Batches are stored in the order of intake, but the next one is read while this one is stored.
          return { read: taken, stored: this.storeRows(state, taken, batch) };
        })
      );
      const result = resultOf(read, await stored);
      this.faults.clear(batch.source);
      return result;
    } catch (error) {
      this.faults.note(batch.source, error);
      throw error;
    } finally {
      this.waitingBytes -= byteLength;
    }
  }

  /** Acknowledged events are readable at once. Fields from other servers are known with a short delay. */
  async catchUp(): Promise<void> {
    if (this.isCaughtUp) return;
    await (this.refreshing ??= this.refreshWithin(REFRESH_WAIT_MS));
  }

  get isCaughtUp(): boolean {
    return performance.now() - this.refreshedAt < REFRESH_MS;
  }

  get isFarBehind(): boolean {
    return false;
  }

  async enforceRetention(nowMicros: number): Promise<number> {
    try {
      return await dropOldPartitions(this.writer, this.options, this.sources, nowMicros);
    } catch (error) {
      throw this.reported(translateError(error));
    }
  }

  async isEmpty(): Promise<boolean> {
    if (this.hasEvents) return false;
    const signal = this.probeSignal();
    try {
      for (const name of this.states.keys()) {
        const sql = `SELECT 1 FROM ${quoteName(name)} LIMIT 1`;
        const found = await this.writer.rows({ sql, signal });
        if (found.length === 0) continue;
        this.hasEvents = true;
        return false;
      }
      return true;
    } catch {
      // Unknown counts as not empty: sample data must not be written into a store that may have events.
      return false;
    }
  }

  async health(): Promise<StoreHealth> {
    if (this.isClosing) return { ok: false, reason: 'the store is closed' };
    try {
      const signal = this.probeSignal();
      await this.reader.rows({ sql: 'SELECT 1', settings: { readonly: '1' }, signal });
      const ingestFault = this.faults.current;
      return { ok: true, ...(ingestFault !== null && { ingestFault }) };
    } catch (error) {
      return { ok: false, reason: translateError(error).message };
    }
  }

  private probeSignal(): AbortSignal {
    return AbortSignal.timeout(this.options.probeMs ?? PROBE_MS);
  }

  async sizes(): Promise<ReadonlyMap<string, number>> {
    try {
      return await tableSizes(this.writer, this.options, this.sources);
    } catch (error) {
      throw translateError(error);
    }
  }

  misfits(): Readonly<Record<string, SourceMisfits>> {
    return Object.fromEntries([...this.states].map(([name, { tree }]) => [name, describeMisfits(tree)]));
  }

  fieldUse(): Readonly<Record<string, FieldUse>> {
    return Object.fromEntries([...this.states].map(([name, { tree }]) => [name, describeUse(tree)]));
  }

  async stats(): Promise<StoreStats> {
    try {
      const deadLetters = await countDeadLetters(this.writer, this.options.database);
      const copies = [...this.inserters].map(([name, inserter]) => [name, { ...inserter.copies }] as const);
      const none = [...this.inserters.keys()].map((name) => [name, 0] as const);
      return {
        deadLetters: Object.fromEntries([...none, ...deadLetters]),
        duplicates: Object.fromEntries(copies),
        waitingBytes: this.waitingBytes,
      };
    } catch (error) {
      throw translateError(error);
    }
  }

  async close(): Promise<void> {
    if (this.isClosing) return;
    this.isClosing = true;
    for (const state of this.states.values()) await state.intake.run(() => Promise.resolve());
    await Promise.all([...this.waiting.values()].map((waiting) => waiting.close()));
    await Promise.all([this.writer.close(), this.reader.close()]);
  }

  /** Reads a batch, and saves the new fields in it. */
  private async take(state: SourceState, batch: IngestBatch): Promise<ReadBatch> {
    const { source } = state;
    try {
      if (state.isStale || (await this.isBehind(state))) await this.reload(state);
      // A tenant may have used up its share at another server: that is looked up before it gets further fields here.
      let isShareKnown = batch.tenant === null || batch.tenant.confinedTo === null;
      for (;;) {
        const read = await readBatchInTurns(state.reader, batch);
        const refused = refusedFields(source.name, state.tree);
        if (refused !== null) this.options.onRefusedFields?.(refused);
        const changed = [...state.tree.changed].filter((node) => node.isStored && node.kind !== 'empty');
        if (changed.length > 0 && !isShareKnown) {
          isShareKnown = true;
          if (await this.hasOtherFacts(state)) {
            await this.reload(state);
            continue;
          }
        }
        if (changed.length > 0) {
          const token = randomUUID();
          await retried(() => saveFacts(this.writer, source.name, changed.map(factOf), batch.nowMicros, token));
          state.noteSaved(changed);
        }
        state.tree.changed.clear();
        if (changed.length === 0) return read;
        // Until the saved fields were read and published: also when the sender has to send the batch again.
        state.isStale = true;
        // Fields that another server saved at the same time apply to these events, too.
        const facts = (await retried(() => loadFacts(this.writer, source.name))).get(source.name) ?? [];
        const isAlone = facts.length === state.factCount;
        if (!isAlone) state.reload(facts);
        state.isStale = false;
        this.publish(state);
        if (isAlone) return read;
      }
    } catch (error) {
      if (state.tree.changed.size > 0) state.isStale = true;
      const failure = translateWriteError(error);
      state.noteFailure(failure);
      throw failure;
    }
  }

  private async storeRows(state: SourceState, { rows }: ReadBatch, batch: IngestBatch): Promise<BatchOutcome> {
    if (rows.length === 0) return { duplicates: 0, refused: [] };
    const written = writeRows(state, rows, state.hasMarks ? insertMark(Date.now()) : null, batch.body.byteLength);
    const { nowMicros } = batch;
    const bytes = written.at(-1)!.end;
    return this.watched(this.waiting.get(state.source.name)!.add({ rows: written, nowMicros, bytes }));
  }

  private async watched<T>(task: Promise<T>): Promise<T> {
    try {
      return await task;
    } catch (error) {
      throw this.reported(error);
    }
  }

  /** Reports ClickHouse's error code to the operator; its text may contain parts of queries and rows. */
  private reported(error: unknown): unknown {
    const code = error instanceof ServiceError && error.code === 'backend_error' ? codeOf(error.cause) : undefined;
    if (code !== undefined) this.onProblem(`ClickHouse failed with its error ${code}`, undefined);
    return error;
  }

  private async reload(state: SourceState): Promise<void> {
    const { name } = state.source;
    state.reload((await loadFacts(this.writer, name)).get(name) ?? []);
    this.publish(state);
  }

  /** True when other servers have saved fields that this one does not know; checked at intervals. */
  private async isBehind(state: SourceState): Promise<boolean> {
    const now = performance.now();
    if (now - state.checkedAt < REFRESH_MS) return false;
    state.checkedAt = now;
    return this.hasOtherFacts(state);
  }

  private async hasOtherFacts(state: SourceState): Promise<boolean> {
    return ((await retried(() => countFacts(this.writer))).get(state.source.name) ?? 0) !== state.factCount;
  }

  /** Resolves after this time at the latest; the refresh then goes on, and no query waits for it again. */
  private async refreshWithin(longestMs: number): Promise<void> {
    const all = this.refresh().finally(() => (this.refreshing = null));
    await Promise.race([all, delay(longestMs, undefined, { ref: false })]);
  }

  private async refresh(): Promise<void> {
    try {
      const counts = await countFacts(this.writer);
      for (const [name, state] of this.states) {
        if ((counts.get(name) ?? 0) === state.factCount) continue;
        await state.intake.run(() => this.reload(state));
      }
      this.refreshedAt = performance.now();
      this.hasRefreshFailed = false;
    } catch (error) {
      // The query that waits reports the failure to its caller.
      if (!this.hasRefreshFailed) this.onProblem('the fields in ClickHouse cannot be read', error);
      this.hasRefreshFailed = true;
    }
  }

  private publish(state: SourceState): void {
    this.described.set(state.source.name, describeSource(state));
    this.current = buildCatalog([...this.described.values()]);
  }
}

function resultOf(read: ReadBatch, { duplicates, refused }: BatchOutcome): IngestResult {
  const errors: IngestError[] = [...read.errors];
  for (const index of refused.slice(0, MAX_REPORTED_ERRORS - errors.length)) {
    errors.push({ index, code: 'bad_value', message: 'the store cannot hold the entry; it is kept aside' });
  }
  return {
    accepted: read.rows.length - refused.length,
    duplicates,
    rejected: read.rejected + refused.length,
    errors,
  };
}
