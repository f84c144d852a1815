/** Whether the service is ready, part by part, and what the token of this tab may do. */
import type { ReactNode } from 'react';
import type { Readiness } from '../../api/shapes';
import { useSession } from '../../app/session';
import { useLoaded } from '../../app/use-loaded';
import { useTitle } from '../../app/use-title';
import { type Fact, FactsList } from '../../parts/facts-list';
import { Failure } from '../../parts/failure';
import { Waiting } from '../../parts/waiting';

export function StatusPage(): ReactNode {
  const { own } = useSession();
  useTitle('Status');
  const { value: readiness, problem, again } = useLoaded('readiness', readReadiness);
  const rights: readonly Fact[] = [
    ['Name', own.name],
    ['Scopes', own.scopes.join(', ')],
    ['Saved queries', own.endpoints === '*' ? 'all' : own.endpoints.join(', ')],
    ['Filled in', own.fixed_parameters.join(', ')],
    ['Tenant', own.tenant ?? ''],
    ['Redaction', own.force_redaction ? 'every result' : ''],
    ['Rows at most', own.max_rows?.toLocaleString() ?? ''],
    ['Valid until', own.expires_at ?? 'revoked'],
  ];
  return (
    <>
      <h1>Status</h1>
      {problem && <Failure problem={problem} onRetry={again} />}
      {readiness === null && problem === null && <Waiting what="Asking the service" />}
      {readiness !== null && (
        <>
          <p role="status">
            <span className={readiness.status === 'ok' ? 'mark good' : 'mark warn'}>{readiness.status}</span>{' '}
            {SAID[readiness.status]}
          </p>
          <ul>
            {Object.entries(readiness.checks ?? {}).map(([part, check]) => (
              <li key={part}>
                {part}: {typeof check === 'string' ? check : `${check.status} ${check.reason ?? ''}`}
              </li>
            ))}
          </ul>
          <button type="button" onClick={again}>
            Ask again
          </button>
        </>
      )}
      <h2>This token</h2>
      <FactsList facts={rights} />
    </>
  );
}

const SAID: Readonly<Record<Readiness['status'], string>> = {
  ok: 'The service answers calls.',
  degraded: 'The service answers calls, with what it last knew.',
  unready: 'The service cannot answer calls now.',
};

/** 503 is an answer here, too. */
async function readReadiness(signal: AbortSignal): Promise<Readiness> {
  return (await (await fetch('/health/ready', { signal, cache: 'no-store' })).json()) as Readiness;
}
