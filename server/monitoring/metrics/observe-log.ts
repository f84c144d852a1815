/** Metrics of the server's log, read at each scrape. */
import type { Registry } from 'prom-client';
import type { LogOutput } from '../log-output';
import { ScrapedMetrics } from './scraped-metrics';

export function observeLog(registry: Registry, output: Pick<LogOutput, 'dropped'>): void {
  new ScrapedMetrics(registry).counter(
    'logquery_log_lines_dropped_total',
    'Log lines that could not be written: the reader of the log stands still, or its disk is full.',
    () => output.dropped
  );
}
