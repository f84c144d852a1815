/** A log event as shippers think of it: what it says itself, and what stands for a whole group. Readers of formats make these. */
import { Token } from '../json/json-token';
import type { JsonNode, JsonObject } from '../json/json-tree';
import type { RecordRefusal } from './record-refusal';

/** In the year 2554. */
export const MAX_NANOS = 2n ** 64n - 1n;

export interface SentEvent {
  readonly id: string | null;
  /** Nanoseconds since 1970, `MAX_NANOS` at most; null: it brings no time. */
  readonly nanos: bigint | null;
  readonly message: string | null;
  /** Dotted names: places below metadata. Owned by the event. */
  readonly fields: Map<string, JsonNode>;
  /** The source that it names itself. */
  readonly source: string | null;
}

/** What a group of events shares. */
export interface SharedFacts {
  /** Sources and own columns may be named here. */
  readonly attributes: ReadonlyMap<string, JsonNode>;
  /** Below metadata under these names. */
  readonly records: readonly (readonly [name: string, value: JsonObject])[];
  /** The source that the group names. */
  readonly source: string | null;
  /** Who sent it, in its own words: chooses the source when nothing else does. */
  readonly service: string | null;
}

export interface ReadEvent {
  readonly shared: SharedFacts | RecordRefusal;
  readonly event: SentEvent | RecordRefusal;
}

/** Events in the order of the request. Null: a moment to let others run. Throws ServiceError `body_invalid` when the bytes cannot be read. */
export type EventStream = Generator<ReadEvent | null, void>;

/** How a format writes what chooses the source. */
export interface SourceNames {
  readonly source: string;
  readonly service: string;
}

/** Null for anything but text, and for none. */
export function textOf(value: JsonNode | undefined): string | null {
  return value?.token === Token.string && value.text !== '' ? value.text : null;
}
