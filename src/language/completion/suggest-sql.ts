/** Completion for SQL at an offset of the text: tables, columns, nested fields, functions, keywords, macros. */
import { tokenizeTemplate, type TemplateToken } from '#compiler/browser';
import type { DescribedColumn, DescribedTable } from '#contract/queries/description';
import type { SqlFunction } from '../../api/endpoint-catalog';
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

/** Operators behind `|>`. */
const PIPE_OPERATORS = [
  'where',
  'select',
  'extend',
  'aggregate',
  'order by',
  'limit',
  'distinct',
  'set',
  'drop',
  'rename',
  'as',
  'join',
  'left join',
  'cross join',
  'union all',
  'pivot',
  'unpivot',
  'with',
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
  const before = tokenizeTemplate(text.slice(0, offset));
  const last = before[before.length - 1];
  const isTouched = last?.end === offset;
  if (last?.kind === 'unclosed' || (isTouched && isLineComment(last))) return [];
  if (isTouched && /^\$\w*$/.test(last.text)) return MACROS;
  if (isTouched && last.kind === 'number') return [];
  const { path, previous } = pathBefore(before, offset);
  const aliases = aliasesOf(tokenizeTemplate(text), tables);
  if (path.length > 0) return fieldsAt(path, aliases, tables).map(suggestColumn);
  if (previous?.symbol === '|>') return PIPE_OPERATORS.map((label): Suggestion => ({ label, kind: 'keyword' }));
  if (previous?.symbol === 'FROM' || previous?.symbol === 'JOIN') return tables.map(suggestTable);
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

function isLineComment({ kind, text }: TemplateToken): boolean {
  return kind === 'comment' && !text.startsWith('/*');
}

/** Names before the word at the cursor, and the token before them: `e` and `SELECT` in `SELECT e.meta|`. */
function pathBefore(
  tokens: readonly TemplateToken[],
  offset: number
): { readonly path: readonly string[]; readonly previous: TemplateToken | undefined } {
  const path: string[] = [];
  let at = tokens.length - 1;
  if (tokens[at]?.kind === 'word' && tokens[at]?.end === offset) at -= 1;
  while (tokens[at]?.symbol === '.') {
    const name = beforeIndex(tokens, at - 1);
    const token = tokens[name];
    if (token?.kind !== 'word' && token?.kind !== 'name') break;
    path.unshift(token.value);
    at = name - 1;
  }
  while (tokens[at]?.kind === 'comment') at -= 1;
  return { path, previous: tokens[at] };
}

/** Index of the token before `[0]`, if that ends at an index. */
function beforeIndex(tokens: readonly TemplateToken[], end: number): number {
  if (tokens[end]?.symbol !== ']') return end;
  let depth = 0;
  for (let at = end; at >= 0; at--) {
    depth += tokens[at]!.symbol === ']' ? 1 : tokens[at]!.symbol === '[' ? -1 : 0;
    if (depth === 0) return at - 1;
  }
  return -1;
}
