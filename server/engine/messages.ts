/**
 * What the server and its engine process say to each other. Each message is one JSON header and one optional binary body, framed by
 * `frames.ts` over a dedicated pipe (Node's own IPC channel needs 10 ms for 1 MB each way; the pipe about 1 ms).
 */
import type { ErrorBody } from '#contract/errors';
import type { AdhocText, QueryRequest } from '#contract/query';
import type { IngestRequest } from '#contract/ingest';
import type { IngestResult, QueryResult } from '#contract/result';
import type { SavedQuery } from '#contract/saved-query';
import type { Source } from '#contract/source';
import type { DescribeResult, ValidateResult } from '#contract/description';
import type { StoreStats } from '../stores/store';

export interface ClickHouseSettings {
  readonly url: string;
  readonly database: string;
  readonly writer: { readonly name: string; readonly password: string };
  /** Runs the queries of callers. */
  readonly reader: { readonly name: string; readonly password: string };
  /** Null: a single server. */
  readonly cluster: string | null;
  /** Of one query. */
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
  readonly threads: number;
  /** Running queries at once; more wait in order. */
  readonly maxConcurrentQueries: number;
  /** Of these, how many may be ad-hoc text. */
  readonly maxConcurrentAdhoc: number;
}

/** One parameter of `validate`: a saved definition to check, or ad-hoc text in the sandbox of a defined query. */
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
      /** As in `QueryRequest`; absent ones are taken as NULL, so that text can be checked before parameters are known. */
      readonly parameters: Readonly<Record<string, string | null>>;
      /** As in `QueryRequest`. */
      readonly tenant: string | null;
      /** The caller is bound to redaction: names of fields that are to be hidden do not exist. */
      readonly redact: boolean;
    };

export interface EngineStatus {
  readonly empty: boolean;
  readonly ok: boolean;
  readonly reason?: string;
  readonly running: number;
  readonly rssBytes: number;
}

/** Request kinds and what the answer holds. Bytes travel as the body: the batch of `ingest`, `QueryResult.bytes` of `run`. */
export interface EngineCalls {
  open: { request: EngineOptions; response: EngineStatus };
  define: {
    request: {
      readonly definitions: readonly SavedQuery[];
      /** Those in force until now: calls that were bound for them may still be on their way. */
      readonly former: readonly SavedQuery[];
    };
    response: { readonly failures: readonly DefinitionFailure[] };
  };
  run: { request: QueryRequest; response: QueryResult };
  validate: { request: ValidateRequest; response: ValidateResult };
  describe: {
    request: { readonly endpointId: string; readonly tenant: string | null; readonly redact: boolean };
    response: DescribeResult;
  };
  ingest: { request: IngestRequest; response: IngestResult };
  retention: { request: { readonly nowMicros: number }; response: { readonly dropped: number } };
  status: { request: Record<never, never>; response: EngineStatus };
  figures: { request: Record<never, never>; response: StoreStats | null };
  close: { request: Record<never, never>; response: Record<never, never> };
}

export type EngineCallKind = keyof EngineCalls;

/** What an answer's header holds: the response without the bytes that travel as the body. */
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

/** Header of a call. Its fields are checked by the server before: the pipe has no other writer. */
export interface EngineCallHeader {
  readonly id: number;
  readonly kind: EngineCallKind;
  readonly request: unknown;
  /** The engine interrupts the call itself after this time; null: never. */
  readonly timeoutMs: number | null;
}

/** Sent by the server at any time: interrupt a running call. The call is answered with `query_timeout`. */
export interface EngineCancel {
  readonly id: number;
  readonly kind: 'cancel';
}

/** `plan` and `encode` hold the engine's only JavaScript thread; in `db` the store works beside it. */
export type RunStage = 'plan' | 'db' | 'encode';

/** Sent by the engine at any time, so that the server can tell who is to blame when the process has to be ended. */
export type EngineNotice =
  | { readonly notice: 'stage'; readonly id: number; readonly stage: RunStage }
  /** An interrupt has arrived: the process still turns. */
  | { readonly notice: 'cancelling'; readonly id: number }
  /** Only where the server cannot read the process's memory itself. */
  | { readonly notice: 'rss'; readonly bytes: number }
  /** A failure that nobody expected; it is answered as `internal` and logged whole by the server. */
  | { readonly notice: 'unexpected'; readonly id: number; readonly call: string; readonly stack: string }
  /** Trouble of the store that no call can answer for. */
  | { readonly notice: 'problem'; readonly message: string; readonly stack: string };
