import {
  CoreApp,
  LogRowContextQueryDirection,
  SupplementaryQueryType,
  type AdHocVariableFilter,
  type DataFrame,
  type DataQueryError,
  type DataQueryRequest,
  type DataQueryResponse,
  type DataSourceGetTagKeysOptions,
  type DataSourceGetTagValuesOptions,
  type DataSourceInstanceSettings,
  type DataSourceWithLogsContextSupport,
  type DataSourceWithSupplementaryQueriesSupport,
  type DataSourceWithToggleableQueryFiltersSupport,
  type LogRowContextOptions,
  type LogRowModel,
  type MetricFindValue,
  type QueryFilterOptions,
  type QueryFixAction,
  type ScopedVars,
  type SupplementaryQueryOptions,
  type TimeRange,
  type ToggleFilterAction,
} from '@grafana/data';
import {
  config,
  DataSourceWithBackend,
  getDataSourceSrv,
  getGrafanaLiveSrv,
  getTemplateSrv,
  type TemplateSrv,
} from '@grafana/runtime';
import { firstValueFrom, from, map, merge, of, switchMap, tap, type Observable } from 'rxjs';
import type { ValidateResult } from '#contract/queries/description';
import type { EndpointResource, EndpointSummary } from '#contract/plugin/resources';
import { fieldFilters } from '../dashboards/adhoc/adhoc-filters';
import { tagKeys, tagValues, type TagSource } from '../dashboards/adhoc/tag-queries';
import { annotations } from '../dashboards/annotations/annotations';
import { EndpointCatalog } from '../api/endpoint-catalog';
import { endpointKey, findEndpoint } from '../api/find-endpoint';
import { ParameterValues } from '../api/parameter-values';
import { bindMethods } from './bind-methods';
import type { EditorDataSource } from '../components/editor-data-source';
import { createFrameFinisher } from '../frames/finish-frames';
import { namesLabelsAttributes, renameStreamedLabels } from '../frames/labels-for-old-hosts';
import { liveAddress } from '../logs/live/live-address';
import { withTailFailure } from '../logs/live/tail-failure';
import { dataProvider, needsDataProvider } from '../logs/data-provider';
import { hasFilter, takesFilters, toggleFilter } from '../logs/field-filters';
import { labelGroup } from '../logs/label-groups';
import { logContextQuery } from '../logs/log-context';
import { isEventTime } from '../language/count-lines';
import { logTable } from '../language/log-table';
import { resolveSupplement, supplementaryQuery } from '../logs/supplementary';
import { warn } from './notify';
import { defaultQuery } from '../query/defaults';
import { queryDisplayText } from '../query/display-text';
import {
  interpolateEndpoint,
  interpolateQuery,
  mayHoldVariables,
  patternParameters,
  type VariableValues,
} from '../query/interpolate';
import { whyNotRunnable } from '../query/is-runnable';
import { migrateQuery } from '../query/migrate';
import { lastUse, rememberedPatterns, rememberPatterns } from '../query/remembered';
import type { VariableFacts } from '../saving/text-variables';
import { SavingApi } from '../api/saving-api';
import { lastHour, ownRequest, rangeOf } from '../query/own-request';
import type { LogEndpointsOptions, LogEndpointsQuery } from '../types';
import { VariableSupport } from '../dashboards/variables/variable-support';

/** Maximum distance of log context from its line. */
const CONTEXT_WINDOW_MS = 24 * 3_600_000;

/** Requests name their app as a text. */
const EXPLORE: string = CoreApp.Explore;

