import {
  CoreApp,
  dateTime,
  LogRowContextQueryDirection,
  SupplementaryQueryType,
  type AdHocVariableFilter,
  type DataQueryRequest,
  type DataQueryResponse,
  type DataSourceInstanceSettings,
  type DataSourceWithLogsContextSupport,
  type DataSourceWithSupplementaryQueriesSupport,
  type DataSourceWithToggleableQueryFiltersSupport,
  type LogRowContextOptions,
  type LogRowModel,
  type QueryFilterOptions,
  type QueryFixAction,
  type ScopedVars,
  type SupplementaryQueryOptions,
  type ToggleFilterAction,
} from '@grafana/data';
import { config, DataSourceWithBackend, getGrafanaLiveSrv, getTemplateSrv, type TemplateSrv } from '@grafana/runtime';
import { firstValueFrom, from, map, merge, switchMap, type Observable } from 'rxjs';
import type { EndpointSummary } from '#contract/plugin/resources';
import { annotations } from './annotations/annotations';
import { EndpointCatalog } from './api/endpoint-catalog';
import { findEndpoint } from './api/find-endpoint';
import { namesLabelsAttributes, renameLabels } from './frames/labels-for-old-hosts';
import { liveAddress } from './live/live-address';
import { hasFilter, toggleFilter } from './logs/field-filters';
import { logContextQuery } from './logs/log-context';
import { logVolumeQuery } from './logs/log-volume';
import { defaultQuery } from './query/defaults';
import { queryDisplayText } from './query/display-text';
import { interpolateQuery, mayHoldVariables } from './query/interpolate';
import { whyNotRunnable } from './query/is-runnable';
import { migrateQuery } from './query/migrate';
import type { LogEndpointsOptions, LogEndpointsQuery } from './types';
import { VariableSupport } from './variables/variable-support';

/** How far from a line its context may lie. */
const CONTEXT_WINDOW_MS = 24 * 3_600_000;

