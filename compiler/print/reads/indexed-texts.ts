/** Conditions by which a store's index on pieces of texts leaves rows out. Each row of the result meets them. */
import type { CatalogPart } from '../../catalog/catalog';
import type { BoundExpr } from '../../ir/expression';
import { mapTests } from '../../ir/search/needs';
import type { TextNeed } from '../../output/query-search';
import type { PlanDialect } from '../dialect/relation-dialect';
import { boundText } from './bound-text';

export function indexedTexts(
  { indexed }: CatalogPart,
  need: TextNeed | undefined,
  { textIndex, expression }: Pick<PlanDialect, 'textIndex' | 'expression'>
): readonly string[] {
  if (indexed === undefined || need === undefined || textIndex === null) return [];
  const usable = mapTests(need, (test) =>
    indexed.has(test.column) && !test.anyCase && [...test.text].length >= textIndex.pieceLength ? test : undefined
  );
  const print = (one: TextNeed): string =>
    one.kind === 'text'
      ? textIndex.like(one.column, expression(likePattern(one.text)))
      : `(${one.of.map(print).join(one.kind === 'all' ? ' AND ' : ' OR ')})`;
  return usable === undefined ? [] : [print(usable)];
}

function likePattern(text: string): BoundExpr {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  return boundText(`like:${pattern}`, pattern);
}
