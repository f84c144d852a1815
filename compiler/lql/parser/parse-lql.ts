/**
 * LQL parser: converts text to an LQL tree without knowing tables, columns or types. Every character becomes part of
 * the tree or is refused with its position. Limits are checked while parsing.
 */
import { ServiceError } from '#contract/errors';
import { lqlError } from '../errors';
import { LQL_LIMITS } from '../limits';
import type { FilterRule, FromRule, LqlQuery, SelectRule } from '../rules';
import { chartRule } from './chart-rule';
import type { ChartClause } from './read-chart';
import { readChart } from './read-chart';
import { readFilter, readMessageFilter } from './read-filter';
import { type Keyword, readHead } from './read-head';
import { readFrom, readSelect } from './read-select';
import { Reader } from './reader';

/** Clauses parsed so far. */
interface Clauses {
  from: FromRule | null;
  readonly selects: SelectRule[];
  readonly filters: FilterRule[];
  readonly chart: (ChartClause & { readonly start: number; readonly end: number })[];
}

/**
 * @throws ServiceError `sql_empty` for a text without clauses; `sql_syntax`, `query_invalid` and `query_too_complex`
 * with the reasons of `errors.ts`
 */
export function parseLql(text: string): LqlQuery {
  const reader = new Reader(text);
  checkText(reader);
  const clauses: Clauses = { from: null, selects: [], filters: [], chart: [] };
  let count = 0;
  for (reader.skipWhite(); !reader.atEnd; reader.skipWhite()) {
    count += 1;
    if (count > LQL_LIMITS.maxClauses) throw tooMany(reader, LQL_LIMITS.maxClauses, 'clauses');
    readClause(reader, clauses);
  }
  if (count === 0) {
    const position = { line: 1, column: 1 };
    throw new ServiceError('sql_empty', 'the query is empty', { reason: 'query_empty', position });
  }
  const { from, filters } = clauses;
  const position = reader.position(0, text.length);
  return { from, selects: distinct(clauses.selects), filters, chart: chartRule(clauses.chart, reader), position };
}

function checkText(reader: Reader): void {
  const { text } = reader;
  if (text.length > LQL_LIMITS.maxBytes || Buffer.byteLength(text) > LQL_LIMITS.maxBytes) {
    const maximum = LQL_LIMITS.maxBytes.toLocaleString('en-US');
    throw lqlError('too_long', `the query is longer than ${maximum} bytes`, reader.position(0, text.length), {
      maximum: LQL_LIMITS.maxBytes,
    });
  }
  const bad = /\0|\p{Surrogate}/u.exec(text);
  if (bad === null) return;
  const what = bad[0] === '\0' ? 'the NUL character' : 'half of a surrogate pair';
  throw lqlError('syntax', `a text cannot hold ${what}`, reader.position(bad.index, bad.index + 1));
}

function readClause(reader: Reader, clauses: Clauses): void {
  const start = reader.offset;
  const { negated, field } = readHead(reader);
  if (field === undefined) {
    const isMarked = reader.at('~') || reader.at('"');
    const filter = isMarked ? readMessageFilter(reader, start, negated) : readWord(reader, start, negated, clauses);
    clauses.filters.push(filter);
    return;
  }
  const { path, operator, keyword } = field;
  if (keyword === undefined) {
    clauses.filters.push(readFilter(reader, start, negated, path, operator));
    return;
  }
  if (negated) {
    const { name } = path.parts[0];
    throw lqlError('negated_clause', `"-" cannot stand before "${name}:"`, reader.position(start), {
      hint: `only filters can be negated; for a column of this name write ${name}:!=value`,
    });
  }
  readKeyword(reader, start, keyword, clauses);
}

function readWord(reader: Reader, start: number, negated: boolean, { filters }: Clauses): FilterRule {
  const at = reader.offset;
  const filter = readMessageFilter(reader, start, negated);
  if (!filter.text.text.includes(':')) return filter;
  throw lqlError('bad_field', 'what stands before ":" is not a column or a path', reader.position(at), {
    hint: isTimeOfDay(filter.text.text, filters.at(-1))
      ? 'write a T between date and time: t:>=2026-03-01T08:00:00Z'
      : 'to look for the text itself, put quotes round it',
  });
}

/** The second half of a date and a time with a blank between them. */
function isTimeOfDay(word: string, before: FilterRule | undefined): boolean {
  return before?.kind === 'time' && /^\d{1,2}:\d{2}/.test(word);
}

function readKeyword(reader: Reader, start: number, keyword: Keyword, clauses: Clauses): void {
  if (keyword === 'from') {
    const from = readFrom(reader, start);
    if (clauses.from !== null) {
      throw lqlError('duplicate_from', 'only one table can be read', from.position, { hint: 'keep one "f:" clause' });
    }
    clauses.from = from;
  } else if (keyword === 'select') {
    clauses.selects.push(readSelect(reader, start));
    if (clauses.selects.length > LQL_LIMITS.maxSelects)
      throw tooMany(reader, LQL_LIMITS.maxSelects, 'select clauses', start);
  } else {
    clauses.chart.push({ ...readChart(reader, start), start, end: reader.offset });
  }
}

function tooMany(reader: Reader, maximum: number, what: string, start = reader.offset): Error {
  return lqlError('too_many_clauses', `the query has more than ${maximum} ${what}`, reader.position(start, start + 1), {
    maximum,
  });
}

/** Removes repeated columns, unless their aliases differ. */
function distinct(selects: readonly SelectRule[]): readonly SelectRule[] {
  const byKey = new Map<string, SelectRule>();
  for (const select of selects) {
    const key = JSON.stringify([select.path?.parts.map(({ name }) => name) ?? null, select.alias?.name ?? null]);
    if (!byKey.has(key)) byKey.set(key, select);
  }
  return [...byKey.values()];
}
