/** What one call of a saved query asks for, after the HTTP edge has checked it. */
import type { Position } from './errors';

export const RESULT_FORMATS = ['json', 'ndjson', 'csv', 'arrow'] as const;
export type ResultFormat = (typeof RESULT_FORMATS)[number];

/** `native`: TIMESTAMP as integer microseconds, DATETIME as ISO text without zone. `rfc3339`: both as RFC 3339 UTC with `Z`. */
export type TimestampStyle = 'native' | 'rfc3339';

export interface AdhocText {
  readonly language: 'sql' | 'lql';
  readonly text: string;
}

/** Something in an ad-hoc text that is allowed but surely not meant. It does not stop the query. */
export interface QueryWarning {
  readonly code: 'empty_range' | 'select_ignored' | 'select_redundant';
  readonly message: string;
  readonly position: Position;
  /** In UTF-16 code units. */
  readonly offset: number;
  readonly length: number;
}

export interface QueryRequest {
  readonly endpointId: string;
  readonly revision: number;
  /** Digest of the definition that the parameters were bound for: it runs, although another may have taken its place meanwhile. */
  readonly definition: string;
  /** Declared parameters only, in declared order; an absent or empty optional one is null. Values are text. */
  readonly parameters: Readonly<Record<string, string | null>>;
  readonly adhoc: AdhocText | null;
  /** Only events of this tenant exist for the run; null: events of all. */
  readonly tenant: string | null;
  readonly format: ResultFormat;
  readonly timestamps: TimestampStyle;
  /** Whether the JSON body carries `meta`. */
  readonly meta: boolean;
  readonly redact: boolean;
  /** The smaller of the saved query's and the token's cap. */
  readonly maxRows: number;
  readonly maxBytes: number;
  readonly timeoutMs: number;
  /** The one "now" of the run, microseconds since 1970. */
  readonly nowMicros: number;
}
