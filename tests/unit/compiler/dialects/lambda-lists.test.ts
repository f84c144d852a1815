/** Every lambda of DuckDB's SQL reads a list that keeps DuckDB from computing it for values of other rows. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const FOLDER = resolve(__dirname, '../../../../compiler/print/duckdb');
const CALLS = /list_(?:transform|filter|reduce|apply)\((?!\$\{forLambda)/;

const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));

test.each(files)('%s', (file) => {
  const lines = readFileSync(join(FOLDER, file), 'utf8').split('\n');
  expect(lines.filter((line) => CALLS.test(line))).toEqual([]);
});
