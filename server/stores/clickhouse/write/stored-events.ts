/** Finds events that are stored already, and deletes copies that two servers stored at the same time. */
import { daysOfRetry, KnownEvents } from '../../ingest/event/known-events';
import { dayOf, MICROS_PER_DAY } from '../../ingest/event/timestamp';
import type { Connection } from '../connection/connection';
import type { BlockSample } from './foreign-blocks';
import type { StoredCopy } from '../schema/insert-mark';
import { INSERT_COLUMN } from '../schema/layout';
import { quoteName } from '../connection/quoting';
import { deleteCopies, type Place, tenantHash } from '../schema/statements';
import type { WaitingRow } from './waiting-batches';

/** ClickHouse refuses parameters of a form from 128 KiB on (`http_max_field_value_size`). */
const MAX_LOOKUP_BYTES = 124 * 1024;
const TIME_BYTES = 18;
const MAX_LOOKUP_ROWS = Math.floor(MAX_LOOKUP_BYTES / TIME_BYTES);
const COPIES_PER_DELETE = 1000;
/** Ids that are the same in JSON and in a parameter. */
const PLAIN_ID = /^[\w.:/+=@-]*$/;

/** Table and expressions that identify the events of a source. */
export interface StoredTable {
  readonly table: string;
  /** Expression of the tenant; see `storedTenant`. */
  readonly tenant: string;
  /** True when the table has a column for insert marks. */
  readonly hasMarks: boolean;
}

/**
 * From this number of ids on, hardly a granule is skipped: the index on ids takes each for present in every hundredth.
 */
const MANY_IDS = 100;
/** Times with microseconds are shared by few events, times in milliseconds or seconds may be shared by many. */
const MICROS_PER_MILLI = 1000;
/** Rows for each event sought that a look-up by times finds at most: the event itself, a copy, and few others. */
const ROWS_PER_TIME = 2;

/**
 * Finds events that are stored already. A row with its own time is the same event as a row with that time only (see
 * `KnownEvents`), and times are a fifth of the bytes of ids, which are then read where one of the times is found. Where
 * few events share a time, all rows with the times are fetched, and ids need not be sent (decision 0294).
 */
export async function findStored(
  connection: Connection,
  table: StoredTable,
  rows: readonly WaitingRow[]
): Promise<readonly StoredCopy[]> {
  if (!rows.every(({ hasOwnTime }) => hasOwnTime)) return findRows(connection, table, rows, AT_ANY_TIME);
  if (arePrecise(rows)) {
    const limit = rows.length * ROWS_PER_TIME + 1;
    const few: Condition = { ...AT_TIMES, sql: (span) => `${AT_TIMES.sql(span)} LIMIT ${limit}` };
    const found = await findRows(connection, table, rows, few);
    if (found.length < limit) return withIdOf(rows, found);
  }
  return findRows(connection, table, rows, BY_TIME_AND_ID);
}

/** Whether most times are in microseconds. */
function arePrecise(rows: readonly WaitingRow[]): boolean {
  const rounded = rows.reduce((sum, { micros }) => sum + Number(micros % MICROS_PER_MILLI === 0), 0);
  return rounded * 2 < rows.length;
}

function withIdOf(rows: readonly WaitingRow[], found: readonly StoredCopy[]): readonly StoredCopy[] {
  if (found.length === 0) return found;
  const ids = new Set(rows.map(({ id }) => id.toWellFormed()));
  return found.filter(({ id }) => ids.has(id));
}

/** Finds all rows with the ids and in the time range of rows, whether or not they are the same events. */
export function findCopies(
  connection: Connection,
  table: StoredTable,
  rows: readonly WaitingRow[]
): Promise<readonly StoredCopy[]> {
  return findRows(connection, table, rows, AT_ANY_TIME);
}

/** The time bounds skip partitions, and the index on ids skips most of what remains if there are few. */
const BOUNDS =
  "timestamp >= fromUnixTimestamp64Micro({from:Int64}, 'UTC') AND timestamp <= fromUnixTimestamp64Micro({to:Int64}, 'UTC')";
/** Leaves out the partitions between them: one late event among new ones must not cost a look at all days since. */
const ON_DAYS = 'toDate(timestamp) IN {days:Array(Date)}';
/** The ids are one text, because ClickHouse needs twice as long to parse an array of thousands. So are the times. */
const HAS_ID = "id IN JSONExtract({ids:String}, 'Array(String)')";
const HAS_TIME = "toUnixTimestamp64Micro(timestamp) IN JSONExtract({times:String}, 'Array(Int64)')";

/** What is looked for, and which of the two parameters it has. */
interface Condition {
  /** @param span condition on the time */
  readonly sql: (span: string) => string;
  readonly hasIds: boolean;
  readonly hasTimes: boolean;
}

const AT_ANY_TIME: Condition = { sql: (span) => `WHERE ${span} AND ${HAS_ID}`, hasIds: true, hasTimes: false };
const AT_TIMES: Condition = { sql: (span) => `PREWHERE ${span} AND ${HAS_TIME}`, hasIds: false, hasTimes: true };
const BY_TIME_AND_ID: Condition = {
  sql: (span) => `${AT_TIMES.sql(span)} WHERE ${HAS_ID}`,
  hasIds: true,
  hasTimes: true,
};

