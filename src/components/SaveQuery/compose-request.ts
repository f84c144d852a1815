import type { EndpointSummary } from '#contract/plugin/resources';
import type { ComposeRequest } from '#contract/plugin/saving';
import type { EditorDataSource } from '../editor-data-source';
import { markedVariables, variableParameters } from '../../saving/text-variables';
import type { LogEndpointsQuery } from '../../types';
import type { Form } from './use-form';

const DEFAULT_INTERVAL_MS = 60_000;

interface PanelText {
  readonly datasource: EditorDataSource;
  readonly query: LogEndpointsQuery;
  readonly endpoint: EndpointSummary;
  readonly intervalMs: number | undefined;
}

/** Request for the definition of the panel's text; undefined: the form has a value that cannot be sent. */
export function composeRequest(
  { datasource, query, endpoint, intervalMs }: PanelText,
  { name, badName, description, rows, seconds, variables, existing }: Form
): ComposeRequest | undefined {
  if (rows === undefined || seconds === undefined) return undefined;
  const names = variables.filter(({ isParameter }) => isParameter).map((each) => each.name);
  // Filters of the panel only: those of the dashboard are chosen for the moment, and would stay in the saved query.
  const filled = datasource.applyTemplateVariables(query, markedVariables(names), []);
  return {
    endpoint: endpoint.id,
    mode: query.mode === 'lql' ? 'lql' : 'sql',
    text: (query.mode === 'lql' ? filled.lql : filled.sql) ?? '',
    filters: filled.filters ?? [],
    variables: variableParameters(names, query),
    intervalMs: intervalMs ?? DEFAULT_INTERVAL_MS,
    redactPii: query.redactPii === true || datasource.options.redactPii === true,
    // The text can be checked before it has a name.
    name: badName === undefined ? name : 'unnamed',
    description,
    maxRows: rows,
    cacheSeconds: seconds,
    ...(existing ? { replaces: existing.id } : {}),
  };
}
