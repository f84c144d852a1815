/** Sizes of tables in the file. */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Part } from '../tables/part';
import { quotePart, quoteText } from '../tables/quoting';

/** Default of DuckDB; a column segment is stored in one block, and small segments share one. */
const BLOCK_BYTES = 262_144;

/** @returns bytes of the blocks that hold the part; events that are only in the log of the database count as 0 */
export async function partBytes(connection: DuckDBConnection, part: Part): Promise<number> {
  const reader = await connection.runAndReadAll(
    `SELECT count(DISTINCT block_id) FROM pragma_storage_info(${quoteText(quotePart(part))}) WHERE block_id >= 0`
  );
  return Number(reader.getRows()[0]![0]) * BLOCK_BYTES;
}
