/**
 * Lowers the LQL tree to the tree of the SQL parser, for the tables of the sandbox. The result is resolved and checked
 * like any ad-hoc statement, so lowering need not be trusted.
 */
import type { QueryWarning } from '#contract/queries/query';
import type { QueryExpression } from '../../ast';
import { isScalar } from '../../ir/types';
import type { LqlQuery } from '../rules';
import { chartColumns } from './chart';
import { lowerFilter } from './filter';
import { Lowering } from './lowering';
import { projection } from './projection';
import { chooseTable, withAlias, type LqlTables } from './table';
import { conjuncts, identifier, joined, order, path, query, whole, type Block } from './tree';

export interface LoweredLql {
  readonly tree: QueryExpression;
  readonly warnings: readonly QueryWarning[];
}

/**
 * Row queries return the newest rows first, charts the oldest bucket. Neither has a LIMIT: the endpoint applies its row
 * limit and reports truncation.
 *
 * @param now the request time in microseconds since 1970; called only for queries relative to it
 * @throws ServiceError with the reasons of `errors.ts`
 */
export function lowerLql(lql: LqlQuery, tables: LqlTables, now: () => bigint): LoweredLql {
  const table = withAlias(chooseTable(lql, tables), lql.selects);
  const lowering = new Lowering(table, now);
  const at = lql.from?.position ?? lql.position;
  const conditions = lql.filters.map((filter) => lowerFilter(filter, lowering));
  const block: Pick<Block, 'from' | 'where' | 'position'> = {
    from: {
      kind: 'table',
      path: [identifier(table.name, at)],
      alias: identifier(table.alias, at),
      offset: null,
      position: at,
    },
    where: conditions.length === 0 ? null : joined('AND', conditions.flatMap(conjuncts)),
    position: lql.position,
  };
  const tree = lql.chart === null ? rowQuery(lql, lowering, block) : chartQuery(lql, lowering, block);
  return { tree, warnings: lowering.warnings };
}

type Rest = Pick<Block, 'from' | 'where' | 'position'>;

function rowQuery(lql: LqlQuery, lowering: Lowering, block: Rest): QueryExpression {
  const items = projection(lql.selects, lowering, lql.position);
  const { alias, columns } = lowering.table;
  const timestamp = columns.find(({ name }) => name === 'timestamp');
  const isOrdered = timestamp !== undefined && isScalar(timestamp.type);
  const key = path([alias, 'timestamp'], lql.position);
  return query({ ...block, items, orderBy: isOrdered ? [order(key, 'DESC')] : [] });
}

function chartQuery({ chart, selects, position }: LqlQuery, lowering: Lowering, block: Rest): QueryExpression {
  if (chart === null) throw new Error('not a chart');
  const [ignored] = selects;
  if (ignored !== undefined) {
    lowering.warn('select_ignored', 'a chart has its own columns: select clauses do nothing', ignored.position);
  }
  const { items, groups } = chartColumns(chart, lowering);
  const ordinals = Array.from({ length: groups }, (_, index) => whole(index + 1, position));
  return query({ ...block, items, groupBy: ordinals, orderBy: ordinals.map((key) => order(key, 'ASC')) });
}
