/** Answers of the HTTP API, as far as the console reads them (docs/http-api.md). */
import type { DescribedColumn, DescribedTable, ValidateResult } from '#contract/description';
import type { SavedQuery } from '#contract/saved-query';

/** `GET /api/token` */
export type { TokenAccess as OwnToken } from '#contract/plugin/saving';

/** An entry of `GET /api/endpoints`. */
export type ListedQuery = Omit<SavedQuery, 'query'> & { readonly origin: 'file' | 'api' };

/** `GET /api/endpoints/{q}` */
export type DescribedQuery = SavedQuery & {
  readonly origin: 'file' | 'api';
  readonly fields: readonly DescribedColumn[];
  readonly tables: readonly DescribedTable[];
};

export interface Page<T> {
  readonly result: readonly T[];
  readonly next_cursor: string | null;
}

/** `POST /api/endpoints/validate` of a text that is valid. */
export type Validated = ValidateResult;

/** An entry of `GET /api/sources`. */
export interface ListedSource {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly description: string;
  readonly retention_days: number | null;
  readonly tenant: string | null;
  readonly columns: readonly DescribedColumn[];
  readonly events: number;
  readonly bytes: number;
  readonly days: number | null;
  readonly sealed_days: number | null;
  readonly oldest_event: string | null;
  readonly newest_event: string | null;
}

/** `GET /health/ready` */
export interface Readiness {
  readonly status: 'ok' | 'degraded' | 'unready';
  readonly checks?: Readonly<Record<string, string | { readonly status: string; readonly reason?: string }>>;
}
