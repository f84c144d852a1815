/** The very rows of a DuckDB data set in ClickHouse's tables, by way of Parquet files. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { reportSchema, runStatements } from '#server/stores/clickhouse/schema/change-schema';
import type { ClickHouseOptions } from '#server/stores/clickhouse/connection/options';
import { loadSources } from '#server/catalog/definitions/load-sources';
import { DuckDBInstance, quotedIdentifier } from '@duckdb/node-api';
import type { Dataset } from '../../support/dataset';
import { EDGE_SOURCE, partTables } from '../../support/parts';
import type { Front } from './front';

export async function loadRows(
  root: string,
  front: Front,
  options: ClickHouseOptions,
  dataset: Dataset
): Promise<void> {
  await makeTables(root, options);
  const folder = join(dataset.dataDir, 'parquet');
  mkdirSync(folder, { recursive: true });
  const instance = await DuckDBInstance.create(dataset.file, { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  try {
    const names = (
      await front.query(
        `SELECT name FROM system.columns WHERE database = '${options.database}' AND table = '${EDGE_SOURCE}'`
      )
    ).flat();
    for (const part of await partTables(connection, 'logs')) {
      const file = join(folder, `${part.slice(-10)}.parquet`);
      await connection.run(`COPY ${quotedIdentifier(part)} TO '${file.replaceAll("'", "''")}' (FORMAT parquet)`);
      const described = await connection.runAndReadAll(`SELECT column_name FROM (DESCRIBE ${quotedIdentifier(part)})`);
      const columns = described.getRows().map(([name]) => String(name));
      const missing = columns.filter((name) => !names.includes(name));
      if (missing.length > 0) throw new Error(`ClickHouse has no column for ${missing.join(', ')}`);
      const list = columns.map((name) => `\`${name}\``).join(', ');
      await front.query(
        `INSERT INTO ${EDGE_SOURCE} (${list}) SELECT ${list} FROM file('${file}', Parquet)`,
        options.database
      );
      rmSync(file);
    }
    const [[rows] = []] = await front.query(`SELECT count() FROM ${EDGE_SOURCE}`, options.database);
    if (Number(rows) !== dataset.events)
      throw new Error(`${String(rows)} of ${dataset.events} events are in ClickHouse`);
    await front.query(`OPTIMIZE TABLE ${EDGE_SOURCE} FINAL`, options.database);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

export async function makeTables(root: string, options: ClickHouseOptions): Promise<void> {
  const { steps } = await reportSchema(options, loadSources(join(root, 'sources.yaml')));
  const statements = steps.flatMap((step) => step.statements);
  await runStatements(options, statements, () => undefined);
}
