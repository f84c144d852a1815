/** Finds events that are stored already, and takes away copies that two servers stored in the same moment. */
import { type KnownEvents, noteEvent } from '../ingest/known-events';
import { dayOf, MICROS_PER_DAY } from '../ingest/timestamp';
import type { Connection } from './connection';
import type { StoredCopy } from './insert-mark';
import { INSERT_COLUMN } from './layout';
import { quoteName } from './quoting';
import { deleteCopies, type Place } from './statements';
import type { WaitingRow } from './waiting-batches';

/** Ids of one statement: bounds what is sent with it. */
const IDS_PER_LOOKUP = 10_000;
const COPIES_PER_DELETE = 1000;

/** Ids go as one text: an array of thousands takes ClickHouse twice as long to read. The bounds on time leave out partitions, the index on ids most of what remains. */
export async function findStored(
  connection: Connection,
  table: string,
  rows: readonly WaitingRow[],
  hasMarks: boolean
): Promise<readonly StoredCopy[]> {
  const copies: StoredCopy[] = [];
  for (let start = 0; start < rows.length; start += IDS_PER_LOOKUP) {
    const sought = rows.slice(start, start + IDS_PER_LOOKUP);
    const [from, to] = spanOf(sought);
    await connection.stream(
      {
        sql:
          `SELECT id, cityHash64(id), toUnixTimestamp64Micro(timestamp), ${hasMarks ? quoteName(INSERT_COLUMN) : '0'} FROM ${quoteName(table)} ` +
          "WHERE timestamp >= fromUnixTimestamp64Micro({from:Int64}, 'UTC') " +
          "AND timestamp <= fromUnixTimestamp64Micro({to:Int64}, 'UTC') AND id IN JSONExtract({ids:String}, 'Array(String)')",
        parameters: {
          from: String(from),
          to: String(to),
          ids: JSON.stringify(sought.map(({ id }) => id.toWellFormed())),
        },
      },
      (found) => {
        for (const [id, hash, micros, mark] of found as string[][]) {
          const isMarked = Number(mark) !== 0;
          copies.push({ id: id!, hash: BigInt(hash!), micros: Number(micros), mark: isMarked ? BigInt(mark!) : null });
        }
        return true;
      }
    );
  }
  return copies;
}

export function knownEvents(copies: readonly StoredCopy[]): KnownEvents {
  const known: KnownEvents = new Map();
  for (const { id, micros } of copies) noteEvent(known, id, micros);
  return known;
}

/** Each insert counts it up by one for each day that it has rows of, whoever makes it. 0: nothing was ever inserted. */
export async function lastBlockOf(connection: Connection, table: string, { database }: Place): Promise<number> {
  const [[block] = []] = await connection.rows({
    sql: 'SELECT max(max_block_number) FROM system.parts WHERE database = {database:String} AND table = {table:String}',
    parameters: { database, table },
  });
  return Number(block);
}

/** Takes away exactly these rows. */
export async function deleteStored(
  connection: Connection,
  table: string,
  place: Place,
  copies: readonly StoredCopy[]
): Promise<void> {
  for (let start = 0; start < copies.length; start += COPIES_PER_DELETE) {
    await connection.command(deleteCopies(table, copies.slice(start, start + COPIES_PER_DELETE), place));
  }
}

/** An event without a time of its own may have come yesterday. */
function spanOf(rows: readonly WaitingRow[]): readonly [number, number] {
  let from = Infinity;
  let to = -Infinity;
  for (const { micros, hasOwnTime } of rows) {
    const day = dayOf(micros);
    from = Math.min(from, hasOwnTime ? micros : (day - 1) * MICROS_PER_DAY);
    to = Math.max(to, hasOwnTime ? micros : (day + 1) * MICROS_PER_DAY - 1);
  }
  return [from, to];
}
