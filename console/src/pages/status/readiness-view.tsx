/** Readiness by part. */
import type { ReactNode } from 'react';
import type { Readiness } from '../../api/shapes';

const SAID: Readonly<Record<Readiness['status'], string>> = {
  ok: 'The service answers calls.',
  degraded: 'The service answers calls, and a part of it needs attention.',
  unready: 'The service cannot answer calls now.',
};

export function ReadinessView({ readiness }: { readonly readiness: Readiness }): ReactNode {
  const { status, checks, store, ingest, definitions, clock } = readiness;
  const reasons = [store, ingest, definitions, clock].flatMap((part) => part?.reason ?? []);
  return (
    <>
      <p role="status">
        <span className={status === 'ok' ? 'mark good' : 'mark warn'}>{status}</span> {SAID[status]}
      </p>
      {reasons.map((reason) => (
        <p key={reason} className="warning">
          {reason}
        </p>
      ))}
      {checks && (
        <ul className="checks">
          {Object.entries(checks).map(([part, check]) => (
            <li key={part}>
              {part} <span className={check === 'ok' ? 'mark good' : 'mark warn'}>{check}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
