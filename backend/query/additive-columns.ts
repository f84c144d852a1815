/**
 * Finds which columns of a result count or add up rows, and therefore are zero in a time bucket without rows.
 * Averages, extremes, percentiles and ratios have no value there.
 */
import { isSetOperator, outermost, readLqlWords, type TemplateToken, tokenizeTemplate } from '#compiler/browser';
import type { QueryCall } from '../service-client/service-client';
import { MAX_TEXT_LENGTH } from './buckets';

/** Whether a column counts or adds up rows; null: the text does not tell. */
export type Additivity = boolean | null;

/** @returns one for each of the last columns of the result; empty when the text does not tell */
export function additivityOf({ adhoc }: QueryCall): readonly Additivity[] {
  if (adhoc === null || adhoc.text.length > MAX_TEXT_LENGTH) return [];
  return adhoc.language === 'lql' ? ofLql(adhoc.text) : ofSql(adhoc.text);
}

const LQL_AGGREGATE = /^(?:(count|countd|sum)|avg|min|max|p\d\d)\(/;

function ofLql(text: string): readonly Additivity[] {
  return readLqlWords(text).flatMap(({ keyword, value }) => {
    const match = keyword === 'chart' ? LQL_AGGREGATE.exec(value) : null;
    return match ? [match[1] !== undefined] : [];
  });
}

function ofSql(text: string): readonly Additivity[] {
  const tokens = tokenizeTemplate(text).filter(({ kind }) => kind !== 'comment');
  const statement = outermost(tokens);
  if (statement.some((_, at) => isSetOperator(statement, at))) return [];
  const start = statement.findIndex(({ symbol }) => symbol === 'SELECT');
  if (start === -1) return [];
  const end = statement.findIndex(({ symbol }, at) => at > start && symbol === 'FROM');
  const list = statement.slice(start + 1, end === -1 ? undefined : end);
  if (list.some(({ symbol }, at) => symbol === '*' && /^[,.]$/.test(list[at - 1]?.symbol ?? ','))) return [];
  return itemsOf(list, tokens).map(ofItem);
}

/** Tokens of each item, those in parentheses included. @param list the outermost tokens of the SELECT list */
function itemsOf(list: readonly TemplateToken[], tokens: readonly TemplateToken[]): readonly TemplateToken[][] {
  const [from, until] = [list[0]?.offset ?? 0, list.at(-1)?.end ?? 0];
  const commas = new Set(list.filter(({ symbol }) => symbol === ',').map(({ offset }) => offset));
  const items: TemplateToken[][] = [[]];
  for (const token of tokens) {
    if (token.offset < from || token.offset >= until) continue;
    if (commas.has(token.offset)) items.push([]);
    else items.at(-1)!.push(token);
  }
  return items;
}

const ADDS = new Set(['COUNT', 'COUNTIF', 'SUM', 'APPROX_COUNT_DISTINCT']);
const ADDS_NOT =
  /^(?:AVG|MIN|MAX|MIN_BY|MAX_BY|ANY_VALUE|APPROX_QUANTILES|PERCENTILE_\w+|STDDEV\w*|VAR(?:IANCE|_\w+)|CORR|COVAR_\w+|LAG|LEAD|\w+_VALUE|\w+_DIVIDE)$/;

function ofItem(tokens: readonly TemplateToken[]): Additivity {
  const calls = tokens.filter((_, at) => tokens[at + 1]?.symbol === '(').map(({ symbol }) => symbol);
  // A count by a number, such as a rate by the second, is still a count.
  const isRatio = tokens.some(({ symbol }, at) => symbol === '/' && tokens[at + 1]?.kind !== 'number');
  if (isRatio || calls.some((name) => ADDS_NOT.test(name))) return false;
  return calls.some((name) => ADDS.has(name)) ? true : null;
}
