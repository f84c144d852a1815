/** What a text in LQL says about its table, its time and its chart. Its words are those of the compiler's reader. */
import { readLqlWords, type LqlWord } from '#compiler/browser';
import { GRAFANA_CLAUSES } from './time-clauses';

/** Table that the text names; undefined for none, and for a variable whose value is unknown here. */
export function namedTable(words: readonly LqlWord[]): string | undefined {
  const from = words.find(({ keyword, isNegated }) => keyword === 'from' && !isNegated);
  const name = from?.quoted ?? from?.value;
  return name && !/[$"]|\[\[/.test(name) ? name : undefined;
}

export function hasChart(lql: string): boolean {
  return readLqlWords(lql).some(({ keyword }) => keyword === 'chart');
}

/**
 * Removes the clauses of a keyword, and adds a time range if the text has no time filter.
 * @param range null: there is none to add
 */
export function boundedWithout(
  lql: string,
  removed: LqlWord['keyword'],
  range: string | null = GRAFANA_CLAUSES.lqlFilter
): string {
  const words = readLqlWords(lql).filter(({ keyword }) => keyword !== removed);
  const bound = range === null || words.some(isOfTime) ? [] : [range];
  return [...words.map(({ text }) => text), ...bound].join(' ');
}

function isOfTime(word: LqlWord): boolean {
  return isTimeFilter(word) || word.value.startsWith('$__timeFilter');
}

export function isTimeFilter({ path }: LqlWord): boolean {
  return path.length === 1 && (path[0] === 't' || path[0] === 'timestamp');
}
