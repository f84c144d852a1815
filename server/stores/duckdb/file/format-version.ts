/**
 * Version of the table layout and of the field registry. Files of a newer version are refused. A file gets a version
 * with its first part that programs of earlier versions would not read, so these read it completely until then.
 */
import type { DuckDBConnection } from '@duckdb/node-api';

/** One open part for each day. */
export const FORMAT_FIRST = 1;
/** Sealed parts. Those of version 2 stored every column. */
export const FORMAT_WITH_SEALED = 3;
/** Several open parts of a day. */
export const FORMAT_WITH_SEVERAL_OPEN = 4;

export const NEWEST_FORMAT = FORMAT_WITH_SEVERAL_OPEN;

/** @returns null for a new file */
export async function loadFormat(connection: DuckDBConnection): Promise<number | null> {
  await connection.run('CREATE TABLE IF NOT EXISTS lqe_meta (format_version INTEGER NOT NULL)');
  const [[version = null] = []] = (
    await connection.runAndReadAll('SELECT max(format_version) FROM lqe_meta')
  ).getRows();
  return version === null ? null : Number(version);
}

/** Raises the version of the file, if it is lower. Belongs into the transaction that needs it. */
export async function raiseFormat(connection: DuckDBConnection, version: number): Promise<void> {
  await connection.run(
    'INSERT INTO lqe_meta SELECT $1 WHERE $1 > (SELECT coalesce(max(format_version), 0) FROM lqe_meta)',
    [version]
  );
}
