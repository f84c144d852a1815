/**
 * Acknowledged events reach the tables once, after any failure.
 *
 * @slow 30
 */
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { IngestResult } from '#contract/queries/result';
import { caughtUp } from '#server/engine/process/caught-up';
import { describeSource } from '#server/stores/duckdb/sources/build-catalog';
import { type Database, openDatabase, ROW_GROUP_ROWS } from '#server/stores/duckdb/file/database';
import { createFieldRegistry } from '#server/stores/duckdb/sources/field-registry';
import { IngestPipeline } from '#server/stores/duckdb/write/ingest-pipeline';
import { loadParts } from '#server/stores/duckdb/sources/load-parts';
import { PartVersions } from '#server/stores/duckdb/tables/part-versions';
import { SourceState } from '#server/stores/duckdb/sources/source-state';
import { allParts } from '#server/stores/duckdb/tables/stored-parts';
import { createStoredPosition } from '#server/stores/duckdb/sources/stored-position';
import { WriteActivity } from '#server/stores/duckdb/file/write-activity';
import { Journal } from '#server/stores/journal/journal';
import { RECORD_HEAD_BYTES } from '#server/stores/journal/journal-layout';
import { ingestBatch } from '../../../support/stores/ingest-batch';
import { makeSource, NOW_MICROS, openFixture, TODAY } from '../store-fixture';

let dataDir: string;

/** All that fake clocks replace beside `setTimeout` and `setInterval`. */
const NOT_TIMERS = [
  'Date',
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
] as const;

/** One column for each MiB is written to before a checkpoint. */
const MEMORY_LIMIT_MB = 128;

beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'lqe-recovery-'));
});

afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

