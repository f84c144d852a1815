/**
 * Messages between the server and its engine process. Each message is one JSON header and one optional binary body,
 * framed by `frames.ts` over a dedicated pipe (Node's own IPC channel needs 10 ms for 1 MB each way; the pipe about 1
 * ms).
 */
import type { ExportedRows, RowRange, SealReport, SealState, StoredList } from '#contract/control';
import type { ErrorBody } from '#contract/errors';
import type { AdhocText, QueryRequest } from '#contract/queries/query';
import type { IngestRequest } from '#contract/events/ingest';
import type { IngestResult, QueryResult } from '#contract/queries/result';
import type { SavedQuery } from '#contract/queries/saved-query';
import type { Source } from '#contract/events/source';
import type {
  DescribedEndpoint,
  FieldUse,
  SourceMisfits,
  StoredSource,
  ValidateResult,
} from '#contract/queries/description';
import type { RefusedFields, StoreHealth, StoreStats } from '../../stores/store';

export interface ClickHouseSettings {
  readonly url: string;
  readonly database: string;
  readonly writer: { readonly name: string; readonly password: string };
  /** Account that runs the queries of callers. */
  readonly reader: { readonly name: string; readonly password: string };
  /** Null: a single server. */
  readonly cluster: string | null;
  /** Memory limit of one query. */
  readonly memoryLimitMb: number;
  readonly maxSeconds: number;
  readonly maxWaitingBytes: number;
}

export interface EngineOptions {
  readonly dataDir: string;
  /** Null: the store is a file in the data folder. */
  readonly clickhouse: ClickHouseSettings | null;
  readonly sources: readonly Source[];
  readonly memoryLimitMb: number;
  /** Resident memory at which the process is ended: memory of the store and of the process's own rows and code. */
  readonly rssBudgetMb: number;
  readonly threads: number;
  /** Memory for kept counts of whole days; 0: none are kept. */
  readonly keptCountsMaxBytes: number;
  /** Memory for search filters that were read; 0: no filters. */
  readonly searchFiltersMaxBytes: number;
  /** Minutes without new events after which a past day is sealed; null: never. */
  readonly sealAfterMinutes: number | null;
  /** Maximum concurrent runs; more wait in order. */
  readonly maxConcurrentQueries: number;
  /** How many of these may be ad-hoc text. */
  readonly maxConcurrentAdhoc: number;
}

/** Request of `validate`: a saved definition to check, or ad-hoc text in the sandbox of a defined query. */
export type ValidateRequest =
  | {
      readonly kind: 'definition';
      readonly definition: SavedQuery;
      /** As in `QueryRequest`. */
      readonly tenant: string | null;
      readonly redact: boolean;
    }
  | {
      readonly kind: 'adhoc';
      readonly endpointId: string;
      readonly adhoc: AdhocText;
      /** As in `QueryRequest`; absent parameters are NULL, so that text can be checked before they are known. */
      readonly parameters: Readonly<Record<string, string | null>>;
      /** As in `QueryRequest`. */
      readonly tenant: string | null;
      /** The caller requires redaction: names of hidden fields do not exist for it. */
      readonly redact: boolean;
    };

export interface EngineStatus extends StoreHealth {
  readonly empty: boolean;
  readonly running: number;
  readonly rssBytes: number;
}

export interface RunRequest extends QueryRequest {
  /** Runs this definition, which is not defined. @default the one that `definition` is the digest of */
  readonly inline?: SavedQuery;
}

export interface DefineRequest {
  /** Compiled at once; those that do not compile are reported. */
  readonly definitions: readonly SavedQuery[];
  /** Compiled when they were stored, and again at their first use. */
  readonly stored: readonly SavedQuery[];
  /** Ids of further stored definitions, which were sent by `amend` before. */
  readonly sent?: readonly string[];
  /** Former definitions: calls that were bound for them may still be in flight. */
  readonly former: readonly SavedQuery[];
}

/** Change of some definitions of `DefineRequest.stored`. */
export interface AmendRequest {
  readonly changed: readonly SavedQuery[];
  /** Ids of definitions that no longer exist. */
  readonly removed: readonly string[];
}

export interface DescribeRequest {
  readonly endpointId: string;
  readonly tenant: string | null;
  readonly redact: boolean;
  /** Fields with values that they cannot hold, which are counted over all tenants. */
  readonly misfits: boolean;
}

/** Fields with values that they cannot hold, by source. */
export type Misfits = Readonly<Record<string, SourceMisfits>>;

