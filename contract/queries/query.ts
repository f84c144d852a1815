/** A validated call of a saved query, as the HTTP layer passes it on. */
import type { Position } from '../errors';

export const RESULT_FORMATS = ['json', 'ndjson', 'csv', 'arrow'] as const;
export type ResultFormat = (typeof RESULT_FORMATS)[number];

/**
 * Format of times. `native`: TIMESTAMP as integer microseconds, DATETIME as ISO text without zone. `rfc3339`: both as
 * RFC 3339 UTC with `Z`.
 */
export type TimestampStyle = 'native' | 'rfc3339';

export interface AdhocText {
  readonly language: 'sql' | 'lql';
  readonly text: string;
}

/** Something in an ad-hoc text that is allowed but probably unintended. The query runs. */
export interface QueryWarning {
  readonly code: 'empty_range' | 'operator_as_word' | 'select_ignored' | 'select_redundant';
  readonly message: string;
  readonly position: Position;
  /** Offset in UTF-16 code units. */
  readonly offset: number;
  readonly length: number;
}

export interface QueryRequest {
  readonly endpointId: string;
  readonly revision: number;
  /**
   * Digest of the definition for which the parameters were bound. That definition runs, even if it has been replaced
   * since.
   */
  readonly definition: string;
  /** Declared parameters in declared order; absent or empty optional ones are null. Values are text. */
  readonly parameters: Readonly<Record<string, string | null>>;
  readonly adhoc: AdhocText | null;
  /** Confines the run to events of this tenant; null: all tenants. */
  readonly tenant: string | null;
  readonly format: ResultFormat;
  readonly timestamps: TimestampStyle;
  /** Whether the JSON body carries `meta`. */
  readonly meta: boolean;
  readonly redact: boolean;
  /** The smaller of the row limits of the saved query and the token. */
  readonly maxRows: number;
  readonly maxBytes: number;
  readonly timeoutMs: number;
  /** Current time of the run in microseconds since 1970; every part of the run uses it. */
  readonly nowMicros: number;
}