describe('a failed statement after the acknowledgment', () => {
  let database: Database;
  let connection: DuckDBConnection;
  let lookups: DuckDBConnection;
  let state: SourceState;
  let pipeline: IngestPipeline;
  let problems: string[];
  /** Rows of each commit. */
  let committedRows: number[];
  let beforeCheckpoint: Promise<void>;
  /** Says what a statement fails with; undefined: it does not. */
  let fault: (sql: string) => string | undefined;

  beforeEach(async () => {
    database = await openDatabase({ dataDir, memoryLimitMb: MEMORY_LIMIT_MB, threads: 1 });
    connection = await database.connect();
    await createFieldRegistry(connection);
    await createStoredPosition(connection);
    state = await SourceState.load(connection, makeSource());
    problems = [];
    committedRows = [];
    fault = () => undefined;
    beforeCheckpoint = Promise.resolve();
    const run = connection.run.bind(connection);
    connection.run = async (sql, values, types) => {
      const message = fault(sql);
      if (message !== undefined) throw new Error(message);
      return run(sql, values, types);
    };
    const prepare = connection.prepare.bind(connection);
    connection.prepare = async (sql) => {
      const message = fault(sql);
      if (message !== undefined) throw new Error(message);
      return prepare(sql);
    };
    lookups = await database.connect();
    pipeline = await IngestPipeline.open({
      connection,
      lookups,
      states: new Map([['events', state]]),
      journalDir: journalDir(),
      memoryLimitMb: MEMORY_LIMIT_MB,
      versions: new PartVersions(),
      writes: new WriteActivity(),
      isMergeCheap: () => true,
      checkpoint: async (writer) => {
        await beforeCheckpoint;
        await writer.run('CHECKPOINT');
      },
      commitToFile: (writer) => database.commitToFile(writer),
      afterCommit: async (writer, rows) => {
        // Fails while a transaction is open.
        await writer.run('BEGIN TRANSACTION');
        await writer.run('ROLLBACK');
        committedRows.push(rows);
      },
      events: {
        onGrown: () => undefined,
        onCommitted: () => undefined,
        onRefusedFields: () => undefined,
        onProblem: (message) => problems.push(message),
        onBroken: () => problems.push('broken'),
      },
    });
    await pipeline.start();
  });

  afterEach(async () => {
    await pipeline.close();
    database.close();
  });

  const journalDir = (): string => path.join(dataDir, 'journal');

  const ingest = (id: string, metadata: unknown): Promise<IngestResult> =>
    pipeline.ingest(
      state,
      ingestBatch({
        source: 'events',
        body: Buffer.from(JSON.stringify({ id, timestamp: 1795172400, metadata })),
        nowMicros: NOW_MICROS,
      })
    );

  /** Waits until batches are taken again. */
  async function recovered(): Promise<void> {
    for (;;) {
      const outcome: unknown = await ingest('a', { n: 1 }).catch((error: unknown) => error);
      if (!(outcome instanceof Error)) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async function storedIds(): Promise<unknown[]> {
    await pipeline.catchUp();
    const reader = await (await database.connect()).runAndReadAll(`SELECT id FROM "${TODAY}" ORDER BY id`);
    return reader.getRows().map(([id]) => id);
  }

  function failOnce(statement: string): void {
    fault = (sql) => {
      if (!sql.startsWith(statement)) return undefined;
      fault = () => undefined;
      return 'IO Error: no space left on device';
    };
  }

  it.each([
    'BEGIN',
    'CREATE TABLE',
    'INSERT INTO "events',
    'INSERT INTO lqe_fields',
    'INSERT INTO lqe_journal',
    'COMMIT',
  ])('loses no event: %s, in the first batch', async (statement) => {
    failOnce(statement);
    expect(await ingest('a', { n: 1 })).toMatchObject({ accepted: 1, duplicates: 0 });
    await pipeline.catchUp();
    expect(problems).toHaveLength(1);
    await recovered();
    expect(await storedIds()).toEqual(['a']);
    expect(describeSource(state).metadata.fields.get('n')).toMatchObject({ type: 'INT64' });
  });

  it.each(['ALTER TABLE', 'DELETE FROM lqe_fields', 'COMMIT'])(
    'loses no event: %s, in a batch that changes columns',
    async (statement) => {
      await ingest('a', { n: 1 });
      await pipeline.catchUp();
      failOnce(statement);
      await ingest('b', { n: 1.5, m: { k: 1 } });
      await pipeline.catchUp();
      await recovered();
      expect(await storedIds()).toEqual(['a', 'b']);
      expect(describeSource(state).metadata.fields.get('n')).toMatchObject({ type: 'FLOAT64' });
      const stored = (await loadParts(connection, [state.source])).get('events')!;
      expect(allParts(stored).map((part) => part.columns)).toEqual(
        describeSource(state).parts.map((part) => part.columns)
      );
    }
  );

  describe('in a batch that fills row groups', () => {
    const ROWS = 70_000;
    const REST = ROWS % ROW_GROUP_ROWS;
    const full = (groups: number): number[] => Array.from({ length: groups }, () => ROW_GROUP_ROWS);
    const line = (i: number): string => JSON.stringify({ id: `e${i}`, timestamp: 1795172400 });
    const body = Buffer.from(Array.from({ length: ROWS }, (_, i) => line(i)).join('\n'));
    const batch = ingestBatch({ source: 'events', body, nowMicros: NOW_MICROS });

    async function rowGroups(): Promise<unknown[]> {
      const reader = await connection.runAndReadAll(
        `SELECT sum(count) FROM pragma_storage_info('${TODAY}') WHERE column_name = 'id' AND segment_type = 'VARCHAR'
         GROUP BY row_group_id ORDER BY row_group_id`
      );
      return reader.getRows().map(([rows]) => Number(rows));
    }

    it('transactions end where one is full, also after a smaller one', async () => {
      await ingest('a', {});
      await pipeline.catchUp();
      await pipeline.ingest(state, batch);
      await pipeline.catchUp();
      expect(await rowGroups()).toEqual([1, ...full(2), REST]);
      const more = Buffer.from(Array.from({ length: ROWS }, (_, i) => line(ROWS + i)).join('\n'));
      await pipeline.ingest(state, ingestBatch({ source: 'events', body: more, nowMicros: NOW_MICROS }));
      await pipeline.catchUp();
      expect(await rowGroups()).toEqual([1, ...full(4), 2 * REST]);
      expect(Math.max(...committedRows)).toBe(ROW_GROUP_ROWS);
      expect(committedRows.reduce((sum, rows) => sum + rows, 0)).toBe(1 + 2 * ROWS);
    });

    it.each([
      ['COMMIT', 1],
      ['BEGIN', 2],
      ['COMMIT', 2],
    ])('loses and doubles no event: %s number %d', async (statement, number) => {
      await ingest('a', {});
      await pipeline.catchUp();
      let count = 0;
      fault = (sql) =>
        sql.startsWith(statement) && ++count === number ? 'IO Error: no space left on device' : undefined;
      expect(await pipeline.ingest(state, batch)).toMatchObject({ accepted: ROWS, duplicates: 0 });
      await pipeline.catchUp();
      await recovered();
      expect(count).toBeGreaterThanOrEqual(number);
      expect(problems).not.toEqual([]);
      const ids = await storedIds();
      expect(ids).toHaveLength(ROWS + 1);
      expect(new Set(ids).size).toBe(ROWS + 1);
      expect(await pipeline.ingest(state, batch)).toMatchObject({ duplicates: ROWS });
    });
  });

  describe('in a large transaction', () => {
    const ROWS = 3_000;
    const text = 'x'.repeat(10_000);
    const line = (i: number): string => JSON.stringify({ id: `e${i}`, timestamp: 1795172400, metadata: { text } });
    const body = Buffer.from(Array.from({ length: ROWS }, (_, i) => line(i)).join('\n'));

    /** Sends 30 MB, and waits for their commit without being a reader who waits. */
    async function ingestAll(): Promise<void> {
      await pipeline.ingest(state, ingestBatch({ source: 'events', body, nowMicros: NOW_MICROS }));
      while (!pipeline.isCaughtUp) await new Promise((resolve) => setTimeout(resolve, 20));
    }

    it('the rows are written to the database file only', async () => {
      await ingestAll();
      const log = database.writeAheadLogPath;
      expect(existsSync(log) ? statSync(log).size : 0).toBeLessThan(100_000);
      expect(await storedIds()).toHaveLength(ROWS);
    });

    it('the rows are stored while a query reads an older state, which stays as it was', async () => {
      await ingest('a', {});
      await pipeline.catchUp();
      const reader = await database.connect();
      const count = `SELECT count(*) FROM "${TODAY}"`;
      await reader.run('BEGIN TRANSACTION');
      await reader.run(count);
      await ingestAll();
      expect((await reader.runAndReadAll(count)).getRows()).toEqual([[1n]]);
      await reader.run('ROLLBACK');
      reader.closeSync();
      expect(await storedIds()).toHaveLength(ROWS + 1);
    });

    it.each(['SET GLOBAL checkpoint_threshold', 'CHECKPOINT'])('loses and doubles no event: %s', async (statement) => {
      failOnce(statement);
      await ingestAll();
      await recovered();
      const ids = await storedIds();
      expect(ids).toHaveLength(ROWS + 1);
      expect(new Set(ids).size).toBe(ROWS + 1);
      expect(problems).toHaveLength(1);
    });
  });

  it.each([
    ['CHECKPOINT', 1],
    ['CHECKPOINT', 3],
    ['COMMIT', 2],
    ['COMMIT', 5],
    ['INSERT INTO "events', 4],
    ['CREATE TABLE', 3],
  ])(
    'loses no event: %s number %d, in a batch of six days with a hundred new fields each',
    async (statement, number) => {
      await ingest('a', {});
      await pipeline.catchUp();
      let count = 0;
      fault = (sql) =>
        sql.startsWith(statement) && ++count === number ? 'IO Error: no space left on device' : undefined;
      const days = [0, 1, 2, 3, 4, 5];
      const metadata = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`f${i}`, i]));
      const entries = days.map((day) => ({ id: `d${day}`, timestamp: 1795172400 - day * 86_400, metadata }));
      const body = Buffer.from(entries.map((each) => JSON.stringify(each)).join('\n'));
      const batch = ingestBatch({ source: 'events', body, nowMicros: NOW_MICROS });
      expect(await pipeline.ingest(state, batch)).toMatchObject({ accepted: 6, duplicates: 0 });
      await pipeline.catchUp();
      await recovered();
      expect(count).toBeGreaterThanOrEqual(number);
      const { parts, metadata: fields } = describeSource(state);
      expect(fields.fields.get('f99')).toMatchObject({ type: 'INT64' });
      const sql = parts.map(({ table }) => `SELECT id, "metadata.f99" AS n FROM "${table}" WHERE id <> 'a'`);
      const reader = await (await database.connect()).runAndReadAll(`${sql.join(' UNION ALL ')} ORDER BY id`);
      expect(reader.getRows()).toEqual(days.map((day) => [`d${day}`, 99n]));
      expect(await pipeline.ingest(state, batch)).toMatchObject({ duplicates: 6 });
      const stored = (await loadParts(connection, [state.source])).get('events')!;
      expect(
        allParts(stored)
          .map(({ table }) => table)
          .sort()
      ).toEqual(parts.map(({ table }) => table).sort());
    }
  );

  it('the store keeps few of the positions of many transactions, and the newest of them', async () => {
    const positions = async (): Promise<readonly [number, number]> => {
      const reader = await connection.runAndReadAll('SELECT count(*), max(position) FROM lqe_journal');
      const [[rows, newest] = []] = reader.getRows();
      return [Number(rows), Number(newest)];
    };
    let [most, last] = [0, 0];
    for (let n = 0; n < 520; n++) {
      [, last] = await positions();
      await ingest(`e${n}`, { n });
      await pipeline.catchUp();
      most = Math.max(most, (await positions())[0]);
    }
    expect(most).toBe(256);
    const [left, newest] = await positions();
    expect(left).toBeLessThan(20);
    expect(newest).toBeGreaterThan(last);
  });

  it('is not caused by a checkpoint, which delays senders but not queries', async () => {
    await ingest('a', { n: 1 });
    let begin = (): void => undefined;
    beforeCheckpoint = new Promise((resolve) => (begin = resolve));
    const checkpoint = pipeline.checkpoint('plain');
    await pipeline.catchUp();
    let isAcknowledged = false;
    const sent = ingest('b', { n: 2 }).then(() => (isAcknowledged = true));
    await new Promise((resolve) => setTimeout(resolve, 100));
    // Nothing acknowledged is missing, so that there is nothing to wait for.
    expect(await storedIds()).toEqual(['a']);
    expect(isAcknowledged).toBe(false);
    begin();
    await checkpoint;
    await sent;
    expect(await storedIds()).toEqual(['a', 'b']);
  });

  it('is not an insert that takes long: queries go on without its events', async () => {
    await ingest('a', { n: 1 });
    await pipeline.catchUp();
    let goOn = (): void => undefined;
    const untilGoOn = new Promise<void>((resolve) => (goOn = resolve));
    const prepare = connection.prepare.bind(connection);
    connection.prepare = async (sql) => {
      if (sql.startsWith('INSERT INTO "events')) await untilGoOn;
      return prepare(sql);
    };
    await ingest('b', { n: 2, m: 3 });
    await caughtUp(pipeline, null, 50);
    expect(pipeline.isCaughtUp).toBe(false);
    goOn();
    expect(await storedIds()).toEqual(['a', 'b']);
    expect(problems).toEqual([]);
  });

  it.each(['Out of Memory Error: failed to allocate data of size 16.0 KiB', 'IO Error: Could not read from file'])(
    'a failed look-up makes the sender send the batch again, whose new fields are known then: %s',
    async (message) => {
      await ingest('a', { n: 1 });
      await pipeline.catchUp();
      jest.spyOn(lookups, 'prepare').mockRejectedValueOnce(new Error(message));
      const batch = { n: 1.5, m: { k: 'text' } };
      await expect(ingest('b', batch)).rejects.toMatchObject({
        code: 'backend_unavailable',
        details: { hint: expect.stringContaining('again later') as string },
      });
      expect(await ingest('b', batch)).toMatchObject({ accepted: 1, duplicates: 0 });
      expect(await storedIds()).toEqual(['a', 'b']);
      const { tree } = await SourceState.load(connection, state.source);
      const [n, m] = [tree.find(tree.root, 'n'), tree.find(tree.root, 'm')];
      expect([n?.type, m?.kind, m && tree.find(m, 'k')?.type]).toEqual(['FLOAT64', 'record', 'STRING']);
      expect(problems).toEqual(['stored events cannot be looked up now; senders send their batches again']);
    }
  );

  it('a look-up that finds the database invalidated reports it as broken', async () => {
    await ingest('a', { n: 1 });
    await pipeline.catchUp();
    const failure = new Error('IO Error: Database "logs" has been invalidated because checkpointing failed.');
    jest.spyOn(lookups, 'prepare').mockRejectedValueOnce(failure);
    jest.spyOn(connection, 'runAndReadAll').mockRejectedValueOnce(failure).mockRejectedValueOnce(failure);
    await expect(ingest('b', { m: 1 })).rejects.toMatchObject({ code: 'backend_unavailable' });
    await pipeline.catchUp();
    expect(problems).toContain('broken');
    await recovered();
  });

  it('is reported as broken when DuckDB has invalidated the database', async () => {
    await ingest('a', { n: 1 });
    fault = (sql) =>
      /^(COMMIT|CHECKPOINT)/.test(sql)
        ? 'FATAL Error: Failed: database has been invalidated because of a previous fatal error.\nOriginal error: "x"'
        : undefined;
    const ofTables = connection.runAndReadAll.bind(connection);
    connection.runAndReadAll = (sql, values, types) =>
      fault('COMMIT') === undefined ? ofTables(sql, values, types) : Promise.reject(new Error(fault('COMMIT')));
    await ingest('b', { n: 2 });
    await pipeline.catchUp();
    expect(problems).toContain('broken');
    fault = () => undefined;
    await recovered();
    expect(await storedIds()).toEqual(['a', 'b']);
  });

  it('that repeats makes the store refuse batches until it ends, and nothing is lost', async () => {
    await ingest('a', { n: 1 });
    fault = (sql) => (sql === 'COMMIT' ? 'IO Error: no space left on device' : undefined);
    await ingest('b', { n: 2 });
    await pipeline.catchUp();
    await expect(ingest('c', { n: 3 })).rejects.toMatchObject({
      code: 'backend_unavailable',
      details: { hint: expect.stringContaining('again later') as string },
    });
    fault = () => undefined;
    await recovered();
    expect(await storedIds()).toEqual(['a', 'b']);
    expect(await ingest('b', { n: 2 })).toMatchObject({ duplicates: 1 });
  });

  it('for one batch alone sets the batch aside, and stores the others', async () => {
    await ingest('a', { n: 1 });
    await pipeline.catchUp();
    fault = (sql) => (sql.startsWith('ALTER TABLE') ? 'Conversion Error: value 7 of user ann' : undefined);
    await ingest('b', { poison: 1 });
    await ingest('c', { n: 3 });
    await pipeline.catchUp();
    await recovered();
    expect(await storedIds()).toEqual(['a', 'c']);
    expect(describeSource(state).metadata.fields.get('poison')).toBeUndefined();
    expect(problems.at(-1)).toBe('a batch cannot be stored and is kept as events-2.rejected in the journal folder');
    expect(JSON.parse(readFileSync(path.join(journalDir(), 'events-2.rejected'), 'utf8'))).toMatchObject({ id: 'b' });
  });

  it('while several senders wait for the disk loses none of their events', async () => {
    failOnce('COMMIT');
    const ids = Array.from({ length: 40 }, (_, i) => `e${i}`);
    const answers = await Promise.allSettled(ids.map((id, i) => ingest(id, { [`f${i % 7}`]: i })));
    await recovered();
    const acknowledged = ids.filter((_, i) => answers[i]!.status === 'fulfilled');
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(await storedIds()).toEqual(expect.arrayContaining(acknowledged));
    const refused = ids.filter((id) => !acknowledged.includes(id));
    for (const id of refused) await ingest(id, {});
    expect(await storedIds()).toEqual(['a', ...ids].sort());
  });
});

