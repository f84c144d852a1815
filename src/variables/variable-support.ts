import { CustomVariableSupport, type DataQueryRequest, type DataQueryResponse } from '@grafana/data';
import { from, map, type Observable } from 'rxjs';
import { VariableEditor } from '../components/VariableEditor';
import type { LogEndpointsDataSource } from '../datasource';
import { migrateQuery } from '../query/migrate';
import type { VariableQuery } from '../types';
import { optionsFrame, variableFrame } from './variable-options';

/** Options of dashboard variables: the values a query brings, the endpoints, or the values an endpoint's parameter may have. */
export class VariableSupport extends CustomVariableSupport<LogEndpointsDataSource, VariableQuery> {
  override editor = VariableEditor;

  constructor(private readonly datasource: LogEndpointsDataSource) {
    super();
  }

  override query(request: DataQueryRequest<VariableQuery>): Observable<DataQueryResponse> {
    const [stored] = request.targets;
    const target = migrateQuery(stored ?? { refId: 'variable' }) as VariableQuery;
    const search = String(request.scopedVars?.__searchFilter?.value ?? '');
    const { list = 'query', parameter } = target.variable ?? {};
    if (list === 'query')
      return this.datasource
        .query({ ...request, targets: [{ ...target, refId: target.refId || 'variable', format: 'table' }] })
        .pipe(map((answer) => ({ ...answer, data: [variableFrame(answer.data, target.variable, search)] })));
    return from(this.datasource.catalog.endpoints()).pipe(
      map((endpoints) => {
        const values =
          list === 'endpoints'
            ? endpoints.map(({ name }) => name)
            : (endpoints
                .find(({ id, name }) => id === target.endpoint?.id || name === target.endpoint?.name)
                ?.parameters.find(({ name }) => name === parameter)?.enum ?? []);
        return {
          data: [
            optionsFrame(
              values.map((value) => ({ value, text: value })),
              search
            ),
          ],
        };
      })
    );
  }
}
