/** A program with an OpenTelemetry SDK, started with the variables that docs/shippers.md prints for SDKs. */
import { once } from 'node:events';
import { startChild } from './child';
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

export async function startSdk({ command, timeout }: Sdk, { url, token }: ShipperTarget): Promise<RunningShipper> {
  const variables = substitute(documentedBlock('OpenTelemetry SDKs'), {
    [DOCUMENTED_URL]: url,
    'lqe.source=function_events,project_ref=': 'lqe.source=edge_requests,project=',
  });
  const child = startChild('sh', ['-c', `${variables}\nexec "$@"`, 'sh', ...command], {
    env: { ...process.env, LQE_TOKEN: token, OTEL_EXPORTER_OTLP_LOGS_TIMEOUT: String(timeout) },
  });
  await child.says(/ready/);
  const input = child.process.stdin!;
  return {
    log: async (lines) => {
      if (!input.write(lines.map((line) => `${line}\n`).join(''))) await once(input, 'drain');
    },
    end: async () => {
      input.end();
      await child.ended();
    },
    stop: () => child.kill(),
    output: () => child.output(),
  };
}
