/** Chooses the layout of a sealed table by a sample of its rows. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { duckDbType } from '../tables/column-types';
import { METADATA_COLUMN } from '../tables/stored-columns';
import type { Part } from '../tables/part';
import { type DerivedColumn, findDerivedColumns } from '../sealed-layout/derived-columns';
import { type FindColumn, findTemplates } from '../sealed-layout/json-template';
import { printTest, type SealedLayout } from '../sealed-layout/sealed-layout';
import type { SourceState } from '../sources/source-state';
import { countRows } from '../read/stored-rows';
import type { Pause } from '../file/work-pauses';
import { printPartRows } from './part-rows';

const STRETCHES = 16;
const ROWS_PER_STRETCH = 32;
const UUID_TEXT = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

type Columns = SealedLayout['columns'];
type Texts = readonly (string | null)[];

/** @param columns of the table to be written, with the columns of all parts @param pause called between pieces of work */
export async function chooseLayout(
  connection: DuckDBConnection,
  state: SourceState,
  parts: readonly Part[],
  columns: Columns,
  pause: Pause
): Promise<SealedLayout> {
  const sample = await readSample(connection, parts, columns, pause);
  const ids = sample.get('id') ?? [];
  const nested = new Map([...sample].filter(([name]) => name.startsWith('metadata.')));
  await pause();
  const derived = await confirm(connection, parts, columns, findDerivedColumns(nested));
  const texts = (sample.get(METADATA_COLUMN) ?? []).filter((text) => text !== null);
  return {
    columns,
    templates: await findTemplates(texts, columnFinder(state, columns), pause),
    derived,
    hasUuids: ids.filter((id) => UUID_TEXT.test(id!)).length > ids.length / 2,
  };
}

/** Texts of rows from all over the day, by column. */
async function readSample(
  connection: DuckDBConnection,
  parts: readonly Part[],
  columns: Columns,
  pause: Pause
): Promise<ReadonlyMap<string, Texts>> {
  const names = [...columns].filter(([, type]) => type === 'STRING');
  const selects: string[] = [];
  for (const part of parts) {
    const rows = await countRows(connection, part);
    const step = Math.max(ROWS_PER_STRETCH, Math.floor(rows / STRETCHES));
    for (let from = 0; from < rows; from += step) {
      selects.push(`${printPartRows(part, names)} WHERE rowid >= ${from} AND rowid < ${from + ROWS_PER_STRETCH}`);
    }
  }
  const texts = names.map((): (string | null)[] => []);
  for (const select of selects) {
    await pause();
    const reader = await connection.runAndReadAll(select);
    for (const row of reader.getRows())
      row.forEach((value, i) => texts[i]!.push(value === null ? null : String(value)));
  }
  return new Map(names.map(([name], i) => [name, texts[i]!]));
}

/** @returns the candidates that all rows confirm */
async function confirm(
  connection: DuckDBConnection,
  parts: readonly Part[],
  columns: Columns,
  candidates: readonly DerivedColumn[]
): Promise<readonly DerivedColumn[]> {
  if (candidates.length === 0) return [];
  const names = new Set(candidates.flatMap(({ name, from }) => [name, from]));
  const wanted = [...columns].filter(([name]) => names.has(name));
  const rows = parts.map((part) => printPartRows(part, wanted)).join(' UNION ALL ');
  const tests = candidates.map((column) => `coalesce(bool_and(${printTest(column)}), TRUE)`);
  const reader = await connection.runAndReadAll(`SELECT ${tests.join(', ')} FROM (${rows})`);
  const [confirmed = []] = reader.getRows();
  return candidates.filter((_, i) => confirmed[i] === true);
}

/** Columns by the paths of their fields, as the fields are now. */
function columnFinder({ tree }: SourceState, columns: Columns): FindColumn {
  return (path) => {
    let node = tree.root;
    for (const key of path) {
      const child = tree.find(node, key);
      if (child === null) return null;
      node = child;
    }
    const { column, kind } = node;
    const type = column === null ? undefined : columns.get(column);
    if (column === null || type === undefined) return null;
    const isRecord = kind === 'record';
    return duckDbType(type) === 'BOOLEAN' || !isRecord ? { kind: isRecord ? 'record' : 'leaf', column, type } : null;
  };
}
