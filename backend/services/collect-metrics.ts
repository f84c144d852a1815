/** CollectMetrics: the backend's own metrics in the Prometheus text format. */
import type { CollectMetricsResponse } from '../proto/messages';
import type { BackendContext } from './backend-context';

export async function collectMetrics({ metrics }: BackendContext): Promise<CollectMetricsResponse> {
  return { metrics: { prometheus: Buffer.from(await metrics.text()) } };
}
