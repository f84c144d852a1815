import type {
  AdHocVariableFilter,
  DataQueryRequest,
  DataQueryResponse,
  DataSourceApi,
  ScopedVars,
} from '@grafana/data';
import type { Observable } from 'rxjs';
import type { EndpointSummary } from '#contract/plugin/resources';
import type { EndpointCatalog } from '../api/endpoint-catalog';
import type { ParameterValues } from '../api/parameter-values';
import type { SavingApi } from '../api/saving-api';
import type { VariableFacts } from '../saving/text-variables';
import type { LogEndpointsOptions, LogEndpointsQuery } from '../types';

/** What the editors of queries and variables use of the data source. */
export interface EditorDataSource extends DataSourceApi<LogEndpointsQuery, LogEndpointsOptions> {
  readonly catalog: EndpointCatalog;
  readonly options: LogEndpointsOptions;
  readonly parameterValues: ParameterValues;
  readonly saving: SavingApi;
  query(request: DataQueryRequest<LogEndpointsQuery>): Observable<DataQueryResponse>;
  /** Dashboard variables as `$name`, offered as values. */
  variableNames(): readonly string[];
  /** Dashboard variables with what decides whether their value is one text. */
  variableFacts(): readonly VariableFacts[];
  /** The query with the endpoint that its variable names now. */
  withEndpoint<Q extends Pick<LogEndpointsQuery, 'endpoint'>>(query: Q): Q;
  /** Reason why the query cannot run, for the editor; undefined if it can. */
  whyNotRunnable(query: LogEndpointsQuery, endpoint: EndpointSummary | undefined): string | undefined;
  /** @param filters of the dashboard; undefined: those that are active */
  applyTemplateVariables(
    query: LogEndpointsQuery,
    scopedVars: ScopedVars,
    filters?: AdHocVariableFilter[]
  ): LogEndpointsQuery;
}
