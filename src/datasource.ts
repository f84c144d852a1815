import type {
  AdHocVariableFilter,
  CoreApp,
  DataQueryRequest,
  DataQueryResponse,
  DataSourceInstanceSettings,
  ScopedVars,
} from '@grafana/data';
import { DataSourceWithBackend, config, getTemplateSrv, type TemplateSrv } from '@grafana/runtime';
import { from, map, switchMap, type Observable } from 'rxjs';
import type { EndpointSummary } from '#contract/plugin/resources';
import { EndpointCatalog } from './api/endpoint-catalog';
import { findEndpoint } from './api/find-endpoint';
import { namesLabelsAttributes, renameLabels } from './frames/labels-for-old-hosts';
import { defaultQuery } from './query/defaults';
import { queryDisplayText } from './query/display-text';
import { interpolateQuery, mayHoldVariables } from './query/interpolate';
import { whyNotRunnable } from './query/is-runnable';
import { migrateQuery } from './query/migrate';
import type { LogEndpointsOptions, LogEndpointsQuery } from './types';

/** The browser's side of the data source. Queries go to the backend as they are but for Grafana's variables. */
export class LogEndpointsDataSource extends DataSourceWithBackend<LogEndpointsQuery, LogEndpointsOptions> {
  readonly catalog: EndpointCatalog;
  readonly options: LogEndpointsOptions;

  constructor(
    settings: DataSourceInstanceSettings<LogEndpointsOptions>,
    private readonly templates: TemplateSrv = getTemplateSrv()
  ) {
    super(settings);
    this.options = settings.jsonData ?? {};
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

  /** They say how a parameter's variables are quoted. A token that may not list endpoints may still call them: variables are then filled in as they are. */
  private async learnEndpoints(queries: readonly LogEndpointsQuery[]): Promise<void> {
    if (config.publicDashboardAccessToken || !queries.some(mayHoldVariables)) return;
    await this.catalog.endpoints().catch(() => undefined);
  }
}