/** Requests and responses by kind. Bytes travel as the body: the batch of `ingest`, `QueryResult.bytes` of `run`. */
export interface EngineCalls {
  open: { request: EngineOptions; response: EngineStatus };
  define: { request: DefineRequest; response: { readonly failures: readonly DefinitionFailure[] } };
  amend: { request: AmendRequest; response: Record<never, never> };
  run: { request: RunRequest; response: QueryResult };
  validate: { request: ValidateRequest; response: ValidateResult };
  describe: {
    request: DescribeRequest;
    response: DescribedEndpoint;
  };
  ingest: { request: IngestRequest; response: IngestResult };
  retention: { request: { readonly nowMicros: number }; response: { readonly dropped: number } };
  status: { request: Record<never, never>; response: EngineStatus };
  sources: { request: Record<never, never>; response: { readonly sources: readonly StoredSource[] } };
  stats: { request: Record<never, never>; response: StoreStats | null };
  /** May come again for a source that the store has. */
  addSource: { request: { readonly source: Source }; response: Record<never, never> };
  /** `isStored` is false while the declaration may still be refused. */
  prepareSource: {
    request: { readonly source: Source; readonly isStored: boolean };
    response: Record<never, never>;
  };
  /** The store must not have the source. */
  dropEvents: { request: { readonly source: Source }; response: { readonly days: number } };
  readers: {
    request: { readonly source: string };
    /** Ids of the definitions that read the source. */
    response: { readonly endpointIds: readonly string[] };
  };
  misfits: { request: Record<never, never>; response: Misfits };
  fieldUse: { request: Record<never, never>; response: Readonly<Record<string, FieldUse>> };
  listStored: { request: Record<never, never>; response: StoredList };
  seal: { request: Record<never, never>; response: SealReport };
  sealing: { request: Record<never, never>; response: SealState | null };
  exportRows: { request: RowRange; response: ExportedRows };
  close: { request: Record<never, never>; response: Record<never, never> };
}

export type EngineCallKind = keyof EngineCalls;

/** Response in the header of a reply: without the bytes that travel as the body. */
export type AnswerValue<K extends EngineCallKind> = K extends 'run'
  ? Omit<QueryResult, 'bytes'>
  : EngineCalls[K]['response'];

/** A definition that does not compile. The position is in its `query` text. */
export interface DefinitionFailure {
  readonly endpointId: string;
  readonly error: ErrorBody;
}

export type EngineAnswer =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly error: ErrorBody };

/** Header of a call. The server has checked its fields: the pipe has no other writer. */
export type EngineCallHeader<K extends EngineCallKind = EngineCallKind> = {
  [P in K]: {
    readonly id: number;
    readonly kind: P;
    readonly request: EngineCalls[P]['request'];
    /** Time after which the engine itself interrupts the call; null: never. */
    readonly timeoutMs: number | null;
    /** No other call is unanswered, so the server takes this run to hold the thread, without a notice. */
    readonly isAlone?: true;
  };
}[K];

/** Sent by the server at any time to interrupt a running call, which is then answered with `query_timeout`. */
export interface EngineCancel {
  readonly id: number;
  readonly kind: 'cancel';
}

/**
 * Stage of a run. `plan` and `encode` hold the engine's only JavaScript thread; during `db` the store works on its own
 * threads.
 */
export type RunStage = 'plan' | 'db' | 'encode';

/**
 * Stages that runs have entered, in their order. `queue`: against what the server takes for granted, it has not begun.
 */
export interface StageNotice {
  readonly notice: 'stages';
  readonly changes: readonly { readonly id: number; readonly stage: RunStage | 'queue' }[];
}

/** Sent by the engine at any time, so that the server can find the culprit when the process has to be ended. */
export type EngineNotice =
  | StageNotice
  /** An interrupt has arrived: the thread is not blocked. */
  | { readonly notice: 'cancelling'; readonly id: number }
  /** Sent only where the server cannot read the memory of the process itself. */
  | { readonly notice: 'rss'; readonly bytes: number }
  /** An unexpected failure: the call is answered with `internal`, and the server logs the stack. */
  | { readonly notice: 'unexpected'; readonly id: number; readonly call: string; readonly stack: string }
  /** A failure of the store: the call is answered with `backend_error`, and the server logs the cause. */
  | { readonly notice: 'store_failure'; readonly id: number; readonly call: string; readonly cause: string }
  /** A batch has values that got no name in queries. */
  | { readonly notice: 'refused_fields'; readonly refused: RefusedFields }
  /** A problem of the store that belongs to no call. */
  | { readonly notice: 'problem'; readonly message: string; readonly stack: string };
