/** CollectMetrics: the backend's own counters, in the text format of Prometheus. */
import type { CollectMetricsResponse } from '../proto/messages';
import type { BackendContext } from './backend-context';

export async function collectMetrics({ metrics }: BackendContext): Promise<CollectMetricsResponse> {
  return { metrics: { prometheus: Buffer.from(await metrics.text()) } };
}
