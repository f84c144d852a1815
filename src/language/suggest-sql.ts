/** Completion for SQL at an offset of the text: tables, columns, nested fields, functions, keywords, macros. */
import type { DescribedColumn, DescribedTable } from '#contract/description';
import type { SqlFunction } from '../api/endpoint-catalog';
import { aliasesOf, fieldsAt } from './resolve-path';
import type { Suggestion } from './suggestion';

export const SQL_KEYWORDS = [
  'select',
  'from',
  'where',
  'group by',
  'order by',
  'having',
  'limit',
  'distinct',
  'as',
  'and',
  'or',
  'not',
  'in',
  'between',
  'like',
  'ilike',
  'is null',
  'case',
  'when',
  'then',
  'else',
  'end',
  'cross join',
  'left join',
  'inner join',
  'unnest',
  'on',
  'union all',
  'with',
  'desc',
  'asc',
] as const;

const MACROS: readonly Suggestion[] = [
  macro('$__timeFilter(timestamp)', 'The time range of the panel'),
  macro('$__timeGroup(timestamp)', 'Buckets of the panel’s interval'),
  macro('$__from', 'Start of the range, milliseconds'),
  macro('$__to', 'End of the range, milliseconds'),
  macro('$__interval_ms', 'Interval of the panel, milliseconds'),
];

export interface SqlCatalog {
  readonly tables: readonly DescribedTable[];
  readonly functions: readonly SqlFunction[];
}

/** @param offset of the cursor, in UTF-16 code units */
export function suggestSql(text: string, offset: number, { tables, functions }: SqlCatalog): readonly Suggestion[] {
  const before = text.slice(0, offset);
  if (isInText(before)) return [];
  if (/\$\w*$/.test(before)) return MACROS;
  const path = /(?:\w+\.)*\w*$/.exec(before)?.[0].split('.').slice(0, -1) ?? [];
  const aliases = aliasesOf(text, tables);
  if (path.length > 0) return fieldsAt(path, aliases, tables).map(suggestColumn);
  const word = /\w*$/.exec(before)?.[0] ?? '';
  const rest = before.slice(0, before.length - word.length);
  if (/\b(from|join)\s+$/i.test(rest)) return tables.map(suggestTable);
  return [
    ...fieldsAt([], aliases, tables).map(suggestColumn),
    ...[...aliases.keys()].map((name): Suggestion => ({ label: name, kind: 'record', detail: 'in this query' })),
    ...functions.map(suggestFunction),
    ...SQL_KEYWORDS.map((label): Suggestion => ({ label, kind: 'keyword' })),
    ...MACROS,
  ];
}

export function suggestColumn({ name, type, fields }: DescribedColumn): Suggestion {
  return { label: name, kind: fields ? 'record' : 'column', detail: type };
}

export function suggestTable({ name, columns }: DescribedTable): Suggestion {
  return { label: name, kind: 'table', detail: columns.map((each) => each.name).join(', ') };
}

function suggestFunction({ name, usage, summary, family }: SqlFunction): Suggestion {
  return {
    label: name,
    kind: 'function',
    detail: family,
    documentation: `${usage}\n\n${summary}`,
    insertText: `${name}(`,
  };
}

function macro(label: string, detail: string): Suggestion {
  return { label, kind: 'macro', detail };
}

/** Whether the cursor is in a quoted text or a comment, where nothing is suggested. */
function isInText(before: string): boolean {
  const bare = before.replace(/\/\*[\s\S]*?\*\/|(?:--|#)[^\n]*\n|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`[^`]*`/g, ' ');
  return /['"`]|--|\/\*/.test(bare);
}
