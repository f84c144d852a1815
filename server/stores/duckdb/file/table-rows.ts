/** Number of rows of each table as DuckDB estimates it, at most some seconds old. */
import type { DuckDBConnection } from '@duckdb/node-api';

const MAX_AGE_MS = 10_000;

export class TableRows {
  private readonly read: () => Promise<ReadonlyMap<string, number>>;
  private rows: ReadonlyMap<string, number> = new Map();
  private readAt = Number.NEGATIVE_INFINITY;
  private reading: Promise<void> | null = null;

  constructor(read: () => Promise<ReadonlyMap<string, number>>) {
    this.read = read;
  }

  /** 0 for a table that was not there when they were read. Reads them again for later calls if they are old. */
  of(table: string): number {
    if (performance.now() - this.readAt > MAX_AGE_MS) void this.refresh();
    return this.rows.get(table) ?? 0;
  }

  /** Never rejects: the former numbers stay. */
  refresh(): Promise<void> {
    this.reading ??= this.read()
      .then((rows) => (this.rows = rows))
      .catch(() => undefined)
      .then(() => {
        this.readAt = performance.now();
        this.reading = null;
      });
    return this.reading;
  }
}

export async function readTableRows(connection: DuckDBConnection): Promise<ReadonlyMap<string, number>> {
  const reader = await connection.runAndReadAll('SELECT table_name, estimated_size FROM duckdb_tables()');
  return new Map(reader.getRows().map(([table, rows]) => [String(table), Number(rows)]));
}
