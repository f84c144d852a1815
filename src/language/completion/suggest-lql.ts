/** Completion for LQL at an offset of the text. */
import { printLqlName, printLqlTable, readLqlWords, type LqlWord } from '#compiler/browser';
import type { DescribedColumn, DescribedTable } from '#contract/queries/description';
import { isTimeFilter, namedTable } from '../lql-clauses';
import { below, columnsOf } from './resolve-path';
import { suggestColumn, suggestTable } from './suggest-sql';
import type { Suggestion } from './suggestion';

const CLAUSES: readonly Suggestion[] = [
  keyword('f:', 'which table'),
  keyword('t:', 'when'),
  keyword('m.', 'a field of the metadata'),
  keyword('s:', 'which columns come back'),
  keyword('c:', 'counts and other aggregates'),
  { label: '$__timeFilter', kind: 'macro', detail: 'The time range of the panel' },
];
const TIMES = ['last@15m', 'last@1h', 'last@1d', 'today', 'yesterday', 'this@week', 'now'];
const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
const AGGREGATES = ['count(*)', 'count(', 'countd(', 'avg(', 'sum(', 'min(', 'max(', 'p50(', 'p90(', 'p95(', 'p99('];
const PERIODS = ['t::minute', 't::5m', 't::hour', 't::day', '$__timeGroup'];

/** @param offset of the cursor, in UTF-16 code units */
export function suggestLql(text: string, offset: number, tables: readonly DescribedTable[]): readonly Suggestion[] {
  const words = readLqlWords(text.slice(0, offset));
  const last = words[words.length - 1];
  const columns = columnsRead(text, tables);
  return last?.end === offset ? suggestAfter(last, columns, tables) : [...CLAUSES, ...ownFields('', columns)];
}

/** @param word up to the cursor */
function suggestAfter(
  word: LqlWord,
  columns: readonly DescribedColumn[],
  tables: readonly DescribedTable[]
): readonly Suggestion[] {
  const { keyword, path, operator, value: written } = word;
  if (keyword === 'from') return tables.map((table) => inQuotes(suggestTable(table), printLqlTable));
  if (keyword === 'chart') return suggestChart(written, columns);
  if (keyword === 'select') {
    if (written.includes('@')) return [];
    return [...fields(written, columns), { label: '*', kind: 'keyword', detail: 'all columns' }];
  }
  if (isTimeFilter(word)) return TIMES.map(value);
  if (operator !== undefined) {
    const isLevel = path[0] === 'metadata' && path.length > 1 && path[path.length - 1] === 'level';
    return isLevel ? LEVELS.map(value) : [];
  }
  if (written.startsWith('"') || written.startsWith('~"') || written.includes(':')) return [];
  return written.includes('.') ? fields(written, columns) : [...CLAUSES, ...ownFields(written, columns)];
}

function suggestChart(written: string, columns: readonly DescribedColumn[]): readonly Suggestion[] {
  const open = written.indexOf('(');
  if (open === -1) return [...AGGREGATES.map(value), value('group_by(')];
  const found = fields(written.slice(open + 1), columns);
  return written.startsWith('group_by(') ? [...PERIODS.map(value), ...found] : found;
}

/** A filter cannot begin with a name in quotes. */
function ownFields(path: string, columns: readonly DescribedColumn[]): readonly Suggestion[] {
  return fields(path, columns).filter(({ label, insertText }) => label !== 'metadata' && insertText === undefined);
}

/** Completions of a partial path; `m.` is short for `metadata.`. */
function fields(path: string, columns: readonly DescribedColumn[]): readonly Suggestion[] {
  const parents = path.split('.').slice(0, -1);
  const found = below(columns, parents[0] === 'm' ? ['metadata', ...parents.slice(1)] : parents);
  return found.map((column) => inQuotes(suggestColumn(column), printLqlName));
}

/** With quotes round a name that needs them. */
function inQuotes(suggestion: Suggestion, print: (name: string) => string): Suggestion {
  const insertText = print(suggestion.label);
  return insertText === suggestion.label ? suggestion : { ...suggestion, insertText };
}

function columnsRead(text: string, tables: readonly DescribedTable[]): readonly DescribedColumn[] {
  const named = namedTable(readLqlWords(text));
  return named ? columnsOf(named, tables) : (tables[0]?.columns ?? []);
}

function keyword(label: string, detail: string): Suggestion {
  return { label, kind: 'keyword', detail };
}

function value(label: string): Suggestion {
  return { label, kind: 'value' };
}
