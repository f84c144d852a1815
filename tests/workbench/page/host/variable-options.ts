/** How Grafana asks for the options of a query variable. */
import type { CustomVariableSupport, DataSourceApi } from '@grafana/data';
import { metricFindValues, type Option } from './metric-find-values';
import { requestOf, runRequest } from './run-request';

/** Neither an interval nor a number of points is known where no panel asks. */
export async function optionsOf(
  datasource: DataSourceApi,
  query: object | '',
  scopedVars: object = {}
): Promise<readonly Option[]> {
  const { query: ask } = datasource.variables as CustomVariableSupport<never>;
  const request = requestOf(query as never, {
    app: 'dashboard',
    requestId: crypto.randomUUID(),
    interval: '',
    intervalMs: 0,
    maxDataPoints: undefined,
    timezone: '',
    scopedVars,
  });
  const { series, errors } = await runRequest(datasource, request, ask as never);
  if (errors.length > 0) throw new Error(errors[0]!.message);
  return metricFindValues(series);
}
