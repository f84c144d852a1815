/** How texts name the time range and the buckets of their reader. */
export interface TimeClauses {
  /** Condition on `timestamp`; null: what is read is within the range already. */
  readonly sqlFilter: string | null;
  /** Beginning of the bucket of a `timestamp`. */
  readonly sqlBucket: string;
  readonly lqlFilter: string | null;
  readonly lqlBucket: string;
}

/** Macros, which the backend of the data source replaces. */
export const GRAFANA_CLAUSES: TimeClauses = {
  sqlFilter: '$__timeFilter(timestamp)',
  sqlBucket: '$__timeGroup(timestamp)',
  lqlFilter: '$__timeFilter',
  lqlBucket: '$__timeGroup',
};
