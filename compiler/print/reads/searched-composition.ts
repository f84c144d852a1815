/**
 * Reads of a composed text that is searched. Rows whose values cannot hold what is searched have NULL instead, so that
 * their text is not composed: no row with NULL meets a condition that needs a text.
 */
import type { CatalogPart, Composition } from '../../catalog/catalog';
import { countTests, mapTests } from '../../ir/search/needs';
import { INT64, STRING, type Type } from '../../ir/types';
import type { TextNeed, TextTest } from '../../output/query-search';
import type { PlanDialect } from '../dialect/relation-dialect';
import { boundText } from './bound-text';

/** Texts that integers in a row may contain. */
const OF_INTEGERS = /^[-0-9]+$/;

/** More texts take longer to plan, in each of many parts, and to look for than the text takes to compose. */
const MAX_TEXTS = 4;

/** @returns null: the text is read of all rows */
export function searchedComposition(
  { composed, columns }: CatalogPart,
  name: string,
  need: TextNeed | undefined,
  { textTest, expression, quoteIdentifier }: Pick<PlanDialect, 'textTest' | 'expression' | 'quoteIdentifier'>
): string | null {
  if (composed?.column !== name || need === undefined || textTest === null) return null;
  const usable = mapTests(need, (test) =>
    test.column === name && isWithinValue(test, composed.of) ? test : undefined
  );
  if (usable === undefined || countTests(usable) > MAX_TEXTS) return null;
  const values = [[composed.others], ...valuesOf(composed.of)].map((names) =>
    names.map((value) => ({ name: value, type: columns.get(value) === 'INT64' ? INT64 : STRING }))
  );
  const print = (one: TextNeed): string => {
    if (one.kind !== 'text') return `(${one.of.map(print).join(one.kind === 'all' ? ' AND ' : ' OR ')})`;
    const text = expression(boundText(`piece:${one.text}`, one.text));
    const tests = values.filter((of) => canContain(of, one.text)).map((of) => textTest(of, text));
    return `(${tests.join(' OR ')})`;
  };
  return `CASE WHEN ${print(usable)} THEN ${quoteIdentifier(name)} END`;
}

/** True if no part of the text can be in a constant. */
function isWithinValue({ text, anyCase }: TextTest, composition: Composition): boolean {
  if (anyCase || text === '') return false;
  return composition.every(
    (item) => typeof item !== 'string' || ![...item].some((character) => text.includes(character))
  );
}

function canContain(columns: readonly { readonly type: Type }[], text: string): boolean {
  return OF_INTEGERS.test(text) || columns.some(({ type }) => type.kind !== 'INT64');
}

/** Columns without a constant between them, together. */
function valuesOf(composition: Composition): readonly (readonly string[])[] {
  const values: string[][] = [[]];
  for (const item of composition) {
    if (typeof item === 'string') values.push([]);
    else values.at(-1)!.push(item.column);
  }
  return values.filter((columns) => columns.length > 0);
}
