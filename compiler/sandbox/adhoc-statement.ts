/** Parses ad-hoc text of either language into a statement that can replace the final SELECT of a saved query. */
import type { AdhocText, QueryWarning } from '#contract/queries/query';
import type { SavedQuery } from '#contract/queries/saved-query';
import type { QueryExpression } from '../ast';
import { mentionedTables } from '../ast/mentioned-tables';
import type { LogicalColumn } from '../ir/plan';
import { printLql } from '../lql/encode/print-lql';
import { lowerLql } from '../lql/lower/lower-lql';
import { chooseTable } from '../lql/lower/table';
import { parseLql } from '../lql/parser/parse-lql';
import { parseStatement } from '../sql/parser/query/parse-statement';
import { AD_HOC_LIMITS } from '../sql/parse-limits';
import { printCanonical } from '../sql/canonical/print-canonical';

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
  /** Canonical form of the text. */
  readonly canonical: () => string;
  /**
   * Lower-case names of the tables that it may read.
   * @param tables names of all tables of the saved query
   * @throws the errors of `chooseTable` for LQL
   */
  readonly mentioned: (tables: readonly string[]) => ReadonlySet<string>;
  /** Statement as a tree. LQL needs the tables that it mentions for it, and may need the current time. */
  readonly treeFor: (tables: readonly SandboxTable[], now: () => bigint) => AdhocTree;
}

/** @throws the errors of `parseStatement` and `parseLql` */
export function readAdhocStatement({ language, text }: AdhocText, { default_table }: SavedQuery): AdhocStatement {
  if (language === 'lql') {
    const query = parseLql(text);
    const defaultTable = default_table ?? null;
    return {
      canonical: () => printLql(query),
      mentioned: (names) => {
        const tables = names.map((name) => ({ name }));
        return new Set([chooseTable(query, { tables, defaultTable }).name.toLowerCase()]);
      },
      treeFor: (tables, now) => lowerLql(query, { tables, defaultTable }, now),
    };
  }
  const tree = parseStatement(text, AD_HOC_LIMITS);
  return {
    canonical: () => printCanonical(tree),
    mentioned: () => mentionedTables(tree),
    treeFor: () => ({ tree, warnings: [] }),
  };
}
