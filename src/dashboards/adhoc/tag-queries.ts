/**
 * Keys and values for ad-hoc filters: the fields of the filtered table, and the values of one field in the time range.
 */
import type {
  AdHocVariableFilter,
  DataFrame,
  DataSourceGetTagKeysOptions,
  DataSourceGetTagValuesOptions,
  MetricFindValue,
  TimeRange,
} from '@grafana/data';
import type { DescribedTable } from '#contract/queries/description';
import type { EndpointResource, EndpointSummary } from '#contract/plugin/resources';
import { logTable } from '../../language/log-table';
import { warn } from '../../datasource/notify';
import { SCHEMA_VERSION } from '../../query/defaults';
import { migrateQuery } from '../../query/migrate';
import { lastHour } from '../../query/own-request';
import type { LogEndpointsQuery } from '../../types';
import { variableFrame } from '../variables/variable-options';
import { fieldFilters, filterKeys, valuesLql } from './adhoc-filters';

const TAG_VALUES_REF_ID = 'tag-values';

export interface TagSource {
  endpoints(): Promise<readonly EndpointSummary[]>;
  detailOf(query: LogEndpointsQuery): Promise<EndpointResource | undefined>;
  ask(target: LogEndpointsQuery, range: TimeRange): Promise<readonly DataFrame[]>;
}

interface Reached {
  readonly query: LogEndpointsQuery;
  readonly detail: EndpointResource;
  readonly table: DescribedTable;
}

export async function tagKeys(
  source: TagSource,
  options: DataSourceGetTagKeysOptions<LogEndpointsQuery> | undefined
): Promise<MetricFindValue[]> {
  const reached = await reachedBy(source, options?.queries);
  return (reached ? filterKeys(reached.table) : []).map((text) => ({ text }));
}

export async function tagValues(
  source: TagSource,
  { key, filters = [], queries, timeRange }: DataSourceGetTagValuesOptions<LogEndpointsQuery>
): Promise<MetricFindValue[]> {
  const reached = await reachedBy(source, queries);
  if (!reached) return [];
  const range = timeRange ?? lastHour();
  const frames = await source.ask(valuesQuery(reached, key, filters), range).catch((thrown: unknown) => {
    warn(`The values of ${key} cannot be listed`, thrown instanceof Error ? thrown.message : 'The query failed.');
    return [];
  });
  return (variableFrame(frames).fields[0]?.values ?? []).map((text: string) => ({ text }));
}

async function reachedBy(
  source: TagSource,
  queries: readonly LogEndpointsQuery[] | undefined
): Promise<Reached | undefined> {
  const query = filteredQuery(queries?.map(migrateQuery), await source.endpoints());
  const detail = query && (await source.detailOf(query));
  if (!detail) return undefined;
  const name = logTable(query, detail);
  const table = detail.tables.find((each) => each.name === name) ?? detail.tables[0];
  return table && { query, detail, table };
}

/** Grafana before 11 does not pass the dashboard's queries: default to the endpoint of log events. */
function filteredQuery(
  queries: readonly LogEndpointsQuery[] | undefined,
  endpoints: readonly EndpointSummary[]
): LogEndpointsQuery | undefined {
  const dashboardQuery = queries?.find(({ mode, lql }) => mode === 'lql' && lql);
  if (dashboardQuery) return dashboardQuery;
  const open = endpoints.filter(({ sandbox }) => sandbox);
  const endpoint = open.find(({ name }) => name === 'logs.all') ?? open[0];
  return endpoint && { refId: 'A', mode: 'lql', endpoint: { id: endpoint.id, name: endpoint.name } };
}

/** Takes missing required parameters from dashboard variables of the same name. */
function valuesQuery(
  { query, detail, table }: Reached,
  key: string,
  filters: readonly AdHocVariableFilter[]
): LogEndpointsQuery {
  const open = detail.endpoint.parameters.filter(({ required, name }) => required && !query.params?.[name]);
  return {
    refId: TAG_VALUES_REF_ID,
    schemaVersion: SCHEMA_VERSION,
    endpoint: query.endpoint,
    mode: 'lql',
    format: 'table',
    params: { ...query.params, ...Object.fromEntries(open.map(({ name }) => [name, `\${${name}}`])) },
    lql: valuesLql(table.name, key),
    filters: fieldFilters(filters.filter((each) => each.key !== key)),
  };
}
