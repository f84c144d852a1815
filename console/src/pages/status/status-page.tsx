/** Whether the service is ready, part by part, and what the token of this tab may do. */
import type { ReactNode } from 'react';
import { whole } from '../../api/client';
import { isConfined } from '../../api/is-confined';
import { unreachable } from '../../api/problem';
import type { Readiness } from '../../api/shapes';
import { IgnoredPartsNote } from '../../app/ignored-parts-note';
import { useSession } from '../../app/session';
import { useAgain } from '../../app/use-again';
import { useLoaded } from '../../app/use-loaded';
import { useTitle } from '../../app/use-title';
import { Failure } from '../../parts/failure';
import { Waiting } from '../../parts/waiting';
import { OwnRights } from './own-rights';
import { ReadinessView } from './readiness-view';
import type { ServiceStatus } from './service-status';
import { SlowestCalls } from './slowest-calls';
import { StatusParts } from './status-parts';

export function StatusPage(): ReactNode {
  const { api, may, own } = useSession();
  useTitle('Status');
  const seesParts = may('metrics:read') && !isConfined(own);
  const {
    value: status,
    problem,
    isStale,
    isLoading,
    again,
  } = useLoaded<{ readonly readiness: Readiness } & Partial<ServiceStatus>>('status', async (signal) =>
    seesParts ? api.result<ServiceStatus>('/api/status', { signal }) : { readiness: await readReadiness(signal) }
  );
  useAgain(again, AGAIN_MS);
  return (
    <>
      <h1>Status</h1>
      <IgnoredPartsNote names={{}} />
      {problem && <Failure problem={problem} onRetry={again} />}
      {status === null && problem === null && <Waiting what="Loading the status" />}
      {status !== null && (
        <>
          {!isStale && <ReadinessView readiness={status.readiness} />}
          {isStale && isWhole(status) && <p className="warning">The figures below are those of the last answer.</p>}
          <button type="button" disabled={isLoading} onClick={again}>
            Refresh
          </button>
          {isWhole(status) && <StatusParts status={status} />}
          {isWhole(status) && <SlowestCalls calls={status.slowest_calls} />}
          {!seesParts && (
            <p className="soft">
              Memory, disk, queues and the slowest calls are shown to tokens with the scope metrics:read and no limit to
              a tenant, saved queries or redacted results.
            </p>
          )}
        </>
      )}
      <OwnRights own={own} />
    </>
  );
}

const AGAIN_MS = 10_000;

function isWhole(status: Partial<ServiceStatus>): status is ServiceStatus {
  return status.store !== undefined;
}

/** 503 is an answer here, too. */
async function readReadiness(signal: AbortSignal): Promise<Readiness> {
  const response = await fetch('/health/ready', { signal, cache: 'no-store' }).catch((error: unknown) => {
    throw signal.aborted ? error : unreachable();
  });
  return whole(response.json() as Promise<Readiness>, signal);
}
