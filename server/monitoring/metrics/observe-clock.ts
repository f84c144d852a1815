/** Metric of deletions by age that are paused, read at each scrape. */
import type { Registry } from 'prom-client';
import type { ClockGuard } from '../../app/lifecycle/clock-guard';
import { ScrapedMetrics } from './scraped-metrics';

export function observeClock(registry: Registry, guard: Pick<ClockGuard, 'paused'>): void {
  new ScrapedMetrics(registry).gauge(
    'logquery_clock_ahead_days',
    'Days that the clock is ahead of the last known time while nothing is deleted by age for that reason; 0: deletions run.',
    () => guard.paused?.aheadDays ?? 0
  );
}
