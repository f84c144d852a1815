/** Ad-hoc text of either language, read and ready to stand in for the final SELECT of a saved query. */
import type { AdhocText, QueryWarning } from '#contract/query';
import type { SavedQuery } from '#contract/saved-query';
import type { QueryExpression } from '../ast';
import type { LogicalColumn } from '../ir/plan';
import { printLql } from '../lql/encode/print-lql';
import { lowerLql } from '../lql/lower/lower-lql';
import { parseLql } from '../lql/parser/parse-lql';
import { parseStatement } from '../sql/parser/parse-statement';
import { AD_HOC_LIMITS } from '../sql/parse-limits';
import { printCanonical } from '../sql/print-canonical';

/** A named table of the saved query. */
export interface SandboxTable {
  readonly name: string;
  readonly columns: readonly LogicalColumn[];
}

export interface AdhocTree {
  readonly tree: QueryExpression;
  readonly warnings: readonly QueryWarning[];
}

export interface AdhocStatement {
  /** The text printed from what was read. */
  readonly canonical: () => string;
  /** The statement as a tree: LQL needs to know the tables for it, and may ask what time it is. */
  readonly treeFor: (tables: readonly SandboxTable[], now: () => bigint) => AdhocTree;
}

/** @throws everything that `parseStatement` and `parseLql` throw */
export function readAdhocStatement({ language, text }: AdhocText, { default_table }: SavedQuery): AdhocStatement {
  if (language === 'lql') {
    const query = parseLql(text);
    return {
      canonical: () => printLql(query),
      treeFor: (tables, now) => lowerLql(query, { tables, defaultTable: default_table ?? null }, now),
    };
  }
  const tree = parseStatement(text, AD_HOC_LIMITS);
  return { canonical: () => printCanonical(tree), treeFor: () => ({ tree, warnings: [] }) };
}
