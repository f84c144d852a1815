/**
 * LQL tree: the meaning of a text independent of its spelling (`m.` and `metadata.`, quotes, defaults of a chart).
 * Names are not resolved and types are not known. All nodes have positions.
 */
import type { Identifier, Node } from '../ast';
import type { NonEmpty } from '../items';

export interface LqlQuery extends Node {
  readonly from: FromRule | null;
  /** Columns in the order written, without duplicates. */
  readonly selects: readonly SelectRule[];
  /** Filters in the order written; all must be true. */
  readonly filters: readonly FilterRule[];
  readonly chart: ChartRule | null;
}

export interface FromRule extends Node {
  readonly name: Identifier;
}

/** A column and fields below it, with `m.` expanded to `metadata`. */
export interface LqlPath extends Node {
  readonly parts: NonEmpty<Identifier>;
}

export interface SelectRule extends Node {
  /** Null is `*`. */
  readonly path: LqlPath | null;
  readonly alias: Identifier | null;
}

export type FilterRule = MessageFilter | FieldFilter | TimeFilter;

/** A filter on `event_message`. */
export interface MessageFilter extends Node {
  readonly kind: 'message';
  readonly negated: boolean;
  readonly test: 'contains' | 'regex';
  readonly text: Text;
}

/** Words that are operators in other languages. */
export const OPERATOR_WORD = /^(?:OR|AND|NOT|\|\|?|&&)$/;

export interface FieldFilter extends Node {
  readonly kind: 'field';
  readonly negated: boolean;
  readonly path: LqlPath;
  readonly test: FieldTest;
}

/** A filter on `timestamp`. */
export interface TimeFilter extends Node {
  readonly kind: 'time';
  readonly negated: boolean;
  readonly test: TimeTest & Node;
}

export type Comparison = '=' | '>' | '>=' | '<' | '<=';

export type FieldTest =
  | { readonly kind: 'compare'; readonly operator: Comparison; readonly value: Scalar }
  | { readonly kind: 'range'; readonly low: Scalar; readonly high: Scalar }
  | { readonly kind: 'levels'; readonly low: Level; readonly high: Level; readonly position: Node['position'] }
  | { readonly kind: 'in'; readonly items: readonly Scalar[]; readonly position: Node['position'] }
  | { readonly kind: 'null' }
  | { readonly kind: 'regex'; readonly pattern: Text }
  | { readonly kind: 'includes'; readonly value: Scalar }
  | { readonly kind: 'includes-regex'; readonly pattern: Text };

/** Decoded text. */
export interface Text extends Node {
  readonly text: string;
}

/**
 * A decoded value. `type` is its form without quotes; a `string` may have been quoted. The column determines how it is
 * read.
 */
export interface Scalar extends Text {
  readonly type: 'string' | 'number' | 'boolean' | 'date' | 'datetime';
}

/** Levels in order of severity. */
export const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;
export type Level = (typeof LEVELS)[number];

/** A point in time: a UTC day (days since 1970), an instant (microseconds since 1970), or the current second. */
export type TimePoint =
  | { readonly kind: 'day'; readonly days: bigint }
  | { readonly kind: 'instant'; readonly micros: bigint }
  | { readonly kind: 'now' };

export type TimeTest =
  | { readonly kind: 'compare'; readonly operator: Comparison; readonly point: TimePoint }
  | { readonly kind: 'range'; readonly low: TimePoint; readonly high: TimePoint }
  | { readonly kind: 'today' | 'yesterday' }
  | { readonly kind: 'this'; readonly unit: LqlUnit }
  | { readonly kind: 'last'; readonly count: number; readonly unit: LqlUnit };

export type LqlUnit = 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year';

export interface ChartRule extends Node {
  /** At least one, without duplicates. */
  readonly aggregates: readonly AggregateRule[];
  readonly bucket: BucketRule;
  readonly groups: readonly LqlPath[];
}

export const AGGREGATES = ['count', 'countd', 'avg', 'sum', 'min', 'max', 'p50', 'p90', 'p95', 'p99'] as const;
export type Aggregate = (typeof AGGREGATES)[number];

export interface AggregateRule extends Node {
  readonly aggregate: Aggregate;
  /** Null is `*`. */
  readonly path: LqlPath | null;
}

export interface BucketRule extends Node {
  /** 1 for months and years: their lengths differ. */
  readonly count: number;
  readonly unit: LqlUnit;
}
