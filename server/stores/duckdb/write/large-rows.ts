/**
 * Counts the bytes of large rows. DuckDB (1.5.6) has the 2,048 values of a vector of a column in memory at once where
 * it reads, writes or merges row groups. A vector that does not fit ends a query; in a checkpoint it makes DuckDB
 * refuse every statement. So a row group has few large rows, and those of tables with many are not merged.
 */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { EventRow } from '../../ingest/event/event-row';
import type { Part } from '../tables/part';
import { longestText } from '../read/row-bytes';

/** A vector of rows that are not large takes an eighth of the memory at most. */
const LARGE_BYTES_PER_MIB = 64;
/** Limits the large rows of a row group, which have their texts twice, to an eighth of the memory. */
const MOST_BYTES_PER_MIB = 65_536;
/** Limits the rows of an insert, which has several copies of them, to a 64th of the memory. */
const INSERT_BYTES_PER_MIB = 16_384;
const VECTOR_ROWS = 2_048;

interface TakenRows {
  readonly end: number;
  readonly largeBytes: number;
}

export class LargeRows {
  private readonly largeBytes: number;
  private readonly mostBytes: number;
  private readonly insertBytes: number;
  private readonly byTable = new Map<string, number>();

  constructor(memoryLimitMb: number) {
    this.largeBytes = memoryLimitMb * LARGE_BYTES_PER_MIB;
    this.mostBytes = memoryLimitMb * MOST_BYTES_PER_MIB;
    this.insertBytes = memoryLimitMb * INSERT_BYTES_PER_MIB;
  }

  /** Takes the rows of one insert. @param most rows @returns where they end, and the bytes of the large ones */
  take(rows: readonly EventRow[], start: number, most: number): TakenRows {
    const { largeBytes: large, insertBytes } = this;
    const last = Math.min(rows.length, start + most);
    let [end, bytes, largeBytes] = [start, 0, 0];
    while (end < last && bytes <= insertBytes) {
      const size = rowBytes(rows[end++]!);
      bytes += size;
      if (size > large) largeBytes += size;
    }
    return { end, largeBytes };
  }

  /** True when large rows with these bytes need a row group of their own. */
  areMany(bytes: number): boolean {
    return bytes > this.mostBytes;
  }

  add(table: string, bytes: number): void {
    if (bytes > 0) this.byTable.set(table, (this.byTable.get(table) ?? 0) + bytes);
  }

  /**
   * Finds the parts that have large rows of an earlier process, by their longest texts: how many they have is unknown.
   * @param rowsOf rows of a table, about
   */
  async find(connection: DuckDBConnection, parts: Iterable<Part>, rowsOf: (table: string) => number): Promise<void> {
    for (const part of parts) {
      const longest = await longestText(connection, part);
      if (longest > this.largeBytes) this.add(part.table, longest * Math.min(rowsOf(part.table), VECTOR_ROWS));
    }
  }

  /** True when a merge of the table's row groups could make a vector that does not fit into memory. */
  isHeavy(table: string): boolean {
    return this.areMany(this.byTable.get(table) ?? 0);
  }
}

/** About: characters count as bytes. */
function rowBytes({ metadataStart, metadataEnd, message, own }: EventRow): number {
  let bytes = metadataEnd - metadataStart + (message?.length ?? 0);
  for (const value of own) bytes += value?.length ?? 0;
  return bytes;
}
