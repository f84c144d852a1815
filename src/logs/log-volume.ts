/**
 * The log volume: how many events a query finds in each bucket of the whole range, by level where the table has one.
 */
import type { DescribedTable, ValidateResult } from '#contract/queries/description';
import { filterSql, printLqlTable } from '#compiler/browser';
import { escapeVariables } from '#contract/plugin/literal-text';
import type { LevelSettings } from '#contract/plugin/levels';
import type { EndpointResource } from '#contract/plugin/resources';
import { countLql, countSql, isEventTime, levelOfRows, withoutOrder } from '../language/count-lines';
import { levelField } from '../language/level-field';
import { logTable, plainLogTable } from '../language/log-table';
import { hasChart } from '../language/lql-clauses';
import { GRAFANA_CLAUSES } from '../language/time-clauses';
import type { LogEndpointsQuery } from '../types';

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
  context: VolumeContext
): Promise<LogEndpointsQuery | undefined> {
  const { maxRows: _rows, ...rest } = query;
  const series = { ...rest, format: 'time_series' } as const;
  return query.mode === 'sql' ? sqlVolume(series, context) : lqlVolume(series, context);
}

/** Counts the rows of the text, which its filters become a part of. */
async function sqlVolume(
  { filters: given = [], ...series }: LogEndpointsQuery,
  { detail, levels, columnsOf }: VolumeContext
): Promise<LogEndpointsQuery | undefined> {
  const { sql = '' } = series;
  const filters = given.map((filter) => ({ ...filter, field: escapeVariables(filter.field) }));
  const lines = withoutOrder(filterSql(sql, filters) ?? sql);
  const columns = lines === undefined ? undefined : await columnsOf({ ...series, sql: lines });
  if (lines === undefined || !columns?.some(isEventTime)) return undefined;
  const level = levelOfRows(columns, describedTable(series, detail), levels);
  const byLevel = level && { ...series, sql: countSql(lines, GRAFANA_CLAUSES, level) };
  // The column `metadata` of the result may be another than that of the table.
  if (byLevel && (await columnsOf(byLevel))) return byLevel;
  return { ...series, sql: countSql(lines, GRAFANA_CLAUSES) };
}

/** Counts the events of the text in LQL; of a saved query that is shown as it is, those of its only table. */
function lqlVolume(series: LogEndpointsQuery, { detail, levels }: VolumeContext): LogEndpointsQuery | undefined {
  const isText = series.mode === 'lql';
  const table = isText ? logTable(series, detail) : detail && plainLogTable(detail);
  if (!isText && table === undefined) return undefined;
  const described = detail?.tables.find(({ name }) => name === table);
  const text = isText ? (series.lql ?? '') : `f:${escapeVariables(printLqlTable(table ?? ''))}`;
  return { ...series, mode: 'lql', lql: countLql(text, GRAFANA_CLAUSES, described && levelField(described, levels)) };
}

function describedTable(query: LogEndpointsQuery, detail: EndpointResource | undefined): DescribedTable | undefined {
  const table = detail && logTable(query, detail);
  return detail?.tables.find(({ name }) => name === table);
}
