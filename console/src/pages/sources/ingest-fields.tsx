/** Source and tenant that events are sent to. */
import { type ReactNode, useId } from 'react';
import { Link } from 'wouter';
import type { ListedSource } from '../../api/shapes';
import { NEW_SOURCE } from '../../app/links';
import { useSession } from '../../app/session';
import { withValue } from '../../parts/with-value';

export interface IngestChoice {
  readonly source: string;
  readonly project: string;
}

interface IngestFieldsProps {
  /** Null: the token may not list them. */
  readonly sources: readonly ListedSource[] | null;
  /** Tenant of the token itself; null: it has none. */
  readonly ownTenant: string | null;
  readonly choice: IngestChoice;
  readonly onChoice: (choice: IngestChoice) => void;
  readonly isDisabled?: boolean;
  readonly projectHelp: string;
}

export function IngestFields(props: IngestFieldsProps): ReactNode {
  const { sources, ownTenant, choice, onChoice, isDisabled = false, projectHelp } = props;
  const id = useId();
  const { may } = useSession();
  const setSource = (source: string): void => onChoice({ ...choice, source });
  return (
    <div className="ingest-fields">
      <div className="field">
        <label htmlFor={`${id}-source`}>Source</label>
        {sources === null ? (
          <input
            id={`${id}-source`}
            value={choice.source}
            disabled={isDisabled}
            spellCheck={false}
            placeholder="edge_requests"
            onChange={(event) => setSource(event.target.value)}
          />
        ) : (
          <select
            id={`${id}-source`}
            value={choice.source}
            disabled={isDisabled}
            onChange={(event) => setSource(event.target.value)}
          >
            {withValue(
              sources.map(({ name }) => name),
              choice.source
            ).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        )}
        {may('sources:write') && !isDisabled && (
          <p>
            <Link href={NEW_SOURCE}>New source</Link>
          </p>
        )}
      </div>
      <div className="field">
        <label htmlFor={`${id}-project`}>Tenant</label>
        <input
          id={`${id}-project`}
          value={ownTenant ?? choice.project}
          disabled={isDisabled || ownTenant !== null}
          spellCheck={false}
          aria-describedby={`${id}-help`}
          onChange={(event) => onChoice({ ...choice, project: event.target.value })}
        />
        <p id={`${id}-help`} className="soft">
          {ownTenant === null ? projectHelp : 'The tenant of this token.'}
        </p>
      </div>
    </div>
  );
}
