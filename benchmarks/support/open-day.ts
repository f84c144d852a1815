/**
 * A job: takes the events of the last day out of a store file, or puts them back as an open day. `lqe store seal` also
 * seals the events that today has so far, to return their space, and a server has them in an open day nearly all the
 * time.
 */
import { DuckDBInstance, quotedIdentifier } from '@duckdb/node-api';
import { columnDefinitions, partAt } from './parts';
import { serveJob } from './run-apart';

export interface OpenDayJob {
  /** Store file. */
  readonly file: string;
  readonly endMicros: number;
  /** Store file with the same events; null: takes them out. */
  readonly from: string | null;
}

serveJob<OpenDayJob, object>(async ({ file, endMicros, from }) => {
  const instance = await DuckDBInstance.create(file, { storage_compatibility_version: 'latest' });
  const connection = await instance.connect();
  const name = partAt(endMicros);
  const part = quotedIdentifier(name);
  if (from === null) await connection.run(`DROP TABLE ${part}`);
  else {
    await connection.run(`ATTACH '${from.replaceAll("'", "''")}' AS other (READ_ONLY)`);
    const columns = await columnDefinitions(connection, 'other', name);
    await connection.run(`CREATE TABLE ${part} (${columns.join(', ')})`);
    await connection.run(`INSERT INTO ${part} BY NAME SELECT * FROM other.${part} ORDER BY rowid`);
    await connection.run('DETACH other');
  }
  await connection.run('CHECKPOINT');
  connection.closeSync();
  instance.closeSync();
  return {};
});
