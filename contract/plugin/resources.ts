/**
 * Resources that the backend serves to the editor under `/api/datasources/uid/<uid>/resources/<path>`. A failure has
 * its HTTP status and the body `{"error": ResourceError}`.
 *
 * | Method and path | Body | Response |
 * |---|---|---|
 * | GET `endpoints` | | EndpointsResource |
 * | GET `endpoints/<id or name>` | | EndpointResource |
 * | POST `endpoints` | SaveRequest | SavedResource |
 * | PUT, PATCH `endpoints/<id or name>` | SaveRequest | SavedResource |
 * | GET `endpoints/<id or name>/revisions?limit=&cursor=` | | RevisionsResource |
 * | POST `compose` | ComposeRequest | ComposeResource |
 * | GET `access` | | AccessResource |
 * | POST `validate` | ValidateRequest | ValidateResource |
 * | GET `functions` | | FunctionsResource |
 */
import type { DescribedColumn, DescribedTable, ValidateResult } from '../queries/description';
import type { Position } from '../errors';
import type { Parameter, SavedQuery } from '../queries/saved-query';

/** A saved query without its query text. */
export type EndpointSummary = Omit<SavedQuery, 'query' | 'parameters'> & {
  readonly parameters: readonly Parameter[];
  /** Whether it is a file or managed over the API; undefined for services before it. */
  readonly origin?: 'file' | 'api';
};

export interface EndpointsResource {
  readonly endpoints: readonly EndpointSummary[];
}

/** A saved query with its text, output columns and sandbox tables. */
export interface EndpointResource {
  readonly endpoint: SavedQuery;
  readonly fields: readonly DescribedColumn[];
  readonly tables: readonly DescribedTable[];
}

/** Macros are resolved as for a query of the given time range. */
export interface ValidateRequest {
  readonly endpoint: string;
  readonly mode: 'sql' | 'lql';
  readonly text: string;
  readonly params?: Readonly<Record<string, string>>;
  /** Bounds in milliseconds since 1970. @default the last hour */
  readonly range?: { readonly from: number; readonly to: number };
  readonly intervalMs?: number;
}

/** An invalid text is a successful response, not a failure. */
export type ValidateResource =
  { readonly valid: true; readonly result: ValidateResult } | { readonly valid: false; readonly error: ResourceError };

export interface ResourceError {
  /**
   * A code of `contract/errors.ts`, or one of the backend: `unreachable`, `timeout`, `tls`, `not_the_service`,
   * `settings_invalid`.
   */
  readonly code: string;
  /** One sentence for the user. */
  readonly message: string;
  readonly reason?: string;
  readonly position?: Position;
  readonly hint?: string;
  readonly requestId?: string;
}

export interface FunctionsResource {
  readonly functions: readonly {
    readonly name: string;
    readonly usage: string;
    readonly summary: string;
    readonly family: string;
  }[];
}
