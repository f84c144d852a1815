import { CustomVariableSupport, type DataQueryRequest, type DataQueryResponse, type ScopedVars } from '@grafana/data';
import { from, map, switchMap, type Observable } from 'rxjs';
import { bindMethods } from '../../datasource/bind-methods';
import { findEndpoint } from '../../api/find-endpoint';
import { VariableEditor } from '../../components/VariableEditor';
import type { EditorDataSource } from '../../components/editor-data-source';
import { SCHEMA_VERSION } from '../../query/defaults';
import { migrateQuery } from '../../query/migrate';
import type { VariableQuery } from '../../types';
import { optionsFrame, variableFrame } from './variable-options';

const VARIABLE_REF_ID = 'variable';

/**
 * Options of dashboard variables: the values that a query returns, the endpoints, or the values of an endpoint's
 * parameter.
 */
export class VariableSupport extends CustomVariableSupport<EditorDataSource, VariableQuery> {
  override editor = VariableEditor;

  constructor(private readonly datasource: EditorDataSource) {
    super();
    bindMethods(this, VariableSupport.prototype);
  }

  /** For Grafana a new variable has no query; its editor starts with this one. */
  override getDefaultQuery(): Partial<VariableQuery> {
    return { refId: VARIABLE_REF_ID, schemaVersion: SCHEMA_VERSION };
  }

  override query(request: DataQueryRequest<VariableQuery>): Observable<DataQueryResponse> {
    const [stored] = request.targets;
    const target = migrateQuery(stored || { refId: VARIABLE_REF_ID }) as VariableQuery;
    const search = String(searchedFor(request.scopedVars));
    const { list = 'query' } = target.variable ?? {};
    const targets = [
      { ...target, refId: target.refId || VARIABLE_REF_ID, format: 'table', isUnfiltered: true } as const,
    ];
    if (list === 'query')
      return from(this.endpointsLoaded()).pipe(
        switchMap(() => this.datasource.query({ ...request, targets })),
        map((answer) => ({ ...answer, data: [variableFrame(answer.data, target.variable, search)] }))
      );
    return from(this.namedValues(target, list)).pipe(
      map((values) => ({
        data: [
          optionsFrame(
            values.map((value) => ({ value, text: value })),
            search
          ),
        ],
      }))
    );
  }

  /** Panels with expressions do not wait for the endpoints (`interpolateVariablesInQueries`), but for variables. */
  private async endpointsLoaded(): Promise<void> {
    await this.datasource.catalog.endpoints().catch(() => undefined);
  }

  /** The names of the endpoints, or the values of a parameter. */
  private async namedValues({ endpoint, variable }: VariableQuery, list: string): Promise<readonly string[]> {
    const endpoints = await this.datasource.catalog.endpoints();
    if (list === 'endpoints') return endpoints.map(({ name }) => name);
    const parameter = findEndpoint(endpoints, this.datasource.withEndpoint({ endpoint }))?.parameters.find(
      ({ name }) => name === variable?.parameter
    );
    return parameter ? this.datasource.parameterValues.of(parameter) : [];
  }
}

/** Text typed by the user; Grafana 10.1 uses another name for it. */
function searchedFor({ __searchFilter, searchFilter }: ScopedVars = {}): unknown {
  return (__searchFilter ?? searchFilter)?.value ?? '';
}
