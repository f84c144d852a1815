/** Texts for the sandbox that continue from a result. */
import {
  filterRows,
  leafOf,
  type LqlWord,
  outermost,
  readLqlWords,
  type RowFilter,
  tokenizeTemplate,
} from '#compiler/browser';
import { printLqlFilter } from '../../../src/builder/lql/print-lql';
import { logTable } from '../../../src/language/log-table';
import type { Adhoc } from '../api/run-query';
import type { DescribedQuery } from '../api/shapes';

/**
 * The SELECT of a saved query over the named tables that it defines.
 * @returns null for a text without named tables, which has no sandbox
 */
export function selectOf(saved: string): string | null {
  const statement = outermost(tokenizeTemplate(saved));
  if (statement[0]?.symbol !== 'WITH') return null;
  const start = statement.find(({ symbol }) => symbol === 'SELECT' || symbol === 'FROM');
  const end = statement.filter(({ symbol }) => symbol !== ';').pop()?.end;
  return start === undefined || end === undefined || end <= start.offset ? null : saved.slice(start.offset, end);
}

/** The text of a run as SQL; null: it has none that is known here. */
export function sqlOf(adhoc: Adhoc | null, saved: string | null): string | null {
  if (adhoc?.language === 'sql') return adhoc.text;
  return adhoc === null && saved !== null ? selectOf(saved) : null;
}

/** Named table from which a text, or the saved query itself, takes its rows. */
export function tableOf(adhoc: Adhoc | null, query: DescribedQuery | null): string | undefined {
  const text = adhoc === null ? ({ mode: 'saved' } as const) : { mode: adhoc.language, [adhoc.language]: adhoc.text };
  return logTable(text, query === null ? undefined : { endpoint: query, fields: query.fields, tables: query.tables });
}

/**
 * @param toSql translates LQL; null: it cannot
 * @returns null for a value to which no text can refer
 */
export async function filterText(
  adhoc: Adhoc | null,
  saved: string | null,
  filter: RowFilter,
  toSql: (lql: string) => Promise<string | null>
): Promise<Adhoc | null> {
  const clause = adhoc?.language === 'lql' ? lqlClause(readLqlWords(adhoc.text), filter) : null;
  if (adhoc !== null && clause !== null) return { language: 'lql', text: `${adhoc.text.trimEnd()} ${clause}` };
  const sql = adhoc?.language === 'lql' ? await toSql(adhoc.text) : sqlOf(adhoc, saved);
  const text = sql === null ? undefined : filterRows(sql, filter);
  return text === undefined ? null : { language: 'sql', text };
}

/** @returns null where columns of the result are not those of the table, or LQL has no plain way to write the value */
function lqlClause(words: readonly LqlWord[], { path, columnType, value, isNegated }: RowFilter): string | null {
  if (words.some(({ keyword }) => keyword === 'select' || keyword === 'chart')) return null;
  const [column, ...names] = path;
  const leaf = leafOf(columnType, names);
  const kind = leaf && !leaf.isList ? KINDS.get(leaf.leaf) : undefined;
  if (!/^[A-Za-z_]\w*$/.test(column) || (names.length > 0 && column !== 'metadata')) return null;
  // A filter on `t` compares the times of events.
  if (column === 't' || column === 'timestamp') return null;
  // Times, numbers with fractions and NULL are written in SQL, and so are names that need escapes.
  if (kind === undefined || value === null || path.some((name) => /["\\]/.test(name))) return null;
  return printLqlFilter({ path, operator: isNegated ? '!=' : '=', values: [{ kind, text: String(value) }] });
}

const KINDS: ReadonlyMap<string, 'text' | 'number' | 'bool'> = new Map([
  ['STRING', 'text'],
  ['INT64', 'number'],
  ['BOOL', 'bool'],
]);
