/** Reads Parquet files with DuckDB in memory: one row is one event, its columns are the event's keys. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { toError } from '../../../common/caught-error';
import { ImportError } from '../import-error';
import type { EventInput, InputEvent } from './input';

export async function readParquet(path: string): Promise<EventInput> {
  // Loaded only for a Parquet file: otherwise every command of `lqe` would wait for it.
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const instance = await DuckDBInstance.create(':memory:', { threads: '2', memory_limit: '512MB' });
  const connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
  const file = globless(path);
  const { total, columns } = await describe(connection, file).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  let rowsRead = 0;

  async function* pieces(): AsyncGenerator<InputEvent[]> {
    try {
      const result = await connection.stream(`SELECT to_json(e) FROM (SELECT ${columns} FROM read_parquet($1)) e`, [
        file,
      ]);
      for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
        const first = rowsRead + 1;
        rowsRead += chunk.rowCount;
        yield chunk
          .getColumnValues(0)
          .map((value, place) => ({ place: first + place, json: Buffer.from(String(value)) }));
      }
    } catch (error) {
      throw unreadable(path, error);
    } finally {
      connection.closeSync();
      instance.closeSync();
    }
  }

  return { pieces: pieces(), placeName: 'row', progress: { total, unit: 'rows', read: () => rowsRead } };
}

async function describe(
  connection: DuckDBConnection,
  file: string
): Promise<{ readonly total: number; readonly columns: string }> {
  const counted = await connection.runAndReadAll('SELECT count(*)::DOUBLE FROM read_parquet($1)', [file]);
  return { total: counted.getRows()[0]?.[0] as number, columns: await eventColumns(connection, file) };
}

/** The following lines of DuckDB's message have the statement. */
function unreadable(path: string, cause: unknown): ImportError {
  const [reason = ''] = toError(cause).message.split('\n', 1);
  return new ImportError(`${path} cannot be read as Parquet (${reason})`, { cause });
}

/** Column that `lqe backup` writes the metadata of events to, in JSON text. */
const BACKUP_METADATA = 'metadata_json';

/**
 * The select list: times become ISO 8601 text in UTC with microseconds, and `metadata` in JSON text becomes JSON, as
 * does that of a backup. Column names come from the file, so they are quoted.
 */
async function eventColumns(connection: DuckDBConnection, file: string): Promise<string> {
  const { quotedIdentifier } = await import('@duckdb/node-api');
  const described = await connection.runAndReadAll(
    'SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM read_parquet($1))',
    [file]
  );
  const columns = described.getRows();
  const hasMetadata = columns.some(([column]) => column === 'metadata');
  return columns
    .map(([column, type]) => {
      const name = quotedIdentifier(String(column));
      if (/^TIMESTAMP/.test(String(type))) return `strftime(${name}::TIMESTAMP, '%Y-%m-%dT%H:%M:%S.%fZ') AS ${name}`;
      const isMetadata = column === 'metadata' || (column === BACKUP_METADATA && !hasMetadata);
      if (isMetadata && type === 'VARCHAR') {
        return `CASE WHEN json_valid(${name}) THEN ${name}::JSON ELSE to_json(${name}) END AS metadata`;
      }
      return name;
    })
    .join(', ');
}

/** Escapes the characters of a path that DuckDB would read as a pattern. */
function globless(path: string): string {
  return path.replace(/[*?[]/g, (character) => `[${character}]`);
}
