/** Sizes of the tables of the sources. */
import type { Source } from '#contract/events/source';
import type { Connection } from '../connection/connection';
import { quoteText } from '../connection/quoting';
import { type Place, storageTable } from './statements';

/** Compressed bytes on disk by source. In a cluster one replica of each shard counts. */
export async function tableSizes(
  connection: Connection,
  place: Place,
  sources: readonly Source[]
): Promise<ReadonlyMap<string, number>> {
  const { database, cluster } = place;
  const parts = cluster === null ? 'system.parts' : `cluster(${quoteText(cluster)}, system.parts)`;
  const rows = await connection.rows({
    sql: `SELECT table, sum(bytes_on_disk) FROM ${parts} WHERE database = {database:String} AND active GROUP BY table`,
    parameters: { database },
  });
  const byTable = new Map(rows.map(([table, bytes]) => [String(table), Number(bytes)]));
  return new Map(sources.map((source) => [source.name, byTable.get(storageTable(source.name, place)) ?? 0]));
}
