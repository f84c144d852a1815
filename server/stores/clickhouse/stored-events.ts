/** Finds events that are stored already, and takes away copies that two servers stored in the same moment. */
import { KnownEvents } from '../ingest/known-events';
import { dayOf, MICROS_PER_DAY } from '../ingest/timestamp';
import type { Connection } from './connection';
import type { StoredCopy } from './insert-mark';
import { INSERT_COLUMN } from './layout';
import { quoteName } from './quoting';
import { deleteCopies, type Place, tenantHash } from './statements';
import type { WaitingRow } from './waiting-batches';

/** Ids of one statement: bounds what is sent with it. */
const IDS_PER_LOOKUP = 10_000;
const COPIES_PER_DELETE = 1000;

/** Where events of a source are found. */
export interface StoredTable {
  readonly table: string;
  /** See `storedTenant`. */
  readonly tenant: string;
  /** Whether the table says which insert brought a row. */
  readonly hasMarks: boolean;
}

/** Ids go as one text: an array of thousands takes ClickHouse twice as long to read. The bounds on time leave out partitions, the index on ids most of what remains. */
export async function findStored(
  connection: Connection,
  { table, tenant, hasMarks }: StoredTable,
  rows: readonly WaitingRow[]
): Promise<readonly StoredCopy[]> {
  const copies: StoredCopy[] = [];
  for (let start = 0; start < rows.length; start += IDS_PER_LOOKUP) {
    const sought = rows.slice(start, start + IDS_PER_LOOKUP);
    const [from, to] = spanOf(sought);
    await connection.stream(
      {
        sql:
          `SELECT id, ${tenant}, cityHash64(id), ${tenantHash(tenant)}, toUnixTimestamp64Micro(timestamp), ${hasMarks ? quoteName(INSERT_COLUMN) : '0'} FROM ${quoteName(table)} ` +
          "WHERE timestamp >= fromUnixTimestamp64Micro({from:Int64}, 'UTC') " +
          "AND timestamp <= fromUnixTimestamp64Micro({to:Int64}, 'UTC') AND id IN JSONExtract({ids:String}, 'Array(String)')",
        parameters: {
          from: String(from),
          to: String(to),
          ids: JSON.stringify(sought.map(({ id }) => id.toWellFormed())),
        },
      },
      (found) => {
        for (const [id, name, hash, nameHash, micros, mark] of found as (string | null)[][]) {
          copies.push({
            id: id!,
            tenant: name!,
            hash: BigInt(hash!),
            tenantHash: BigInt(nameHash!),
            micros: Number(micros),
            mark: Number(mark) === 0 ? null : BigInt(mark!),
          });
        }
        return true;
      }
    );
  }
  return copies;
}

export function knownEvents(copies: readonly StoredCopy[]): KnownEvents {
  const known = new KnownEvents();
  for (const copy of copies) known.add(copy);
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
  table: StoredTable,
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
