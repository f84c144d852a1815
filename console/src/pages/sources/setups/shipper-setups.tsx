/** Set-ups of log shippers to copy, for this service and a source. */
import { type ReactNode, useId, useState } from 'react';
import type { ListedSource } from '../../../api/shapes';
import { useSession } from '../../../app/session';
import { CopyButton } from '../../../parts/copy-button';
import { MakeShipperToken } from '../../first-run/make-shipper-token';
import { type IngestChoice, IngestFields } from '../ingest-fields';
import { SHIPPERS } from './shippers';
import { SYSLOG_SETUPS } from './syslog-setups';

interface ShipperSetupsProps {
  readonly sources: readonly ListedSource[] | null;
  readonly choice: IngestChoice;
  readonly onChoice: (choice: IngestChoice) => void;
}

const SETUPS = [...SHIPPERS, ...SYSLOG_SETUPS];
const DEFAULT_TENANT = 'my-project';

export function ShipperSetups({ sources, choice, onChoice }: ShipperSetupsProps): ReactNode {
  const { own, may } = useSession();
  const [name, setName] = useState(SETUPS[0]?.name);
  const id = useId();
  const shipper = SETUPS.find((each) => each.name === name);
  const needsToken = !SYSLOG_SETUPS.some((each) => each === shipper);
  const listed = sources?.find((source) => source.name === choice.source);
  const target = {
    url: window.location.origin,
    source: choice.source || 'edge_requests',
    project: own.tenant ?? (choice.project || DEFAULT_TENANT),
    tenantField: listed ? listed.tenant : 'project',
  };
  const text = shipper?.write(target) ?? '';
  return (
    <>
      <IngestFields
        sources={sources}
        ownTenant={own.tenant}
        choice={choice}
        onChoice={onChoice}
        projectHelp={
          target.tenantField === null ? 'This source has no tenants.' : `Of all events; empty: ${DEFAULT_TENANT}.`
        }
      />
      <div className="ingest-fields">
        <div className="field">
          <label htmlFor={id}>Log shipper</label>
          <select id={id} value={name} onChange={(event) => setName(event.target.value)}>
            {SETUPS.map((each) => (
              <option key={each.name}>{each.name}</option>
            ))}
          </select>
        </div>
      </div>
      <p>
        {needsToken && (
          <>
            Put a token with the scope <code>ingest</code> into the variable <code>LQE_TOKEN</code> of the shipper.{' '}
          </>
        )}
        {shipper?.note}
      </p>
      <div className="example">
        <pre className="text" tabIndex={0} aria-label={`Set-up of ${shipper?.name ?? ''}`}>
          {text}
        </pre>
        <CopyButton text={text} />
      </div>
      {needsToken && may('tokens:admin') && (
        <>
          <h2>Token for a shipper</h2>
          <MakeShipperToken given={target.tenantField === null ? '' : choice.project} />
        </>
      )}
    </>
  );
}
