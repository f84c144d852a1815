/** The slowest calls of the last hour. Their texts are kept nowhere; the log of the service has their request ids. */
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { queryLink } from '../../app/links';
import { useSession } from '../../app/session';
import { sayAge, sayCount, sayMillis } from '../../results/say-value';
import type { SlowCall } from './service-status';

export function SlowestCalls({ calls }: { readonly calls: readonly SlowCall[] }): ReactNode {
  const hasTokens = calls.some(({ token }) => token !== null);
  return (
    <>
      <h2>Slowest calls of the last hour</h2>
      {calls.length === 0 ? (
        <p className="soft">There were no calls.</p>
      ) : (
        <div className="scroll" tabIndex={0} role="region" aria-label="Slowest calls">
          <table className="list">
            <thead>
              <tr>
                <th scope="col" className="number">
                  Took
                </th>
                <th scope="col">Saved query</th>
                <th scope="col">Outcome</th>
                <th scope="col">When</th>
                {hasTokens && <th scope="col">Token</th>}
                <th scope="col">Request id</th>
              </tr>
            </thead>
            <tbody>
              {calls.map((call) => (
                <SlowCallRow key={`${call.request_id} ${call.ended_at}`} call={call} hasTokens={hasTokens} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}

function SlowCallRow({ call, hasTokens }: { readonly call: SlowCall; readonly hasTokens: boolean }): ReactNode {
  const { may } = useSession();
  const { endpoint, kind, duration_ms, ended_at, request_id, token } = call;
  return (
    <tr>
      <td className="number">{sayMillis(duration_ms)}</td>
      <td>
        {may('query') || may('endpoints:read') ? (
          <Link href={queryLink(endpoint.name)}>{endpoint.name}</Link>
        ) : (
          endpoint.name
        )}{' '}
        {kind === 'adhoc' && <span className="mark">ad-hoc</span>}
      </td>
      <td>{sayOutcome(call)}</td>
      <td title={ended_at}>{sayAge(Date.parse(ended_at))}</td>
      {hasTokens && <td>{token?.name}</td>}
      <td>
        <code className="id">{request_id}</code>
      </td>
    </tr>
  );
}

function sayOutcome({ status, rows, cached }: SlowCall): string {
  if (status === null) return 'the caller left';
  if (rows === null) return status === 304 ? 'not changed' : `status ${status}`;
  return `${sayCount(rows, 'row')}${cached ? ', cached' : ''}`;
}