/** Frontend of the data source. Queries are passed to the backend unchanged except for Grafana's variables. */
export class LogEndpointsDataSource
  extends DataSourceWithBackend<LogEndpointsQuery, LogEndpointsOptions>
  implements
    DataSourceWithSupplementaryQueriesSupport<LogEndpointsQuery>,
    DataSourceWithLogsContextSupport<LogEndpointsQuery>,
    DataSourceWithToggleableQueryFiltersSupport<LogEndpointsQuery>,
    EditorDataSource
{
  readonly catalog: EndpointCatalog;
  readonly options: LogEndpointsOptions;
  readonly parameterValues: ParameterValues;
  readonly saving: SavingApi;
  private readonly tagSource: TagSource;
  /** Defined only for versions of Grafana that need it: others would use it instead of `getSupplementaryRequest`. */
  readonly getDataProvider?: (
    type: SupplementaryQueryType,
    request: DataQueryRequest<LogEndpointsQuery>
  ) => Observable<DataQueryResponse> | undefined;

  constructor(
    settings: DataSourceInstanceSettings<LogEndpointsOptions>,
    private readonly templates: TemplateSrv = getTemplateSrv()
  ) {
    super(settings);
    bindMethods(this, LogEndpointsDataSource.prototype);
    this.options = settings.jsonData ?? {};
    this.annotations = annotations;
    this.variables = new VariableSupport(this);
    this.catalog = new EndpointCatalog({
      getResource: (path) => this.getResource(path, undefined, { showErrorAlert: false }),
      postResource: (path, body) => this.postResource(path, body, { showErrorAlert: false }),
    });
    this.saving = new SavingApi(this.uid, () => this.catalog.forget());
    if (needsDataProvider(config.buildInfo.version)) {
      // eslint-disable-next-line @typescript-eslint/no-deprecated
      this.getDataProvider = (type, request) => {
        const wanted = this.getSupplementaryRequest(type, request);
        const context = { datasourceName: this.name, targets: request.targets, query: this.query.bind(this) };
        return wanted && dataProvider(type, wanted, context);
      };
    }
    this.tagSource = {
      endpoints: () => this.catalog.endpoints(),
      detailOf: (query) => this.detailOf(query),
      ask: async (target, range) => (await this.answerOf(target, range)).data as DataFrame[],
    };
    this.parameterValues = new ParameterValues(
      async (query) => (await this.answerOf(query, lastHour())).data as DataFrame[]
    );
  }

  override getDefaultQuery(app: CoreApp): Partial<LogEndpointsQuery> {
    return defaultQuery(app, lastUse(this.uid, app === CoreApp.Explore ? 'explore' : 'panel'));
  }

  variableNames(): readonly string[] {
    return this.templates.getVariables().map(({ name }) => `$${name}`);
  }

  variableFacts(): readonly VariableFacts[] {
    return (this.templates.getVariables() as ReadonlyArray<VariableFacts & object>).map((each) => ({
      name: each.name,
      multi: each.multi,
      current: each.current,
    }));
  }

  /** Public dashboards contain no query texts; the server knows them. */
  override filterQuery(query: LogEndpointsQuery): boolean {
    if (config.publicDashboardAccessToken) return true;
    if (query.hide) return false;
    const migrated = migrateQuery(query);
    return this.whyNotRunnable(migrated, findEndpoint(this.catalog.known, this.withEndpoint(migrated))) === undefined;
  }

  withEndpoint<Q extends Pick<LogEndpointsQuery, 'endpoint'>>(query: Q, scopedVars: ScopedVars = {}): Q {
    return interpolateEndpoint(query, this.valuesOf(scopedVars));
  }

  private valuesOf(scopedVars: ScopedVars): VariableValues {
    return { replace: (text, vars, format) => this.templates.replace(text, vars, format), scopedVars };
  }

  whyNotRunnable(query: LogEndpointsQuery, endpoint: EndpointSummary | undefined): string | undefined {
    return whyNotRunnable(query, { endpoint, defaultProject: this.options.defaultProject });
  }

  override getQueryDisplayText(query: LogEndpointsQuery): string {
    return queryDisplayText(query);
  }

  override query(request: DataQueryRequest<LogEndpointsQuery>): Observable<DataQueryResponse> {
    const migrated = { ...request, targets: request.targets.map(migrateQuery) };
    if (request.liveStreaming) return this.tail(migrated);
    const finish = createFrameFinisher({
      hostVersion: config.buildInfo.version,
      derivedFields: this.options.logs?.derivedFields ?? [],
      levels: this.options.logs,
      // The only API available in all supported versions.
      // eslint-disable-next-line @typescript-eslint/no-deprecated
      nameOf: (uid) => getDataSourceSrv().getInstanceSettings(uid)?.name,
      unfiltered:
        this.adhocFilters(request.filters).length > 0
          ? migrated.targets.filter((target) => !takesFilters(target) && !target.isUnfiltered)
          : [],
    });
    return from(this.prepare(migrated.targets, request)).pipe(
      switchMap((targets) => (targets.length === 0 ? of({ data: [] }) : super.query({ ...migrated, targets }))),
      map((response) => ({ ...response, data: response.data.flatMap(finish) }))
    );
  }

  override applyTemplateVariables(
    { isUnfiltered, ...query }: LogEndpointsQuery,
    scopedVars: ScopedVars,
    filters?: AdHocVariableFilter[]
  ): LogEndpointsQuery {
    const adhoc = takesFilters(query) && !isUnfiltered ? fieldFilters(this.adhocFilters(filters)) : [];
    const filtered = adhoc.length > 0 ? { ...query, filters: [...(query.filters ?? []), ...adhoc] } : query;
    return interpolateQuery(migrateQuery(filtered), {
      ...this.valuesOf(scopedVars),
      patterns: this.patternsOf(this.withEndpoint(query, scopedVars)),
    });
  }

  /** Before the endpoints are loaded, what is remembered of them. */
  private patternsOf(query: LogEndpointsQuery): readonly string[] {
    const endpoint = findEndpoint(this.catalog.known, query);
    return endpoint ? patternParameters(endpoint) : rememberedPatterns(this.uid, endpointKey(query) ?? '');
  }

  /**
   * Grafana calls this alone for panels with expressions, and does not wait: the endpoints are loaded for the next
   * time.
   */
  override interpolateVariablesInQueries(
    queries: LogEndpointsQuery[],
    scopedVars: ScopedVars,
    filters?: AdHocVariableFilter[]
  ): LogEndpointsQuery[] {
    void this.learnEndpoints(queries);
    return queries.map((query) => ({
      ...this.applyTemplateVariables(query, scopedVars, filters),
      datasource: this.getRef(),
    }));
  }

  override getTagKeys(options?: DataSourceGetTagKeysOptions<LogEndpointsQuery>): Promise<MetricFindValue[]> {
    return tagKeys(this.tagSource, options);
  }

  override getTagValues(options: DataSourceGetTagValuesOptions<LogEndpointsQuery>): Promise<MetricFindValue[]> {
    return tagValues(this.tagSource, options);
  }

  getSupportedSupplementaryQueryTypes(): SupplementaryQueryType[] {
    return [SupplementaryQueryType.LogsVolume, SupplementaryQueryType.LogsSample];
  }

  getSupplementaryQuery(options: SupplementaryQueryOptions, query: LogEndpointsQuery): LogEndpointsQuery | undefined {
    const migrated = migrateQuery(query);
    return supplementaryQuery(options, migrated, this.knownDetail(migrated));
  }

  getSupplementaryRequest(
    type: SupplementaryQueryType,
    request: DataQueryRequest<LogEndpointsQuery>,
    options?: SupplementaryQueryOptions
  ): DataQueryRequest<LogEndpointsQuery> | undefined {
    // Grafana does not filter here, and would show the failure of a query that does not run.
    const asked = request.targets.filter((target) => this.filterQuery(target));
    const targets = asked.flatMap((target) => this.getSupplementaryQuery(options ?? { type }, target) ?? []);
    return targets.length > 0 ? { ...request, targets, hideFromInspector: true } : undefined;
  }

  async getLogRowContext(
    row: LogRowModel,
    options?: LogRowContextOptions,
    query?: LogEndpointsQuery
  ): Promise<DataQueryResponse> {
    const target = await this.getLogRowContextQuery(row, options, query);
    if (!target)
      throw new Error('The lines around this one are known for queries that read one table of the endpoint.');
    const isForward = options?.direction === LogRowContextQueryDirection.Forward;
    const range = rangeOf(
      row.timeEpochMs - (isForward ? 0 : CONTEXT_WINDOW_MS),
      row.timeEpochMs + (isForward ? CONTEXT_WINDOW_MS : 0)
    );
    // Grafana shows a failure only if this throws; it ignores an error in the response.
    return this.answerOf(target, range, options?.scopedVars);
  }

  async getLogRowContextQuery(
    row: LogRowModel,
    options?: LogRowContextOptions,
    query?: LogEndpointsQuery
  ): Promise<LogEndpointsQuery | null> {
    if (!query) return null;
    const migrated = migrateQuery(query);
    const detail = await this.detailOf(migrated);
    const name = logTable(migrated, detail);
    if (name === undefined) return null;
    const table = detail?.tables.find((each) => each.name.toLowerCase() === name.toLowerCase());
    if (table && !table.columns.some(isEventTime)) return null;
    return logContextQuery(row, migrated, table ?? { name }, options);
  }

  showContextToggle(row?: LogRowModel): boolean {
    return row !== undefined;
  }

  toggleQueryFilter(query: LogEndpointsQuery, { type, options }: ToggleFilterAction): LogEndpointsQuery {
    const migrated = migrateQuery(query);
    const filter = {
      label: options.key ?? '',
      value: options.value ?? '',
      operator: type === 'FILTER_FOR' ? '=' : '!=',
    } as const;
    const detail = this.knownDetail(migrated);
    const toggled = toggleFilter(migrated, filter, detail);
    if (toggled) return toggled;
    if (migrated.mode === 'saved' && detail === undefined) {
      void this.detailOf(migrated);
      warn('The tables of the endpoint are not known yet', 'Try again in a moment.');
    } else warn('This query takes no filters', 'Write them into its text, or ask one table in SQL or LQL.');
    return query;
  }

  queryHasFilter(query: LogEndpointsQuery, { key = '', value = '' }: QueryFilterOptions): boolean {
    return hasFilter(query, key, value, this.knownDetail(query));
  }

  /** Groups labels of a log line under a heading per record of the metadata. */
  getLabelDisplayTypeFromFrame(label: string): string {
    return labelGroup(label);
  }

  /** For versions of Grafana without `toggleQueryFilter`. */
  override modifyQuery(query: LogEndpointsQuery, { type, options = {} }: QueryFixAction): LogEndpointsQuery {
    if (type !== 'ADD_FILTER' && type !== 'ADD_FILTER_OUT') return query;
    return this.toggleQueryFilter(query, { type: type === 'ADD_FILTER' ? 'FILTER_FOR' : 'FILTER_OUT', options });
  }

  getSupportedQueryModifications(): string[] {
    return ['ADD_FILTER', 'ADD_FILTER_OUT'];
  }

  /** One stream per query; the backend polls the service and sends new events. */
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
    const answers = merge(...streams).pipe(map(withTailFailure));
    if (!namesLabelsAttributes(config.buildInfo.version)) return answers;
    return answers.pipe(tap(({ data }) => data.forEach(renameStreamedLabels)));
  }

  /**
   * Replaces supplementary queries by executable ones; other queries are returned unchanged, after their endpoints are
   * loaded.
   */
  private async prepare(
    queries: readonly LogEndpointsQuery[],
    { app }: DataQueryRequest<LogEndpointsQuery>
  ): Promise<LogEndpointsQuery[]> {
    await this.learnEndpoints(queries);
    // Loads the details in advance, because Grafana requests filters of log lines synchronously.
    if (app === EXPLORE) queries.forEach((query) => void this.detailOf(query));
    const resolved = await Promise.all(
      queries.map(async (query) =>
        query.supplement === undefined
          ? query
          : resolveSupplement(query, {
              detail: await this.detailOf(query),
              levels: this.options.logs,
              columnsOf: (asked) => this.columnsOf(asked),
            })
      )
    );
    return resolved.filter((query): query is LogEndpointsQuery => query !== undefined);
  }

  /** @throws Error with the message of the first failure */
  private async answerOf(
    target: LogEndpointsQuery,
    range: TimeRange,
    scopedVars?: ScopedVars
  ): Promise<DataQueryResponse> {
    const answer = await firstValueFrom(this.query(ownRequest(target, range, scopedVars)));
    const [failure] = answer.errors ?? errorOfOldHosts(answer);
    if (failure) throw new Error(failure.message);
    return answer;
  }

  /** Undefined when the service refuses the text, or does not tell. */
  private async columnsOf(query: LogEndpointsQuery): Promise<ValidateResult['fields'] | undefined> {
    const { sql = '', params } = this.applyTemplateVariables(query, {});
    const endpoint = endpointKey(this.withEndpoint(query));
    if (endpoint === undefined) return undefined;
    const answer = await this.catalog.validate({ endpoint, mode: 'sql', text: sql, params }).catch(() => undefined);
    return answer?.valid === true ? answer.result.fields : undefined;
  }

  /** Undefined if the service does not return it. */
  private async detailOf(query: LogEndpointsQuery): Promise<EndpointResource | undefined> {
    const key = endpointKey(this.withEndpoint(query));
    return key === undefined ? undefined : this.catalog.endpoint(key).catch(() => undefined);
  }

  private knownDetail(query: LogEndpointsQuery): EndpointResource | undefined {
    return this.catalog.knownDetail(endpointKey(this.withEndpoint(query)) ?? '');
  }

  /**
   * Grafana before 10.3 does not pass the filters; its template service returns them by the name of the data source.
   */
  private adhocFilters(given: readonly AdHocVariableFilter[] | undefined): readonly AdHocVariableFilter[] {
    const templates = this.templates as TemplateSrv & { getAdhocFilters?(name: string): AdHocVariableFilter[] };
    return given ?? templates.getAdhocFilters?.(this.name) ?? [];
  }

  /**
   * Loads the endpoints, which determine how variables in parameters are quoted. A token may be allowed to call
   * endpoints but not to list them; variables are then inserted as they are.
   */
  private async learnEndpoints(queries: readonly LogEndpointsQuery[]): Promise<void> {
    if (config.publicDashboardAccessToken || !queries.some(mayHoldVariables)) return;
    await this.catalog.endpoints().then(
      (endpoints) => rememberPatterns(this.uid, endpoints),
      () => undefined
    );
  }
}

/** Older versions report one error only. */
function errorOfOldHosts(answer: DataQueryResponse): DataQueryError[] {
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  return answer.error ? [answer.error] : [];
}
