/** What the server hands to the store with the bytes of events. */

/**
 * How a body holds its entries. `lines`: one a line, blank ones not counted. `items`: JSON values with commas between them, as inside an array.
 * `any`: an object, an array, `{"batch":[..]}` or lines, as the content shows.
 */
export type BodyForm = 'lines' | 'items' | 'any';

/** How events that bring no id are identified. */
export interface EventIdentity {
  /** The same for each delivery of a body, and for no other body: base64url. */
  readonly base: string;
  /** Index of the batch's first entry in the body it was split from. */
  readonly firstIndex: number;
  /** Indexes of the entries, where some of the body's entries are left out of the batch; absent: consecutive. */
  readonly indexes?: readonly number[];
}

/** Which tenant the events of a batch belong to. */
export interface TenantRule {
  /** Tenant of the sender's token: fills in where an event names none; an event that names another is rejected. Null: not confined. */
  readonly confinedTo: string | null;
  /** Tenant that the request names for all its events, whatever they say themselves; null: it names none. */
  readonly given: string | null;
}

/** A batch of one source, without its bytes. */
export interface IngestRequest {
  readonly source: string;
  readonly form: BodyForm;
  /** Arrival time, microseconds since 1970: the timestamp of events that have none. */
  readonly nowMicros: number;
  readonly identity: EventIdentity;
  /** Null: events are stored whatever tenant they name, or none. */
  readonly tenant: TenantRule | null;
}
