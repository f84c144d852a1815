/** Facts about a call, which the handler notes and which are counted when the response has ended. */
import type { CacheOutcome } from '../../cache/query-cache';

/** Never the text, the parameters or the rows. */
export interface NotedCall {
  readonly endpointId: string;
  readonly isAdhoc: boolean;
  /** Name of the token. */
  readonly tokenName: string;
  /** Null until there is a result. */
  outcome: CacheOutcome | null;
  rows: number | null;
}

export interface EndedCall extends NotedCall {
  readonly durationMs: number;
  /** Status of the response; null: the client left before one. */
  readonly status: number | null;
  readonly requestId: string;
  readonly tokenId: string;
}
