/** Resources of the backend that save queries of panels as saved queries of the service, and show their history. */
import type { SavedQuery } from '../queries/saved-query';
import type { FieldFilter } from './query';
import type { ResourceError } from './resources';

/** What the data source's token may do, as `GET /api/token` of the service returns it. */
export interface TokenAccess {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly endpoints: '*' | readonly string[];
  /** Names only. */
  readonly fixed_parameters: readonly string[];
  readonly tenant: string | null;
  readonly force_redaction: boolean;
  readonly max_rows: number | null;
  readonly expires_at: string | null;
}

export interface AccessResource {
  readonly canSave: boolean;
  /** One sentence for the user; null when `canSave`. */
  readonly whyNot: string | null;
  /** Null for users who may not save, and for a service that does not return it. */
  readonly token: TokenAccess | null;
}

/**
 * A variable that becomes a parameter. In the text and the filters its value is a marker, quoted as values of
 * variables are.
 */
export interface VariableParameter {
  /** Name of the variable in Grafana. */
  readonly variable: string;
  readonly marker: string;
  /** A parameter of the endpoint that has this variable as its value; otherwise a new parameter is declared. */
  readonly parameter?: string;
}

export interface ComposeRequest {
  /** Id or name of the saved query in whose sandbox the text runs. */
  readonly endpoint: string;
  readonly mode: 'sql' | 'lql';
  /** Macros are not resolved. */
  readonly text: string;
  readonly filters: readonly FieldFilter[];
  readonly variables: readonly VariableParameter[];
  /** Width of the panel's buckets, for `$__interval` and `$__timeGroup`. */
  readonly intervalMs: number;
  /** Whether the panel or the data source requests redaction. */
  readonly redactPii: boolean;
  readonly name: string;
  readonly description: string;
  readonly maxRows: number;
  /** Null: never cached. */
  readonly cacheSeconds: number | null;
  /** Id of the saved query of the same name, when it gets a new revision. */
  readonly replaces?: string;
}

export interface ComposedParameter {
  readonly name: string;
  readonly required: boolean;
  readonly type: string;
  /** What a panel fills in; undefined: a parameter of the endpoint, with the value that the panel has. */
  readonly panelValue?: string;
}

export interface ComposeResource {
  /** Body of a change; without id and revision. */
  readonly definition: Readonly<Record<string, unknown>> & { readonly name: string; readonly query: string };
  readonly parameters: readonly ComposedParameter[];
  /** Facts that the user should know, one sentence each. */
  readonly notes: readonly string[];
  /** The service refuses the definition; the position is in its query. Null: it is valid. */
  readonly problem: ResourceError | null;
}

export interface SaveRequest {
  readonly definition: Readonly<Record<string, unknown>>;
  /** Note in the history, at most 300 characters. The backend adds who saved it. */
  readonly note: string;
  /** The revision that is replaced; absent for a new saved query. */
  readonly revision?: number;
  /** The same for a repeated request to create. */
  readonly requestId?: string;
}

export interface SavedResource {
  readonly endpoint: SavedQuery;
}

export interface RevisionSummary {
  readonly revision: number;
  readonly name: string;
  readonly action: string;
  readonly by: { readonly token_name?: string; readonly database_user?: string };
  readonly time: string;
  readonly message: string | null;
  readonly changed: readonly string[];
}

export interface RevisionsResource {
  readonly revisions: readonly RevisionSummary[];
  /** Cursor of the next page. */
  readonly next: string | null;
}
