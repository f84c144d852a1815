/** Runs of saved queries on a store, as the engine makes them, but in the process of the test. */
import type { QueryRequest } from '#contract/queries/query';
import type { QueryResult } from '#contract/queries/result';
import type { SavedQuery } from '#contract/queries/saved-query';
import { compile } from '#compiler/compile';
import { runQuery, type RunQueryContext } from '#server/engine/query/run-query';
import type { LogStore } from '#server/stores/store';

/** What a test asks for. Parameters that it does not name are null. */
export type Asked = Partial<QueryRequest> & Pick<QueryRequest, 'nowMicros'>;

/** Request without ad-hoc text, for the events of all tenants, with limits that no test reaches by accident. */
export function savedQueryRequest(definition: SavedQuery, asked: Asked): QueryRequest {
  return {
    endpointId: definition.id,
    revision: 1,
    definition: '',
    adhoc: null,
    tenant: null,
    format: 'json',
    timestamps: 'native',
    meta: false,
    redact: false,
    maxRows: 1000,
    maxBytes: 8_388_608,
    timeoutMs: 10_000,
    ...asked,
    parameters: Object.fromEntries(definition.parameters.map(({ name }) => [name, asked.parameters?.[name] || null])),
  };
}

export function runSavedQuery(
  store: LogStore,
  definition: SavedQuery,
  asked: Asked,
  compiler: RunQueryContext['compile'] = compile
): Promise<QueryResult> {
  const context = { compile: compiler, store, definition, queueMs: 0, onStage: () => undefined };
  return runQuery(context, savedQueryRequest(definition, asked), new AbortController().signal);
}
