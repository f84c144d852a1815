/** A Grafana data frame before encoding: columns of equal length in Arrow memory. */
import type { Data } from 'apache-arrow';

/** `time`: nanoseconds since 1970. `json`: JSON text. */
export type FieldKind = 'time' | 'integer' | 'number' | 'string' | 'boolean' | 'json';

export interface Column {
  readonly name: string;
  readonly kind: FieldKind;
  readonly data: Data;
  /** Whether the times are days, which begin at midnight UTC. */
  readonly isDays?: boolean;
  /** Texts in ISO 8601 of the times that do not fit into nanoseconds, by row; their values are null. */
  readonly outside?: ReadonlyMap<number, string>;
}

export interface FieldConfig {
  readonly displayNameFromDS?: string;
  readonly unit?: string;
  readonly description?: string;
  /**
   * Interval of a time field in milliseconds. Grafana shows a larger distance as a gap and uses it as the width of
   * bars.
   */
  readonly interval?: number;
  readonly custom?: { readonly hidden: true };
}

export interface FrameField extends Column {
  readonly labels?: Readonly<Record<string, string>>;
  readonly config?: FieldConfig;
}

/** Grafana ignores unknown keys but rejects the whole response when one of these has the wrong type. */
export interface FrameMeta {
  /** Frame type for expressions and alert rules; effective only with `typeVersion`. */
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
