/**
 * Drops days beyond the retention of their source. The tables also have a TTL, but this does not wait for ClickHouse's
 * merges.
 */
import type { ClickHouseSettings } from '@clickhouse/client';
import type { Source } from '#contract/events/source';
import { MICROS_PER_DAY } from '../../ingest/event/timestamp';
import type { Connection } from '../connection/connection';
import { toError } from '../../../common/caught-error';
import { codeOf } from '../connection/errors';
import { quoteText } from '../connection/quoting';
import { dropPartition, type Place, storageTable } from './statements';

/** ClickHouse refuses to drop a day of more than 50 GB by default, and its TTL deletes it anyway. */
const ANY_SIZE: ClickHouseSettings = { max_partition_size_to_drop: '0' };

/**
 * @returns the number of dropped partitions
 * @throws Error the first failure; where ClickHouse answers, after all other partitions were dropped
 */
export async function dropOldPartitions(
  connection: Connection,
  place: Place,
  sources: readonly Source[],
  nowMicros: number
): Promise<number> {
  let dropped = 0;
  const failures: Error[] = [];
  const note = (cause: unknown): void => {
    const error = toError(cause);
    // Without an answer, each of the others would wait as long.
    if (codeOf(error) === undefined) throw error;
    failures.push(error);
  };
  for (const source of sources) {
    const days = await expiredDays(connection, place, source, nowMicros).catch(note);
    for (const day of days ?? []) {
      const statement = dropPartition(source.name, day, place);
      await connection.command(statement, { settings: ANY_SIZE }).then(() => dropped++, note);
    }
  }
  if (failures[0] !== undefined) throw failures[0];
  return dropped;
}

/** Partitions of a source whose last event is beyond its retention. */
async function expiredDays(
  connection: Connection,
  { database, cluster }: Place,
  { name, retention_days }: Source,
  nowMicros: number
): Promise<readonly string[]> {
  const parts = cluster === null ? 'system.parts' : `clusterAllReplicas(${quoteText(cluster)}, system.parts)`;
  const rows = await connection.rows({
    sql:
      `SELECT DISTINCT partition FROM ${parts} WHERE database = {database:String} AND table = {table:String} ` +
      'AND active ORDER BY partition',
    parameters: { database, table: storageTable(name, { database, cluster }) },
  });
  const oldestMicros = nowMicros - retention_days * MICROS_PER_DAY;
  return rows
    .map(([partition]) => String(partition))
    .filter((day) => Date.parse(`${day}T00:00:00Z`) * 1000 + MICROS_PER_DAY <= oldestMicros);
}

/**
 * Days after which ClickHouse itself deletes the events of a table; null: never. Rules for columns, and rules that move
 * or compress events, have days, too.
 *
 * @param createQuery the table as ClickHouse describes it
 */
export function daysKept(createQuery: string): number | null {
  const [, rules = ''] = createQuery.split(/ ENGINE = .*? TTL /s);
  const days = /toIntervalDay\((\d+)\)(?: DELETE)?(?=,| SETTINGS|$)/.exec(rules)?.[1];
  return days === undefined ? null : Number(days);
}
