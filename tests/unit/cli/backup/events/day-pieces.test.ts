/** A day as one file, from the pieces that a store exports. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { type RowRange, type StoredDay, MAX_EXPORT_ROWS } from '#contract/control';
import { ServiceError } from '#contract/errors';
import { type PieceWriter, writeDay } from '#server/cli/backup/events/day-pieces';

const ROWS = 2 * MAX_EXPORT_ROWS + 10;
const DAY: StoredDay = { source: 'events', day: 20_000, rows: ROWS, fingerprint: 'd1' };

let folder: string;
let target: string;
let connection: DuckDBConnection;
let asked: RowRange[];

beforeAll(async () => {
  connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
});
afterAll(() => connection.closeSync());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lqe-pieces-'));
  mkdirSync(join(folder, 'data', 'staging'), { recursive: true });
  mkdirSync(join(folder, 'backup'));
  target = join(folder, 'backup', 'day.tmp');
  asked = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A store whose rows are their own numbers. @param missing rows that each piece lacks */
function storeOf(missing = 0): PieceWriter {
  const staging = join(folder, 'data', 'staging');
  return {
    staging,
    bytesPerRow: 1,
    async export(range) {
      asked.push(range);
      const file = `${randomUUID()}.parquet`;
      const rows = range.to - range.from - missing;
      await connection.run(
        `COPY (SELECT range AS n FROM range(${range.from}, ${range.to - missing})) TO '${join(staging, file)}' (FORMAT parquet)`
      );
      return { file, rows };
    },
  };
}

const write = (writer: PieceWriter, signal = new AbortController().signal): Promise<number | null> =>
  writeDay(writer, DAY, target, () => undefined, signal);

it('a large day is exported in pieces, and is one file in the order of its rows', async () => {
  expect(await write(storeOf())).toBe(ROWS);
  expect(asked.map(({ from, to }) => [from, to])).toEqual([
    [0, MAX_EXPORT_ROWS],
    [MAX_EXPORT_ROWS, 2 * MAX_EXPORT_ROWS],
    [2 * MAX_EXPORT_ROWS, ROWS],
  ]);
  const reader = await connection.runAndReadAll(
    `SELECT count(*), count(*) FILTER (n = file_row_number) FROM read_parquet('${target}', file_row_number = true)`
  );
  expect(reader.getRows()[0]!.map(Number)).toEqual([ROWS, ROWS]);
  expect([readdirSync(join(folder, 'backup')), readdirSync(join(folder, 'data', 'staging'))]).toEqual([
    ['day.tmp'],
    [],
  ]);
});

it('a day that has fewer rows than were listed is an error, and leaves no piece', async () => {
  await expect(write(storeOf(1))).rejects.toThrow('events/2024-10-04 changed while it was read');
  expect(readdirSync(join(folder, 'backup'))).toEqual([]);
});

it('a day that retention drops in the middle is left out', async () => {
  const store = storeOf();
  const dropped = new ServiceError('backend_unavailable', 'The day was dropped.', { reason: 'day_dropped' });
  const writer: PieceWriter = {
    ...store,
    export: (range, signal) => (range.from > 0 ? Promise.reject(dropped) : store.export(range, signal)),
  };
  expect(await write(writer)).toBeNull();
  expect(readdirSync(join(folder, 'backup'))).toEqual([]);
});

it('a piece that the store removed before it was taken is exported once more', async () => {
  const store = storeOf();
  let isFirst = true;
  const writer: PieceWriter = {
    ...store,
    async export(range, signal) {
      const exported = await store.export(range, signal);
      if (isFirst) rmSync(join(store.staging, exported.file));
      isFirst = false;
      return exported;
    },
  };
  expect(await write(writer)).toBe(ROWS);
  expect(asked.length).toBe(4);
});

it('a piece that the disk of the backup does not take does not stay on the disk of the store', async () => {
  writeFileSync(target, 'a file in the place of a folder');
  const writing = writeDay(storeOf(), DAY, join(target, 'day'), () => undefined, new AbortController().signal);
  await expect(writing).rejects.toThrow('ENOTDIR');
  expect(readdirSync(join(folder, 'data', 'staging'))).toEqual([]);
});
