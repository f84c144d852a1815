/** SQL dialects by store. */
import type { StoreDialect } from '../catalog/catalog';
import type { Expr } from '../ir/expression';
import { clickHouse } from './clickhouse/dialect';
import { clickHouseRelations } from './clickhouse/relations';
import type { Dialect } from './dialect/dialect';
import { duckDb } from './duckdb/dialect';
import { duckDbRelations } from './duckdb/relations';
import type { RelationDialect } from './dialect/relation-dialect';

export interface StoreSql {
  readonly dialect: Dialect;
  /** Whether to print the order and limit of a statement also inside the query that produces its rows. */
  readonly pushesOrder: boolean;
  /** Whether a part is read in pieces of time, the newest first, where a statement wants the newest rows. */
  readonly cutsParts: boolean;
  /** Whether the store keeps the groups of parts in tables. */
  readonly keepsGroups: boolean;
  /** Whether a part may have an index on its texts, or compose them. */
  readonly testsTexts: boolean;
  /** @param expression prints expressions */
  relations(expression: (expr: Expr) => string): RelationDialect;
}

const STORES: Readonly<Record<StoreDialect, StoreSql>> = {
  duckdb: {
    dialect: duckDb,
    pushesOrder: false,
    cutsParts: true,
    keepsGroups: true,
    testsTexts: true,
    relations: duckDbRelations,
  },
  clickhouse: {
    dialect: clickHouse,
    pushesOrder: true,
    cutsParts: false,
    keepsGroups: false,
    testsTexts: true,
    relations: () => clickHouseRelations,
  },
};

export function storeSql(name: StoreDialect): StoreSql {
  return STORES[name];
}
