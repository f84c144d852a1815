/** Answers of the HTTP API, as far as the console reads them (docs/http-api.md). */
import type {
  DescribedColumn,
  DescribedTable,
  FieldUse,
  QueryMisfits,
  SourceMisfits,
  ValidateResult,
} from '#contract/queries/description';
import type { RevisionFacts } from '#contract/changes/revision';
import type { SavedQuery } from '#contract/queries/saved-query';

/** `GET /api/token` */
export type { TokenAccess as OwnToken } from '#contract/plugin/saving';

/** An entry of `GET /api/endpoints`. */
export type ListedQuery = Omit<SavedQuery, 'query'> & { readonly origin: 'file' | 'api' };

/** `GET /api/endpoints/{q}` */
export type DescribedQuery = SavedQuery & {
  readonly origin: 'file' | 'api';
  readonly fields: readonly DescribedColumn[];
  readonly tables: readonly DescribedTable[];
  /** Absent for a token that does not see the events of all tenants. */
  readonly misfits?: readonly QueryMisfits[];
};

/** An entry of `GET /api/endpoints/{q}/revisions`, and of those of a source. */
export type Revision = Pick<
  RevisionFacts,
  'id' | 'revision' | 'name' | 'action' | 'by' | 'time' | 'message' | 'changed'
>;

/** `GET /api/endpoints/{q}/revisions/{n}`; a revision that deletes has neither text nor definition. */
export type RevisionText = Revision & { readonly yaml: string | null; readonly definition: unknown };

export type { Author } from '#contract/changes/change';
export type { AuditEntry } from '#contract/changes/audit';
export type { DescribedIssue, DescribedToken } from '#contract/tokens/token';

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
  readonly origin: 'file' | 'api';
  readonly columns: readonly DescribedColumn[];
  readonly events: number;
  readonly bytes: number;
  readonly days: number | null;
  readonly sealed_days: number | null;
  readonly seal_fault: string | null;
  readonly oldest_event: string | null;
  readonly newest_event: string | null;
  /** Null: the store keeps none. */
  readonly dead_letters: number | null;
  /** Null: not known. */
  readonly nested_fields: FieldUse | null;
  readonly misfits: SourceMisfits;
  readonly arrivals: Arrivals;
}

/** An entry of `GET /api/calls`. */
export interface CallStats {
  readonly id: string;
  readonly calls: number;
  readonly adhoc_calls: number;
  readonly failed: number;
  readonly cached: number;
  readonly p50_ms: number | null;
  readonly p95_ms: number | null;
  readonly max_ms: number | null;
  readonly last_call_at: string | null;
  readonly cached_results: number;
  readonly warm_results: number;
}

/** What a server took of a source in the last hour. */
export interface Arrivals {
  readonly since: string;
  /** The current minute last. */
  readonly stored_by_minute: readonly number[];
  readonly duplicates: number;
  readonly rejected: number;
}

/** `GET /health/ready` */
export interface Readiness {
  readonly status: 'ok' | 'degraded' | 'unready';
  readonly checks?: Readonly<Record<string, string>>;
  readonly store?: { readonly reason: string };
  readonly definitions?: { readonly reason: string };
  readonly clock?: { readonly reason: string };
  readonly ingest?: { readonly reason: string };
}
