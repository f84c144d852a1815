/**
 * Drops days beyond the retention of their source. The tables also have a TTL, but this does not wait for ClickHouse's
 * merges.
 */
import type { ClickHouseSettings } from '@clickhouse/client';
import type { Source } from '#contract/events/source';
import { MICROS_PER_DAY } from '../../ingest/event/timestamp';
import type { Connection } from '../connection/connection';
import { quoteText } from '../connection/quoting';
import { dropPartition, type Place, storageTable } from './statements';

/** ClickHouse refuses to drop a day of more than 50 GB by default, and its TTL deletes it anyway. */
const ANY_SIZE: ClickHouseSettings = { max_partition_size_to_drop: '0' };

/** @returns the number of dropped partitions */
export async function dropOldPartitions(
  connection: Connection,
  { database, cluster }: Place,
  sources: readonly Source[],
  nowMicros: number
): Promise<number> {
  const place = { database, cluster };
  const parts = cluster === null ? 'system.parts' : `clusterAllReplicas(${quoteText(cluster)}, system.parts)`;
  let dropped = 0;
  for (const source of sources) {
    const oldestMicros = nowMicros - source.retention_days * MICROS_PER_DAY;
    const rows = await connection.rows({
      sql:
        `SELECT DISTINCT partition FROM ${parts} WHERE database = {database:String} AND table = {table:String} ` +
        'AND active ORDER BY partition',
      parameters: { database, table: storageTable(source.name, place) },
    });
    for (const [partition] of rows) {
      const day = String(partition);
      const endMicros = Date.parse(`${day}T00:00:00Z`) * 1000 + MICROS_PER_DAY;
      if (!(endMicros <= oldestMicros)) continue;
      await connection.command(dropPartition(source.name, day, place), { settings: ANY_SIZE });
      dropped++;
    }
  }
  return dropped;
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
