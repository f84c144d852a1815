/** Ingestion requests: the metadata that the server passes to the store with the bytes of events. */

/**
 * Form of a body. `lines`: one entry per line, blank lines ignored. `items`: JSON values separated by commas, as inside
 * an array. `any`: an object, an array, `{"batch":[..]}` or lines, detected from the content.
 */
export type BodyForm = 'lines' | 'items' | 'any';

/** Identification of events that have no id. */
export interface EventIdentity {
  /** Key of the body in base64url: equal for repeated deliveries of a body, and unique to it. */
  readonly base: string;
  /** Index in the original body of the batch's first entry. */
  readonly firstIndex: number;
  /** Indexes of the entries when the batch leaves some out; absent: consecutive. */
  readonly indexes?: readonly number[];
}

/** Rule for the tenant of the events of a batch. */
export interface TenantRule {
  /**
   * Tenant of the sender's token: the default for events that name none; events that name another are rejected. Null:
   * not confined.
   */
  readonly confinedTo: string | null;
  /** Tenant named by the request; overrides the events' own. Null: none named. */
  readonly given: string | null;
}

/** Metadata of a batch of events of one source. */
export interface IngestRequest {
  readonly source: string;
  readonly form: BodyForm;
  /** Arrival time in microseconds since 1970, the timestamp of events that have none. */
  readonly nowMicros: number;
  readonly identity: EventIdentity;
  /** Null: events are stored with the tenant that they name, if any. */
  readonly tenant: TenantRule | null;
}
