/** Texts that count the lines of a text in buckets of time, by level where there is one. */
import { isSetOperator, outermost, tokenizeTemplate } from '#compiler/browser';
import type { DescribedTable, ValidateResult } from '#contract/queries/description';
import { LEVEL_LABELS, type LevelSettings } from '#contract/plugin/levels';
import { levelField } from './level-field';
import { boundedWithout } from './lql-clauses';
import type { TimeClauses } from './time-clauses';

const PLAIN_NAME = /^[A-Za-z_]\w*$/;

/** @param level field in LQL notation */
export function countLql(lql: string, { lqlFilter, lqlBucket }: TimeClauses, level?: string): string {
  const group = level === undefined ? '' : ` c:group_by(${level})`;
  return `${boundedWithout(lql, 'select', lqlFilter)} c:count(*) c:group_by(${lqlBucket})${group}`;
}

/**
 * @param lines SELECT without ORDER BY and LIMIT
 * @param level expression over `lines`
 */
export function countSql(lines: string, { sqlFilter, sqlBucket }: TimeClauses, level?: string): string {
  const [column, group] = level === undefined ? ['', ''] : [`cast(${level} as string) as level, `, ', level'];
  return [
    `select ${sqlBucket} as time, ${column}count(*) as count from (`,
    lines,
    `) as lines ${sqlFilter === null ? '' : `where ${sqlFilter} `}group by time${group} order by time`,
  ].join('\n');
}

export const isEventTime = ({ name, type }: ValidateResult['fields'][number]): boolean =>
  name === 'timestamp' && type === 'TIMESTAMP';

/**
 * What says the level of a row, in SQL: a column of the result, or the field of the table where the result has its
 * metadata.
 */
export function levelOfRows(
  columns: ValidateResult['fields'],
  table: DescribedTable | undefined,
  levels: LevelSettings | undefined
): string | undefined {
  const names: readonly string[] = levels?.levelField ? [levels.levelField] : LEVEL_LABELS;
  const own = columns.find(({ name, type }) => names.includes(name) && type === 'STRING');
  if (own) return `lines.${own.name}`;
  if (!table || !columns.some(({ name }) => name === 'metadata')) return undefined;
  const [first, ...path] = levelField(table, levels)?.split('.') ?? [];
  return first === 'm' && path.every((part) => PLAIN_NAME.test(part))
    ? `lines.${['metadata', ...path].join('[0].')}`
    : undefined;
}

/**
 * Removes the final ORDER BY and LIMIT, because a count would cover one page of rows only. Undefined if they are not
 * final, or belong to a branch of a set operation.
 */
export function withoutOrder(sql: string): string | undefined {
  const statement = outermost(tokenizeTemplate(sql));
  if (statement[0]?.symbol !== 'SELECT' || statement.some((_, at) => isSetOperator(statement, at))) return undefined;
  const end = statement.find(
    ({ symbol }, at) => symbol === 'ORDER' || symbol === 'LIMIT' || (symbol === ';' && at === statement.length - 1)
  );
  return sql.slice(0, end?.offset).trimEnd();
}
