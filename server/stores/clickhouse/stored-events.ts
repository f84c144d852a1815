/** Finds events that are stored already. */
import { type KnownEvents, noteEvent } from '../ingest/known-events';
import { dayOf, MICROS_PER_DAY } from '../ingest/timestamp';
import type { Connection } from './connection';
import { quoteName } from './quoting';
import type { WaitingRow } from './waiting-batches';

/** Ids of one statement: bounds what is sent with it. */
const IDS_PER_LOOKUP = 10_000;

/** The bounds on time leave out partitions, the index on ids most of what remains. */
export async function findStored(
  connection: Connection,
  table: string,
  rows: readonly WaitingRow[]
): Promise<KnownEvents> {
  const known: KnownEvents = new Map();
  for (let start = 0; start < rows.length; start += IDS_PER_LOOKUP) {
    const sought = rows.slice(start, start + IDS_PER_LOOKUP);
    const [from, to] = spanOf(sought);
    await connection.stream(
      {
        sql:
          `SELECT id, toUnixTimestamp64Micro(timestamp) FROM ${quoteName(table)} ` +
          "WHERE timestamp >= fromUnixTimestamp64Micro({from:Int64}, 'UTC') " +
          "AND timestamp <= fromUnixTimestamp64Micro({to:Int64}, 'UTC') AND id IN {ids:Array(String)}",
        parameters: { from: String(from), to: String(to), ids: sought.map(({ id }) => id) },
      },
      (found) => {
        for (const [id, micros] of found) noteEvent(known, String(id), Number(micros));
        return true;
      }
    );
  }
  return known;
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
