/** Parquet files of a backup, read and merged with DuckDB in memory. One row is one event. */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Source } from '#contract/events/source';
import { type DayDigest, digestRows } from '../../../stores/duckdb/read/stored-rows';
import { quoteName, quoteText } from '../../../stores/duckdb/tables/quoting';
import { BackupError } from '../backup-error';

const MEMORY_LIMIT = '512MB';
/** As in the files of the store: bounds the memory of the writer. */
const ROW_GROUP_ROWS = 20_480;

/** Lines of events in ingestion format. */
export interface EventLines {
  readonly body: Buffer;
  readonly rows: number;
}

export class ParquetFiles {
  private constructor(
    private readonly connection: DuckDBConnection,
    private readonly closeInstance: () => void
  ) {}

  static async open(threads: number): Promise<ParquetFiles> {
    const { DuckDBInstance } = await import('@duckdb/node-api');
    const instance = await DuckDBInstance.create(':memory:', { threads: String(threads), memory_limit: MEMORY_LIMIT });
    const connection = await instance.connect();
    await connection.run("SET TimeZone = 'UTC'");
    return new ParquetFiles(connection, () => instance.closeSync());
  }

  /** @throws BackupError when the file is not a complete Parquet file */
  async countRows(file: string): Promise<number> {
    const rows = await this.rows(file, `SELECT num_rows FROM parquet_file_metadata(${quoteText(globless(file))})`);
    return Number(rows[0]?.[0] ?? 0);
  }

  /** Writes the rows of several files to one, in their order. */
  async merge(files: readonly string[], target: string): Promise<void> {
    const list = files.map((file) => quoteText(globless(file))).join(', ');
    await this.connection.run(
      `COPY (FROM read_parquet([${list}])) TO ${quoteText(target)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${ROW_GROUP_ROWS})`
    );
  }

  /** Digest as `digestDay` of a store. */
  async digest(file: string, source: Source): Promise<DayDigest> {
    try {
      return await digestRows(this.connection, `read_parquet(${quoteText(globless(file))})`, textColumns(source));
    } catch (error) {
      throw unreadable(file, error);
    }
  }

  /** Reads events in the order of the file, in batches. @param from number of rows to skip */
  async *events(file: string, source: Source, from: number, limits: BatchLimits): AsyncGenerator<EventLines> {
    const sql =
      `SELECT ${eventText(source)} FROM read_parquet(${quoteText(globless(file))}, file_row_number = true) ` +
      `WHERE file_row_number >= ${from}`;
    let lines: string[] = [];
    let length = 0;
    const take = (): EventLines => {
      const batch = { body: Buffer.from(lines.join('')), rows: lines.length };
      lines = [];
      length = 0;
      return batch;
    };
    try {
      const result = await this.connection.stream(sql);
      for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
        for (const value of chunk.getColumnValues(0)) {
          const line = String(value);
          lines.push(line);
          length += line.length;
          if (lines.length >= limits.rows || length >= limits.characters) yield take();
        }
      }
    } catch (error) {
      throw unreadable(file, error);
    }
    if (lines.length > 0) yield take();
  }

  close(): void {
    this.connection.closeSync();
    this.closeInstance();
  }

  private async rows(file: string, sql: string): Promise<readonly unknown[][]> {
    try {
      return (await this.connection.runAndReadAll(sql)).getRows();
    } catch (error) {
      throw unreadable(file, error);
    }
  }
}

export interface BatchLimits {
  readonly rows: number;
  readonly characters: number;
}

/** Own columns that are part of a digest. */
export function textColumns(source: Source): readonly string[] {
  return Object.entries(source.columns)
    .filter(([, type]) => type === 'STRING')
    .map(([name]) => name);
}

/** Expression of the JSON text of an event: the stored id and time, and metadata unchanged. */
function eventText({ columns }: Source): string {
  const member = (name: string): string => {
    const column = quoteName(name);
    const key = quoteText(`,${JSON.stringify(name)}:`);
    return `CASE WHEN ${column} IS NULL THEN '' ELSE ${key} || CAST(to_json(${column}) AS VARCHAR) END`;
  };
  return [
    `'{"id":' || CAST(to_json(CAST(id AS VARCHAR)) AS VARCHAR)`,
    `',"timestamp":' || CAST(epoch_us("timestamp") AS VARCHAR)`,
    ...['event_message', ...Object.keys(columns)].map(member),
    `',"metadata":' || metadata_json || '}' || chr(10)`,
  ].join(' || ');
}

function unreadable(file: string, error: unknown): unknown {
  if (error instanceof BackupError) return error;
  return new BackupError(`${file} is not a Parquet file of this program.`, { cause: error });
}

/** Escapes the characters of a path that DuckDB would read as a pattern. */
function globless(path: string): string {
  return path.replace(/[*?[]/g, (character) => `[${character}]`);
}