describe('a journal from before the start', () => {
  const journalDir = (): string => path.join(dataDir, 'journal');
  const entry = (id: string, facts: object = {}): Buffer => Buffer.from(JSON.stringify({ id, ...facts }));

  async function leaveJournal(bodies: readonly Buffer[], source = 'events'): Promise<void> {
    const journal = await Journal.open(journalDir(), 0);
    for (const body of bodies) await (await journal.append({ source, body, nowMicros: NOW_MICROS })).synced;
    await journal.close(0);
  }

  async function openStore(): Promise<Awaited<ReturnType<typeof openFixture>>> {
    const fixture = await openFixture();
    await fixture.store.close();
    cpSync(journalDir(), path.join(fixture.dataDir, 'journal'), { recursive: true });
    await fixture.reopen();
    return fixture;
  }

  it('is stored before the first query, fields included, and then removed', async () => {
    await leaveJournal([entry('a', { metadata: { n: 1 } }), entry('b'), entry('a')]);
    const fixture = await openStore();
    expect((await fixture.read(`SELECT id FROM "${TODAY}" ORDER BY id`, ['STRING'])).columns).toEqual([['a', 'b']]);
    expect(fixture.field('n')).toMatchObject({ type: 'INT64' });
    // What was stored is not stored again, also when the files come back.
    await fixture.store.close();
    cpSync(journalDir(), path.join(fixture.dataDir, 'journal'), { recursive: true });
    await fixture.reopen();
    expect((await fixture.read(`SELECT count(*) FROM "${TODAY}"`, ['INT64'])).columns).toEqual([[2n]]);
    expect(readdirSync(path.join(fixture.dataDir, 'journal'))).toEqual([]);
    await fixture.remove();
  });

  it('may take longer to store than any timer of the store waits', async () => {
    await leaveJournal(Array.from({ length: 20 }, (_, i) => entry(`e${i}`, { metadata: { [`f${i}`]: i } })));
    // DuckDB works in threads of its own: while it does, the timers of this process run out. An error in one of them
    // fails the test.
    jest.useFakeTimers({ doNotFake: [...NOT_TIMERS] });
    let isOpen = false;
    const opened = openStore().finally(() => (isOpen = true));
    while (!isOpen) {
      await new Promise((resolve) => setImmediate(resolve));
      jest.advanceTimersByTime(60_000);
    }
    jest.useRealTimers();
    const fixture = await opened;
    expect((await fixture.read(`SELECT count(*) FROM "${TODAY}"`, ['INT64'])).columns).toEqual([[20n]]);
    await fixture.remove();
  });

  it('with a record that was cut off is stored up to there', async () => {
    await leaveJournal([entry('a'), entry('b')]);
    const [name = ''] = readdirSync(journalDir());
    const bytes = readFileSync(path.join(journalDir(), name));
    // The mark behind the last record, and a part of the record.
    writeFileSync(path.join(journalDir(), name), bytes.subarray(0, -RECORD_HEAD_BYTES - 3));
    const fixture = await openStore();
    expect((await fixture.read(`SELECT id FROM "${TODAY}"`, ['STRING'])).columns).toEqual([['a']]);
    await fixture.remove();
  });

  it('with a damaged record before a whole one makes the start fail', async () => {
    await leaveJournal([entry('a'), entry('b'), entry('c')]);
    const [name = ''] = readdirSync(journalDir());
    const bytes = readFileSync(path.join(journalDir(), name));
    bytes[bytes.indexOf('"b"') + 1] = 0x7a;
    writeFileSync(path.join(journalDir(), name), bytes);
    await expect(openStore()).rejects.toMatchObject({
      code: 'backend_unavailable',
      message: `the journal of received events is damaged in ${name}`,
      details: { reason: 'journal_damaged' },
    });
  });

  it('is stored where the folder has a rejected batch of the same number of a former store', async () => {
    await leaveJournal([entry('a'), entry('b')]);
    const former = path.join(journalDir(), 'events-1.rejected');
    writeFileSync(former, entry('of the former store'));
    const fixture = await openStore();
    expect((await fixture.read(`SELECT id FROM "${TODAY}" ORDER BY id`, ['STRING'])).columns).toEqual([['a', 'b']]);
    await fixture.remove();
  });

  it('of a source that does not exist any more replaces no rejected batch of a former store', async () => {
    await leaveJournal([entry('a')], 'former');
    writeFileSync(path.join(journalDir(), 'former-1.rejected'), entry('of the former store'));
    const fixture = await openStore();
    const bodyOf = (name: string): unknown =>
      JSON.parse(readFileSync(path.join(fixture.dataDir, 'journal', name), 'utf8'));
    expect(bodyOf('former-1.rejected')).toEqual({ id: 'of the former store' });
    expect(bodyOf('former-1-2.rejected')).toEqual({ id: 'a' });
    expect(fixture.problems).toHaveLength(1);
    await fixture.remove();
  });

  it('of a source that does not exist any more is set aside once, also where a crash has left a part of the file', async () => {
    await leaveJournal([entry('a'), entry('b')], 'former');
    writeFileSync(path.join(journalDir(), 'former-1.rejected'), entry('a').subarray(0, 3));
    writeFileSync(path.join(journalDir(), 'former-2.rejected'), entry('b'));
    const fixture = await openStore();
    const folder = path.join(fixture.dataDir, 'journal');
    expect(readdirSync(folder).sort()).toEqual(['former-1.rejected', 'former-2.rejected']);
    expect(readFileSync(path.join(folder, 'former-1.rejected'))).toEqual(entry('a'));
    expect(fixture.problems).toHaveLength(1);
    await fixture.remove();
  });

  it('with events that the source does not take any more is stored without them, and they are set aside', async () => {
    const misfit = { id: 'b', status: 'none' };
    const events = [{ id: 'a' }, misfit, { id: 'c', timestamp: '2020-01-01T00:00:00Z' }, { id: 'd', status: 7 }];
    await leaveJournal([Buffer.from(events.map((event) => JSON.stringify(event)).join('\n'))]);
    const fixture = await openFixture([makeSource({ columns: { status: 'INT64' } })]);
    await fixture.store.close();
    cpSync(journalDir(), path.join(fixture.dataDir, 'journal'), { recursive: true });
    await fixture.reopen();
    expect((await fixture.read(`SELECT id FROM "${TODAY}" ORDER BY id`, ['STRING'])).columns).toEqual([['a', 'd']]);
    const folder = path.join(fixture.dataDir, 'journal');
    expect(readdirSync(folder)).toEqual(['events-1.rejected']);
    expect(JSON.parse(readFileSync(path.join(folder, 'events-1.rejected'), 'utf8'))).toEqual([misfit]);
    expect(fixture.problems).toEqual([expect.stringContaining('"status" must be of type INT64')]);
    await fixture.remove();
  });

  it('of a source that does not exist any more is set aside', async () => {
    await leaveJournal([entry('a')], 'former');
    const fixture = await openStore();
    expect(existsSync(path.join(fixture.dataDir, 'journal', 'former-1.rejected'))).toBe(true);
    expect(await fixture.store.isEmpty()).toBe(true);
    await fixture.remove();
  });
});