/** The browser's side of the data source. Queries go to the backend as they are but for Grafana's variables. */
export class LogEndpointsDataSource
  extends DataSourceWithBackend<LogEndpointsQuery, LogEndpointsOptions>
  implements
    DataSourceWithSupplementaryQueriesSupport<LogEndpointsQuery>,
    DataSourceWithLogsContextSupport<LogEndpointsQuery>,
    DataSourceWithToggleableQueryFiltersSupport<LogEndpointsQuery>
{
  readonly catalog: EndpointCatalog;
  readonly options: LogEndpointsOptions;

  constructor(
    settings: DataSourceInstanceSettings<LogEndpointsOptions>,
    private readonly templates: TemplateSrv = getTemplateSrv()
  ) {
    super(settings);
    this.options = settings.jsonData ?? {};
    this.annotations = annotations;
    this.variables = new VariableSupport(this);
    this.catalog = new EndpointCatalog({
      getResource: (path) => this.getResource(path, undefined, { showErrorAlert: false }),
      postResource: (path, body) => this.postResource(path, body, { showErrorAlert: false }),
    });
  }

  override getDefaultQuery(app: CoreApp): Partial<LogEndpointsQuery> {
    return defaultQuery(app);
  }

  /** Public dashboards hold no query texts: what they ask is the server's to know. */
  override filterQuery(query: LogEndpointsQuery): boolean {
    if (config.publicDashboardAccessToken) return true;
    if (query.hide) return false;
    const migrated = migrateQuery(query);
    return this.whyNotRunnable(migrated, findEndpoint(this.catalog.known, migrated)) === undefined;
  }

  /** In words for the editor; undefined when the query can be run. */
  whyNotRunnable(query: LogEndpointsQuery, endpoint: EndpointSummary | undefined): string | undefined {
    return whyNotRunnable(query, { endpoint, defaultProject: this.options.defaultProject });
  }

  override getQueryDisplayText(query: LogEndpointsQuery): string {
    return queryDisplayText(query);
  }

  override query(request: DataQueryRequest<LogEndpointsQuery>): Observable<DataQueryResponse> {
    const migrated = { ...request, targets: request.targets.map(migrateQuery) };
    if (request.liveStreaming) return this.tail(migrated);
    return from(this.learnEndpoints(migrated.targets)).pipe(
      switchMap(() => super.query(migrated)),
      map((response) =>
        namesLabelsAttributes(config.buildInfo.version)
          ? { ...response, data: response.data.map(renameLabels) }
          : response
      )
    );
  }

  override applyTemplateVariables(
    query: LogEndpointsQuery,
    scopedVars: ScopedVars,
    _filters?: AdHocVariableFilter[]
  ): LogEndpointsQuery {
    return interpolateQuery(migrateQuery(query), {
      replace: (text, vars, format) => this.templates.replace(text, vars, format),
      scopedVars,
      endpoint: findEndpoint(this.catalog.known, query),
    });
  }

  override interpolateVariablesInQueries(
    queries: LogEndpointsQuery[],
    scopedVars: ScopedVars,
    filters?: AdHocVariableFilter[]
  ): LogEndpointsQuery[] {
    return queries.map((query) => ({
      ...this.applyTemplateVariables(query, scopedVars, filters),
      datasource: this.getRef(),
    }));
  }

  getSupportedSupplementaryQueryTypes(): SupplementaryQueryType[] {
    return [SupplementaryQueryType.LogsVolume];
  }

  getSupplementaryQuery(options: SupplementaryQueryOptions, query: LogEndpointsQuery): LogEndpointsQuery | undefined {
    return options.type === SupplementaryQueryType.LogsVolume ? logVolumeQuery(migrateQuery(query)) : undefined;
  }

  getSupplementaryRequest(
    type: SupplementaryQueryType,
    request: DataQueryRequest<LogEndpointsQuery>
  ): DataQueryRequest<LogEndpointsQuery> | undefined {
    const targets = request.targets.flatMap((target) => this.getSupplementaryQuery({ type }, target) ?? []);
    return targets.length > 0 ? { ...request, targets, hideFromInspector: true } : undefined;
  }

  async getLogRowContext(
    row: LogRowModel,
    options?: LogRowContextOptions,
    query?: LogEndpointsQuery
  ): Promise<DataQueryResponse> {
    const target = logContextQuery(row, query, options);
    if (!target) throw new Error('Lines around this one are known for LQL that names its table, as in f:edge_logs.');
    const isForward = options?.direction === LogRowContextQueryDirection.Forward;
    const range = {
      from: dateTime(row.timeEpochMs - (isForward ? 0 : CONTEXT_WINDOW_MS)),
      to: dateTime(row.timeEpochMs + (isForward ? CONTEXT_WINDOW_MS : 0)),
    };
    return firstValueFrom(
      this.query({
        app: CoreApp.Explore,
        requestId: target.refId,
        interval: '1s',
        intervalMs: 1000,
        range: { ...range, raw: range },
        scopedVars: options?.scopedVars ?? {},
        startTime: Date.now(),
        timezone: 'utc',
        hideFromInspector: true,
        targets: [target],
      })
    );
  }

  async getLogRowContextQuery(
    row: LogRowModel,
    options?: LogRowContextOptions,
    query?: LogEndpointsQuery
  ): Promise<LogEndpointsQuery | null> {
    return logContextQuery(row, query, options) ?? null;
  }

  showContextToggle(row?: LogRowModel): boolean {
    return row !== undefined;
  }

  toggleQueryFilter(query: LogEndpointsQuery, { type, options }: ToggleFilterAction): LogEndpointsQuery {
    return toggleFilter(query, options.key ?? '', options.value ?? '', type === 'FILTER_FOR' ? '=' : '!=');
  }

  queryHasFilter(query: LogEndpointsQuery, { key = '', value = '' }: QueryFilterOptions): boolean {
    return hasFilter(query, key, value);
  }

  /** Of hosts that do not toggle. */
  override modifyQuery(query: LogEndpointsQuery, { type, options = {} }: QueryFixAction): LogEndpointsQuery {
    if (type !== 'ADD_FILTER' && type !== 'ADD_FILTER_OUT') return query;
    return toggleFilter(query, options.key ?? '', options.value ?? '', type === 'ADD_FILTER' ? '=' : '!=');
  }

  getSupportedQueryModifications(): string[] {
    return ['ADD_FILTER', 'ADD_FILTER_OUT'];
  }

  /** One stream for each query; the backend polls the service and sends what is new. */
  private tail(request: DataQueryRequest<LogEndpointsQuery>): Observable<DataQueryResponse> {
    const streams = request.targets
      .filter((target) => this.filterQuery(target))
      .map((target) => this.applyTemplateVariables(target, request.scopedVars))
      .map((query) =>
        getGrafanaLiveSrv().getDataStream({
          addr: liveAddress(this.uid, query),
          key: `${request.requestId}-${query.refId}`,
        })
      );
    return merge(...streams);
  }

  /** They say how a parameter's variables are quoted. A token that may not list endpoints may still call them: variables are then filled in as they are. */
  private async learnEndpoints(queries: readonly LogEndpointsQuery[]): Promise<void> {
    if (config.publicDashboardAccessToken || !queries.some(mayHoldVariables)) return;
    await this.catalog.endpoints().catch(() => undefined);
  }
}
