/** The log volume: how many events a query finds in each bucket of the whole range, by level where the table has one. */
import type { DescribedTable, ValidateResult } from '#contract/description';
import { filterSql, isSetOperator, outermost, tokenizeTemplate } from '#compiler/browser';
import { LEVEL_LABELS, type LevelSettings } from '#contract/plugin/levels';
import type { EndpointResource } from '#contract/plugin/resources';
import { boundedWithout, hasChart } from '../language/lql-clauses';
import type { LogEndpointsQuery } from '../types';
import { levelField } from './levels';
import { logTable, plainLogTable } from './log-table';

const PLAIN_NAME = /^[A-Za-z_]\w*$/;

/** Whether a volume may exist; the tables of the endpoint are checked later. */
export function mayHaveVolume(query: LogEndpointsQuery): boolean {
  if (query.hide || query.format === 'table' || query.format === 'time_series') return false;
  if (query.mode === 'sql') return Boolean(query.sql?.trim());
  return query.mode !== 'lql' || (Boolean(query.lql?.trim()) && !hasChart(query.lql ?? ''));
}

export interface VolumeContext {
  /** Undefined if the service did not return it. */
  readonly detail: EndpointResource | undefined;
  readonly levels: LevelSettings | undefined;
  /** Columns of a text in SQL; undefined if the service refuses it. */
  readonly columnsOf: (query: LogEndpointsQuery) => Promise<ValidateResult['fields'] | undefined>;
}

/** @returns undefined if a count would differ from the rows shown */
export async function logVolumeQuery(
  query: LogEndpointsQuery,
  { detail, levels, columnsOf }: VolumeContext
): Promise<LogEndpointsQuery | undefined> {
  const { maxRows: _rows, ...rest } = query;
  const series = { ...rest, format: 'time_series' } as const;
  if (query.mode === 'sql') {
    const { filters = [], ...unfiltered } = series;
    const lines = withoutOrder(filterSql(query.sql ?? '', filters) ?? query.sql ?? '');
    const columns = lines === undefined ? undefined : await columnsOf({ ...unfiltered, sql: lines });
    if (lines === undefined || !columns?.some(isTime)) return undefined;
    const level = levelOfRows(columns, describedTable(query, detail), levels);
    const byLevel = level && { ...unfiltered, sql: countOf(lines, level) };
    // The column `metadata` of the result may be another than that of the table.
    if (byLevel && (await columnsOf(byLevel))) return byLevel;
    return { ...unfiltered, sql: countOf(lines) };
  }
  const table = query.mode === 'lql' ? logTable(query, detail) : detail && plainLogTable(detail);
  if (query.mode !== 'lql' && table === undefined) return undefined;
  const described = detail?.tables.find(({ name }) => name === table);
  const text = query.mode === 'lql' ? (query.lql ?? '') : `f:${table}`;
  return { ...series, mode: 'lql', lql: counted(text, described && levelField(described, levels)) };
}

function counted(lql: string, level: string | undefined): string {
  return `${boundedWithout(lql, 'select')} c:count(*) c:group_by($__timeGroup)${level === undefined ? '' : ` c:group_by(${level})`}`;
}

function countOf(lines: string, level?: string): string {
  const [column, group] = level === undefined ? ['', ''] : [`cast(${level} as string) as level, `, ', level'];
  return [
    `select $__timeGroup(timestamp) as time, ${column}count(*) as count from (`,
    lines,
    `) as lines where $__timeFilter(timestamp) group by time${group} order by time`,
  ].join('\n');
}

const isTime = ({ name, type }: ValidateResult['fields'][number]): boolean =>
  name === 'timestamp' && type === 'TIMESTAMP';

function describedTable(query: LogEndpointsQuery, detail: EndpointResource | undefined): DescribedTable | undefined {
  const table = detail && logTable(query, detail);
  return detail?.tables.find(({ name }) => name === table);
}

/** What says the level of a row, in SQL: a column of the result, or the field of the table where the result has its metadata. */
function levelOfRows(
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
function withoutOrder(sql: string): string | undefined {
  const statement = outermost(tokenizeTemplate(sql));
  if (statement[0]?.symbol !== 'SELECT' || statement.some((_, at) => isSetOperator(statement, at))) return undefined;
  const end = statement.find(
    ({ symbol }, at) => symbol === 'ORDER' || symbol === 'LIMIT' || (symbol === ';' && at === statement.length - 1)
  );
  return sql.slice(0, end?.offset).trimEnd();
}
