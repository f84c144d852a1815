/** What a store needs of the compiler: the catalog that it describes, the query that it runs, and failures of a run. */
export type * from './catalog/catalog';
export * from './output/compiled-query';
export type * from './output/query-search';
export {
  CLICKHOUSE_SETTINGS,
  hasManyConditions,
  MANY_CONDITIONS_SETTINGS,
  VOLATILE_SETTINGS,
} from './print/clickhouse/settings';
export { intervalText } from './time/interval';
export { timeOfDayText } from './time/time-text';
export { atItsPlace } from './output/failure-places';
export { failurePlaceIn, RUN_FAILURES, type RunFailure, runFailureIn } from './output/run-failure';
