/** Completion for LQL at an offset of the text. */
import type { DescribedColumn, DescribedTable } from '#contract/description';
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
  const before = text.slice(0, offset);
  const word = /(?:"(?:\\.|[^"\\])*"?|[^\s"])*$/.exec(before)?.[0].replace(/^-/, '') ?? '';
  const columns = columnsRead(text, tables);
  if (/^~?"/.test(word)) return [];
  if (/^(f|from):/.test(word)) return tables.map(suggestTable);
  if (/^(t|timestamp):/.test(word)) return TIMES.map(value);
  if (/^(m|metadata)\.(\w+\.)*level:/.test(word)) return LEVELS.map(value);
  const selected = /^(?:s|select):([^@]*)$/.exec(word);
  if (selected) return [...fields(selected[1]!, columns), { label: '*', kind: 'keyword', detail: 'all columns' }];
  const group = /^(?:c|chart):group_by\((.*)$/.exec(word);
  if (group) return [...PERIODS.map(value), ...fields(group[1]!, columns)];
  const aggregate = /^(?:c|chart):\w+\((.*)$/.exec(word);
  if (aggregate) return fields(aggregate[1]!, columns);
  if (/^(c|chart):/.test(word)) return [...AGGREGATES.map(value), value('group_by(')];
  if (word.includes(':')) return [];
  const inner = fields(word, columns);
  return word.includes('.') ? inner : [...CLAUSES, ...inner.filter(({ label }) => label !== 'metadata')];
}

/** Completions of a partial path; `m.` is short for `metadata.`. */
function fields(path: string, columns: readonly DescribedColumn[]): readonly Suggestion[] {
  const parents = path.split('.').slice(0, -1);
  return below(columns, parents[0] === 'm' ? ['metadata', ...parents.slice(1)] : parents).map(suggestColumn);
}

function columnsRead(text: string, tables: readonly DescribedTable[]): readonly DescribedColumn[] {
  const named = /(?:^|\s)(?:f|from):(\w+)/.exec(text)?.[1];
  return named ? columnsOf(named, tables) : (tables[0]?.columns ?? []);
}

function keyword(label: string, detail: string): Suggestion {
  return { label, kind: 'keyword', detail };
}

function value(label: string): Suggestion {
  return { label, kind: 'value' };
}
