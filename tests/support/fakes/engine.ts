/** An engine without a process: it records its requests and returns the prepared responses. */
import { ServiceError } from '#contract/errors';
import type { QueryRequest } from '#contract/queries/query';
import type { QueryResult } from '#contract/queries/result';
import type { EngineCallOptions, EngineClient, ClientCallKind } from '#server/engine/client/engine-client';
import type { EngineCalls } from '#server/engine/protocol/messages';

type Answers = {
  [K in ClientCallKind]: (
    request: EngineCalls[K]['request'],
    options: EngineCallOptions
  ) => EngineCalls[K]['response'] | Promise<EngineCalls[K]['response']>;
};

export interface StandInEngine extends EngineClient {
  /** Replace one to change an answer. */
  readonly answers: Answers;
  readonly asked: { readonly kind: ClientCallKind; readonly request: unknown; readonly options: EngineCallOptions }[];
  isReady: boolean;
  isRestarting: boolean;
}

export function createStandInEngine(): StandInEngine {
  const asked: StandInEngine['asked'] = [];
  const answers: Answers = {
    define: () => ({ failures: [] }),
    amend: () => ({}),
    run: (request) => jsonResult(request, [{ n: 1 }]),
    validate: () => ({ canonical: 'SELECT 1', fields: [{ name: 'n', type: 'INT64' }], parameters: [], tables: [] }),
    describe: () => ({
      fields: [{ name: 'n', type: 'INT64' }],
      tables: [{ name: 'edge_logs', columns: [{ name: 'id', type: 'STRING' }] }],
    }),
    ingest: (_request, { body }) => ({ accepted: body?.length ? 1 : 0, duplicates: 0, rejected: 0, errors: [] }),
    retention: () => ({ dropped: 0 }),
    sources: () => ({ sources: [] }),
    addSource: () => ({}),
    prepareSource: () => ({}),
    dropEvents: () => ({ days: 0 }),
    readers: () => ({ endpointIds: [] }),
    stats: () => null,
    misfits: () => ({}),
    fieldUse: () => ({}),
    listStored: () => ({ days: [], fields: {}, undeclared: [] }),
    exportRows: () => ({ file: '00000000-0000-4000-8000-000000000000.parquet', rows: 0 }),
    seal: () => ({ sealed: null, state: { sources: [], running: null, failures: 0 } }),
    sealing: () => ({ sources: [], running: null, failures: 0 }),
    status: () => ({ empty: false, ok: true, running: 0, rssBytes: 0 }),
  };
  const engine: StandInEngine = {
    answers,
    asked,
    isReady: true,
    isRestarting: false,
    start: async () => ({ empty: false, ok: true, running: 0, rssBytes: 0 }),
    call: async (kind, request, options = {}) => {
      asked.push({ kind, request, options });
      const answer = answers[kind] as (request: unknown, options: EngineCallOptions) => unknown;
      return (await raceAbort(answer(request, options), options.signal)) as never;
    },
    reopen: async () => ({ failures: [] }),
    addSource: async (source) => void (await engine.call('addSource', { source })),
    dropEvents: async (source) => void (await engine.call('dropEvents', { source })),
    health: () => ({
      ready: engine.isReady,
      isRestarting: engine.isRestarting,
      restarts: 0,
      kills: { deadline: 0, memory: 0 },
      inFlight: 0,
      waiting: 0,
      rssBytes: 0,
    }),
    onRestart: () => () => undefined,
    close: async () => undefined,
  };
  return engine;
}

/** A result as the engine encodes it. */
export function jsonResult(
  request: QueryRequest,
  rows: readonly object[],
  facts: Partial<QueryResult> = {}
): QueryResult {
  const meta = { columns: [], rows: rows.length, truncated: false, redacted: false, revision: request.revision };
  return {
    format: request.format,
    bytes: Buffer.from(JSON.stringify({ result: rows, ...(request.meta ? { meta } : {}) })),
    fields: [{ name: 'n', type: 'INT64' }],
    rows: rows.length,
    truncated: false,
    redacted: false,
    revision: request.revision,
    timings: { queueMs: 0.5, planMs: 1.25, dbMs: 2, redactMs: 0, encodeMs: 0.1 },
    ...facts,
  };
}

export function failure(code: ConstructorParameters<typeof ServiceError>[0], details = {}): () => never {
  return () => {
    throw new ServiceError(code, 'the engine refuses', details);
  };
}

async function raceAbort(answer: unknown, signal: AbortSignal | undefined): Promise<unknown> {
  if (!signal) return answer;
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  return Promise.race([answer, aborted]);
}
