/**
 * Copies the rows of a day to its new sealed table, in pieces: each is ordered and committed by itself, so that memory
 * and the time of a transaction are bounded however many events the day has.
 */
import type { DuckDBConnection } from '@duckdb/node-api';
import { type Part, SEALED_DATABASE } from '../tables/part';
import { quoteName, quotePart, quoteText } from '../tables/quoting';
import { printRowRange } from '../tables/row-range';
import { printComment } from '../sealed-layout/table-comment';
import { printDefinitions, printLayoutInsert } from '../sealed-layout/sealed-layout';
import { isBusy, isOutOfMemory } from '../statements/store-errors';
import { countRows } from '../read/stored-rows';
import type { Pause } from '../file/work-pauses';
import type { DayUnderSeal } from './day-under-seal';
import { printPartRows } from './part-rows';

/** A quarter of the memory. */
const BYTES_PER_MIB = 262_144;
/** Shorter rows take as much, beside their texts. */
const LEAST_ROW_BYTES = 2_048;
const LARGEST_PIECE_ROWS = 245_760;
/** A piece this small that does not fit into memory fails the seal. */
const SMALLEST_PIECE_ROWS = 8;
/** DuckDB has a vector of a column in memory at once: see `LargeRows`. */
const VECTOR_ROWS = 2_048;

export interface CopyOptions {
  readonly memoryLimitMb: number;
  readonly signal: AbortSignal;
  /** Called between two pieces. */
  readonly pause: Pause;
  /** @param rows copied so far */
  readonly onRows: (rows: number) => void;
}

export async function createTarget(
  connection: DuckDBConnection,
  { target, layout }: Pick<DayUnderSeal, 'target' | 'layout'>
): Promise<void> {
  await connection.run(`DROP TABLE IF EXISTS ${quotePart(target)}`);
  await connection.run(`CREATE TABLE ${quotePart(target)} (${printDefinitions(layout)})`);
  await connection.run(`COMMENT ON TABLE ${quotePart(target)} IS ${quoteText(printComment(target))}`);
}

/** A range of row numbers of one part; `to` is exclusive. */
interface Range {
  readonly part: Part;
  readonly from: number;
  readonly to: number;
}

type Rest = { -readonly [K in keyof Range]: Range[K] };

/**
 * Copies rows. Rows may be added to the open part while they are copied.
 * @param copied row counts of the parts that are copied already
 * @returns the row counts that were copied
 */
export async function copyRows(
  connection: DuckDBConnection,
  day: DayUnderSeal,
  copied: readonly number[],
  { memoryLimitMb, signal, pause, onRows }: CopyOptions
): Promise<readonly number[]> {
  const counts: number[] = [];
  for (const part of day.from) counts.push(await countRows(connection, part));
  const rest = day.from.map((part, i): Rest => ({ part, from: copied[i]!, to: counts[i]! }));
  let done = sumOf(copied);
  let pieceRows = firstPieceRows(day.rowBytes, memoryLimitMb);
  while (rest.some(({ from, to }) => from < to)) {
    signal.throwIfAborted();
    const piece = takePiece(rest, pieceRows);
    try {
      await connection.run(printPiece(day, piece));
    } catch (error) {
      if (!isOutOfMemory(error) || pieceRows <= SMALLEST_PIECE_ROWS) throw error;
      pieceRows = Math.floor(pieceRows / 2);
      await pause();
      continue;
    }
    for (const { part, to } of piece) {
      const range = rest.find((each) => each.part === part)!;
      range.from = to;
    }
    done += sumOf(piece.map(({ from, to }) => to - from));
    if (pieceRows < VECTOR_ROWS) await endRowGroup(connection);
    onRows(done);
    await pause();
  }
  return counts;
}

/** Later rows begin a new row group. A query that began before a change of tables prevents it. */
async function endRowGroup(connection: DuckDBConnection): Promise<void> {
  try {
    await connection.run(`CHECKPOINT ${SEALED_DATABASE}`);
  } catch (error) {
    if (!isBusy(error)) throw error;
  }
}

/**
 * Compares the copied rows with the sealed ones: number, and sum of the hashes of all values.
 * @throws Error when they differ
 */
export async function ensureSameRows(
  connection: DuckDBConnection,
  day: DayUnderSeal,
  copied: readonly number[]
): Promise<void> {
  const names = [...day.target.columns.keys()].map(quoteName).join(', ');
  const digest = async (rows: string): Promise<string> => {
    const reader = await connection.runAndReadAll(
      `SELECT count(*), CAST(sum(hash(${names})) AS VARCHAR) FROM (${rows})`
    );
    return reader.getRows()[0]!.map(String).join(' ');
  };
  const before = day.from.map((part, i) => printRows(day, { part, from: 0, to: copied[i]! }));
  const [then, now] = [
    await digest(before.join(' UNION ALL ')),
    await digest(printPartRows(day.target, day.target.columns)),
  ];
  if (then !== now) throw new Error(`The sealed rows of ${day.target.table} differ from those that were stored.`);
}

/** A larger piece takes all memory before it fails, and queries beside it fail, too. */
export function firstPieceRows(rowBytes: number, memoryLimitMb: number): number {
  const rows = Math.floor((memoryLimitMb * BYTES_PER_MIB) / Math.max(LEAST_ROW_BYTES, rowBytes));
  return Math.max(SMALLEST_PIECE_ROWS, Math.min(LARGEST_PIECE_ROWS, rows));
}

/** The first rows of the ranges. What is left is not less than half a piece, except for the last one. */
function takePiece(ranges: readonly Range[], wanted: number): readonly Range[] {
  const total = sumOf(ranges.map(({ from, to }) => to - from));
  let room = Math.ceil(total / Math.ceil(total / wanted));
  const piece: Range[] = [];
  for (const { part, from, to } of ranges) {
    const end = Math.min(to, from + room);
    if (end === from) continue;
    piece.push({ part, from, to: end });
    room -= end - from;
  }
  return piece;
}

function printPiece(day: DayUnderSeal, piece: readonly Range[]): string {
  const rows = piece.map((range) => printRows(day, range));
  return printLayoutInsert(day.target, day.layout, rows.join(' UNION ALL '), day.order);
}

function printRows({ target }: DayUnderSeal, { part, from, to }: Range): string {
  return `(${printPartRows(part, target.columns)} ${printRowRange(part, from, to)})`;
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
