/** Chooses the layout of a sealed table by a sample of its rows. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { duckDbType } from '../tables/column-types';
import { MESSAGE_COLUMN, METADATA_COLUMN } from '../tables/stored-columns';
import type { Part } from '../tables/part';
import { findComposition } from '../sealed-layout/composed-text';
import { findDerivedColumns } from '../sealed-layout/derived-columns';
import { type FindColumn, findTemplates } from '../sealed-layout/json-template';
import { HAS_MESSAGE, printTest, type SealedLayout } from '../sealed-layout/sealed-layout';
import type { SourceState } from '../sources/source-state';
import type { Pause } from '../file/work-pauses';
import { printPartRows } from './part-rows';
import type { Sample } from './read-sample';

const UUID_TEXT = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Columns of which no message is composed. */
const NO_COMPONENTS = new Set(['id', MESSAGE_COLUMN, METADATA_COLUMN]);

type Columns = SealedLayout['columns'];
/** What other columns say, in all rows of a sample. */
type Computed = Pick<SealedLayout, 'derived' | 'message'>;

interface Rows {
  readonly state: SourceState;
  readonly parts: readonly Part[];
  /** Columns of the table to be written, with the columns of all parts. */
  readonly columns: Columns;
  readonly sample: Sample;
}

/** @param pause called between pieces of work */
export async function chooseLayout(
  connection: DuckDBConnection,
  { state, parts, columns, sample }: Rows,
  pause: Pause
): Promise<SealedLayout> {
  const ids = sample.get('id') ?? [];
  const isNestedText = (name: string): boolean => name.startsWith('metadata.') && columns.get(name) === 'STRING';
  await pause();
  const found = await findDerivedColumns(new Map([...sample].filter(([name]) => isNestedText(name))), pause);
  await pause();
  const derivedNames = new Set(found.map(({ name }) => name));
  const values = [...sample].filter(([name]) => !NO_COMPONENTS.has(name) && !derivedNames.has(name));
  const composed = await findComposition(sample.get(MESSAGE_COLUMN) ?? [], new Map(values), pause);
  const { derived, message } = await confirm(connection, parts, columns, { derived: found, message: composed });
  const texts = (sample.get(METADATA_COLUMN) ?? []).filter((text) => text !== null);
  return {
    columns,
    templates: await findTemplates(texts, columnFinder(state, columns), pause),
    derived,
    message,
    hasUuids: ids.filter((id) => UUID_TEXT.test(id!)).length > ids.length / 2,
  };
}

/** @returns those that all rows confirm */
async function confirm(
  connection: DuckDBConnection,
  parts: readonly Part[],
  columns: Columns,
  { derived, message }: Computed
): Promise<Computed> {
  const names = new Set(derived.flatMap(({ name, from }) => [name, from]));
  const tests = derived.map((column) => printTest(column));
  if (message !== null) {
    names.add(MESSAGE_COLUMN);
    tests.push(HAS_MESSAGE);
  }
  if (tests.length === 0) return { derived, message };
  const wanted = [...columns].filter(([name]) => names.has(name));
  const rows = parts.map((part) => printPartRows(part, wanted)).join(' UNION ALL ');
  const items = tests.map((test) => `coalesce(bool_and(${test}), TRUE)`);
  const reader = await connection.runAndReadAll(`SELECT ${items.join(', ')} FROM (${rows})`);
  const confirmed = (reader.getRows()[0] ?? []).map((value) => value === true);
  return {
    derived: derived.filter((_, i) => confirmed[i]),
    message: message !== null && confirmed.at(-1) === true ? message : null,
  };
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
