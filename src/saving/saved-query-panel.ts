/** The query of a panel after its text was saved: the saved query, with the values that the panel has. */
import type { ComposedParameter } from '#contract/plugin/saving';
import type { SavedQuery } from '#contract/queries/saved-query';
import type { LogEndpointsQuery } from '../types';

export function savedQueryOf(
  { id, name }: Pick<SavedQuery, 'id' | 'name'>,
  parameters: readonly ComposedParameter[],
  { params = {} }: LogEndpointsQuery
): Partial<LogEndpointsQuery> {
  const values = parameters.map(
    ({ name: parameter, panelValue }) => [parameter, panelValue ?? params[parameter] ?? ''] as const
  );
  return {
    endpoint: { id, name },
    mode: 'saved',
    params: Object.fromEntries(values.filter(([, value]) => value !== '')),
    sql: undefined,
    lql: undefined,
    filters: undefined,
    editorMode: undefined,
  };
}
