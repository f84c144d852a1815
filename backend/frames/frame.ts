/** A data frame of Grafana before it is encoded: columns of equal length in Arrow memory. */
import type { Data } from 'apache-arrow';

/** `time`: nanoseconds since 1970. `json`: text of a JSON value. */
export type FieldKind = 'time' | 'integer' | 'number' | 'string' | 'boolean' | 'json';

export interface Column {
  readonly name: string;
  readonly kind: FieldKind;
  readonly data: Data;
}

export interface FieldConfig {
  readonly displayNameFromDS?: string;
  readonly unit?: string;
  readonly description?: string;
  /** Of a time field: milliseconds between two points. A larger distance is a gap, and bars are as wide. */
  readonly interval?: number;
  readonly custom?: { readonly hidden: true };
}

export interface FrameField extends Column {
  readonly labels?: Readonly<Record<string, string>>;
  readonly config?: FieldConfig;
}

/** Grafana drops keys it does not know, and refuses the whole answer when one of these has another type. */
export interface FrameMeta {
  /** What expressions and alert rules read; together with `typeVersion` only. */
  readonly type?: 'timeseries-wide' | 'numeric-wide' | 'log-lines' | 'table';
  readonly typeVersion?: readonly [number, number];
  readonly preferredVisualisationType?: 'graph' | 'table' | 'logs';
  readonly executedQueryString?: string;
  readonly notices?: readonly { readonly severity: 'info' | 'warning' | 'error'; readonly text: string }[];
  readonly custom?: Readonly<Record<string, unknown>>;
}

export interface Frame {
  readonly name: string;
  readonly refId: string;
  readonly meta: FrameMeta;
  readonly fields: readonly FrameField[];
  readonly length: number;
}

export const isNumeric = ({ kind }: Column): boolean => kind === 'integer' || kind === 'number';
