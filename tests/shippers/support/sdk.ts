/** A program with an OpenTelemetry SDK, started with the variables that docs/shippers.md prints for SDKs. */
import { startChild } from './child';
import { readsInput } from './client';
import { documentedBlock, DOCUMENTED_URL, substitute } from './documented';
import type { RunningShipper, ShipperTarget } from './shipper';

/** A restart of the service on a busy machine takes longer than the ten seconds for which an SDK tries by default. */
export const SDK_TIMEOUT_SECONDS = 60;

interface Sdk {
  /** Reads lines from its input, and says `ready` before. */
  readonly command: readonly string[];
  /** `SDK_TIMEOUT_SECONDS` as this SDK takes it. */
  readonly timeout: number;
}

export function startSdk({ command, timeout }: Sdk, { url, token }: ShipperTarget): Promise<RunningShipper> {
  const variables = substitute(documentedBlock('OpenTelemetry SDKs'), {
    [DOCUMENTED_URL]: url,
    'lqe.source=function_events,project_ref=': 'lqe.source=edge_requests,project=',
  });
  const child = startChild('sh', ['-c', `${variables}\nexec "$@"`, 'sh', ...command], {
    env: { ...process.env, LQE_TOKEN: token, OTEL_EXPORTER_OTLP_LOGS_TIMEOUT: String(timeout) },
  });
  return readsInput(child);
}