async function findRows(
  connection: Connection,
  { table, tenant, hasMarks }: StoredTable,
  rows: readonly WaitingRow[],
  condition: Condition
): Promise<readonly StoredCopy[]> {
  const copies: StoredCopy[] = [];
  const mark = hasMarks ? quoteName(INSERT_COLUMN) : '0';
  for (const { sought, ids } of condition.hasIds ? lookUpsWithIds(rows) : lookUps(rows)) {
    const [from, to] = spanOf(sought);
    const days = daysWithin(sought, [from, to]);
    await connection.stream(
      {
        sql:
          `SELECT id, ${tenant}, cityHash64(id), ${tenantHash(tenant)}, toUnixTimestamp64Micro(timestamp), ${mark} ` +
          `FROM ${quoteName(table)} ${condition.sql(days === null ? BOUNDS : `${BOUNDS} AND ${ON_DAYS}`)}`,
        parameters: {
          from: String(from),
          to: String(to),
          ...(days !== null && { days }),
          ...(condition.hasIds && { ids }),
          ...(condition.hasTimes && { times: `[${sought.map(({ micros }) => micros).join(',')}]` }),
        },
        settings: sought.length < MANY_IDS ? {} : { use_skip_indexes: 0 },
      },
      (found) => {
        for (const [id, name, hash, nameHash, micros, storedBy] of found) {
          copies.push({
            id: String(id),
            tenant: typeof name === 'string' ? name : null,
            hash: BigInt(String(hash)),
            tenantHash: BigInt(String(nameHash)),
            micros: Number(micros),
            mark: Number(storedBy) === 0 ? null : BigInt(String(storedBy)),
          });
        }
        return true;
      }
    );
  }
  return copies;
}

/** A group of rows that is looked up together, with its ids as a JSON array. */
interface LookUp {
  readonly sought: readonly WaitingRow[];
  readonly ids: string;
}

function* lookUps(rows: readonly WaitingRow[]): Generator<LookUp> {
  for (let start = 0; start < rows.length; start += MAX_LOOKUP_ROWS) {
    yield { sought: rows.slice(start, start + MAX_LOOKUP_ROWS), ids: '' };
  }
}

function* lookUpsWithIds(rows: readonly WaitingRow[]): Generator<LookUp> {
  let sought: WaitingRow[] = [];
  let ids: string[] = [];
  let bytes = 0;
  const group = (): LookUp => ({ sought, ids: `[${ids.join(',')}]` });
  for (const row of rows) {
    const isPlain = PLAIN_ID.test(row.id);
    const id = isPlain ? `"${row.id}"` : JSON.stringify(row.id.toWellFormed());
    // A parameter has a backslash before some characters.
    const length = (isPlain ? id.length : Buffer.byteLength(id, 'utf8') + (id.match(/[\\']/g)?.length ?? 0)) + 1;
    if (sought.length > 0 && (bytes + length > MAX_LOOKUP_BYTES || sought.length === MAX_LOOKUP_ROWS)) {
      yield group();
      [sought, ids, bytes] = [[], [], 0];
    }
    sought.push(row);
    ids.push(id);
    bytes += length;
  }
  if (sought.length > 0) yield group();
}

export function knownEvents(copies: readonly StoredCopy[]): KnownEvents {
  const known = new KnownEvents();
  for (const copy of copies) known.add(copy);
  return known;
}

/** Each insert of any server increases the highest block number by one for each day in it. */
export async function sampleBlocks(connection: Connection, table: string, { database }: Place): Promise<BlockSample> {
  const [[lastBlock, uptimeSeconds] = []] = await connection.rows({
    sql:
      'SELECT max(max_block_number), uptime() FROM system.parts ' +
      'WHERE database = {database:String} AND table = {table:String}',
    parameters: { database, table },
  });
  return { lastBlock: Number(lastBlock), uptimeSeconds: Number(uptimeSeconds) };
}

/** Deletes exactly these rows. */
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

/** Time range of the search: an event without its own timestamp may be a retry of one of a neighboring day. */
function spanOf(rows: readonly WaitingRow[]): readonly [number, number] {
  let from = Infinity;
  let to = -Infinity;
  for (const { micros, hasOwnTime } of rows) {
    const [firstDay, , lastDay] = daysOfRetry(micros);
    from = Math.min(from, hasOwnTime ? micros : firstDay * MICROS_PER_DAY);
    to = Math.max(to, hasOwnTime ? micros : (lastDay + 1) * MICROS_PER_DAY - 1);
  }
  return [from, to];
}

/** Days of rows that may be the same events; null: all days of the time range. */
function daysWithin(rows: readonly WaitingRow[], [from, to]: readonly [number, number]): readonly string[] | null {
  const days = new Set<number>();
  for (const { micros, hasOwnTime } of rows) {
    if (hasOwnTime) days.add(dayOf(micros));
    else for (const day of daysOfRetry(micros)) days.add(day);
  }
  if (days.size > dayOf(to) - dayOf(from)) return null;
  return [...days].map((day) => new Date((day * MICROS_PER_DAY) / 1000).toISOString().slice(0, 10));
}
