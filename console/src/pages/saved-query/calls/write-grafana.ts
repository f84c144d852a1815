/** The call as a Grafana data source and a panel of it, in the form of provisioning files. */
import type { PluginQueryInput } from '#contract/plugin/query';
import { PLUGIN_ID } from '#contract/plugin/plugin';
import type { ResultField } from '#contract/queries/result';
import type { RunRequest } from '../../../api/run-query';

/** As `provisioning/datasources` names it. */
const DATA_SOURCE_UID = 'log-query-endpoints';

export function grafanaDataSource(): string {
  return [
    'apiVersion: 1',
    'datasources:',
    '  - name: Log Query Endpoints',
    `    uid: ${DATA_SOURCE_UID}`,
    `    type: ${PLUGIN_ID}`,
    '    access: proxy',
    `    url: ${window.location.origin}`,
    '    jsonData:',
    '      timeout: 30',
    '    secureJsonData:',
    '      apiKey: $LQE_TOKEN',
  ].join('\n');
}

/**
 * A panel, as an entry of `panels` of a dashboard.
 * @param fields of the saved query's rows; null: unknown, as those of an ad-hoc text are
 */
export function grafanaPanel(request: RunRequest, id: string | null, fields: readonly ResultField[] | null): string {
  const { query, parameters, adhoc } = request;
  const datasource = { type: PLUGIN_ID, uid: DATA_SOURCE_UID };
  const target: PluginQueryInput = {
    schemaVersion: 1,
    endpoint: { ...(id !== null && { id }), name: query },
    mode: adhoc?.language ?? 'saved',
    format: 'auto',
    ...(adhoc && { [adhoc.language]: adhoc.text }),
    params: { ...parameters },
  };
  const panel = {
    title: query,
    type: adhoc === null && fields !== null ? panelType(fields) : 'table',
    datasource,
    gridPos: { x: 0, y: 0, w: 24, h: 9 },
    targets: [{ refId: 'A', datasource, ...target }],
    options: {},
    fieldConfig: { defaults: {}, overrides: [] },
  };
  return JSON.stringify(panel, null, 2);
}

const TIMES = ['TIMESTAMP', 'DATETIME', 'DATE'];
const NUMBERS = ['INT64', 'FLOAT64'];

function panelType(fields: readonly ResultField[]): 'logs' | 'timeseries' | 'table' {
  if (!fields.some(({ type }) => TIMES.includes(type))) return 'table';
  if (fields.some(({ name }) => name === 'event_message')) return 'logs';
  return fields.some(({ type }) => NUMBERS.includes(type)) ? 'timeseries' : 'table';
}
