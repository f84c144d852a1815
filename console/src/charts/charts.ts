/** All charts: one part of the console, loaded when a result has one. */
export { Histogram } from './histogram';
export { ResultChart } from './result-chart';
