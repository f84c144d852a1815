/**
 * A log event of a shipper: its own fields, and those that a group of events shares. The readers of formats create
 * these.
 */
import { Token } from '../../../common/json/json-token';
import type { JsonNode, JsonObject } from '../../../common/json/json-tree';
import type { RecordRefusal } from '../record-refusal';

/** The largest time of a shipper, in the year 2554. */
export const MAX_NANOS = 2n ** 64n - 1n;

export interface SentEvent {
  readonly id: string | null;
  /** Nanoseconds since 1970, `MAX_NANOS` at most; null: no timestamp. */
  readonly nanos: bigint | null;
  /** Timestamp as it was sent, which the store parses; counts when `nanos` is null. */
  readonly time?: JsonNode | undefined;
  readonly message: string | null;
  /** Fields by dotted name, which are paths below metadata. Owned by the event. */
  readonly fields: Map<string, JsonNode>;
  /** The source in the event itself. */
  readonly source: string | null;
}

/** Fields that a group of events shares. */
export interface SharedFacts {
  /** Attributes that may set own columns and declared fields of the source. */
  readonly attributes: ReadonlyMap<string, JsonNode>;
  /** Records below metadata under these names. */
  readonly records: readonly (readonly [name: string, value: JsonObject])[];
  /** The source in the group. */
  readonly source: string | null;
  /** Name of the sending service: chooses the source when nothing else does. */
  readonly service: string | null;
}

export interface ReadEvent {
  readonly shared: SharedFacts | RecordRefusal;
  readonly event: SentEvent | RecordRefusal;
}

/**
 * Events in the order of the request. Null is a turn for other work. Throws ServiceError `body_invalid` when the bytes
 * cannot be parsed.
 */
export type EventStream = Generator<ReadEvent | null, void>;

/** Names that choose the source in a format. */
export interface SourceNames {
  readonly source: string;
  readonly service: string;
}

/** Null for an empty text, and for any other value. */
export function textOf(value: JsonNode | undefined): string | null {
  return value?.token === Token.string && value.text !== '' ? value.text : null;
}
